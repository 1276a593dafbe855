"""A match as text: a double, a drop, and a resignation after a roll in the Crawford game."""

SAMPLE = """\
; [Site "Example"]
; [Player 1 "ann"]
; [CubeLimit "64"]

3 point match

 Game 1
 ann : 0                         bob : 0
  1) 31: 8/5 6/5                  64: 24/14
  2)  Doubles => 2                 Takes
  3) 52: 13/8 24/22               43: 13/9 13/10
  4) 66: 24/18 22/16 13/7(2)       Doubles => 4
  5)  Drops                        Wins 2 points

 Game 2
 ann : 0                         bob : 2
  1)                              62: 24/18 13/11
  2) 21: 13/11 6/5                54:
                                  Wins 1 point and the match
"""
