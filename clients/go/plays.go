package bgcore

import (
	"encoding/binary"
	"fmt"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// Step is one checker by one number, in the mover's own numbering: 25 the bar, 26 not yet entered, 0 off.
type Step struct {
	Origin, Number, Target uint32
	// Hit and Pin are known in lists of PLAY_VIEW_FULL only.
	Hit, Pin bool
}

// Play is everything done with one part of a turn; without steps when nothing is playable.
type Play struct {
	Steps []Step
	// Text is such as "8/5 6/5"; in lists of PLAY_VIEW_TEXT and FULL only.
	Text string
	// After is the board after it; in lists of PLAY_VIEW_FULL only.
	After *After
}

// After is a board by whose turn it was.
type After struct{ Mover, Opponent Board }

// Board is one side's checkers, in its own numbering.
type Board struct {
	// Points are the free checkers: index 0 is the own 1-point, index 23 the 24-point.
	Points              [24]uint32
	Bar, Off, Unentered uint32
	// Pinned are the own points on which an own checker is pinned, rising.
	Pinned []uint32
}

const (
	bar       = 25
	sideBytes = 32
)

// Plays are the plays of a list, out of its columns, in its order. It fails on columns that do not fit together.
func Plays(list *bgcorev1.PlayList) ([]Play, error) {
	total, count := 0, len(list.GetLengths())
	for _, length := range list.GetLengths() {
		total += int(length)
	}
	texts, full := len(list.GetTexts()) > 0, len(list.GetBoards()) > 0
	for _, column := range []struct {
		name            string
		found, expected int
		sent            bool
	}{
		{"origins", len(list.GetOrigins()), total, true},
		{"numbers", len(list.GetNumbers()), total, true},
		{"texts", len(list.GetTexts()), count, texts},
		{"hits", len(list.GetHits()), total, full},
		{"pins", len(list.GetPins()), total, full},
		{"boards", len(list.GetBoards()), count * 2 * sideBytes, full},
	} {
		if column.sent && column.found != column.expected {
			return nil, fmt.Errorf("bgcore: %s: %d, expected %d", column.name, column.found, column.expected)
		}
	}

	plays := make([]Play, count)
	steps := make([]Step, total)
	for i := range steps {
		origin, number := list.GetOrigins()[i], list.GetNumbers()[i]
		steps[i] = Step{Origin: origin, Number: number, Target: target(origin, number)}
		if full {
			steps[i].Hit, steps[i].Pin = list.GetHits()[i] == 1, list.GetPins()[i] == 1
		}
	}
	for i, length := range list.GetLengths() {
		plays[i].Steps, steps = steps[:length:length], steps[length:]
		if texts {
			plays[i].Text = list.GetTexts()[i]
		}
		if full {
			boards := list.GetBoards()[i*2*sideBytes:]
			plays[i].After = &After{board(boards[:sideBytes]), board(boards[sideBytes : 2*sideBytes])}
		}
	}
	return plays, nil
}

// target is where a step lands. A checker not yet entered (26) enters like one on the bar (25).
func target(origin, number uint32) uint32 {
	if origin = min(origin, bar); origin > number {
		return origin - number
	}
	return 0
}

func board(bytes []byte) Board {
	b := Board{Off: uint32(bytes[0]), Bar: uint32(bytes[25]), Unentered: uint32(bytes[26])}
	pinned := binary.LittleEndian.Uint32(bytes[28:])
	for i := range b.Points {
		b.Points[i] = uint32(bytes[1+i])
		if pinned>>(1+i)&1 == 1 {
			b.Pinned = append(b.Pinned, uint32(1+i))
		}
	}
	return b
}

func columns(steps []Step) *bgcorev1.PlaySteps {
	c := &bgcorev1.PlaySteps{}
	for _, step := range steps {
		c.Origins = append(c.Origins, step.Origin)
		c.Numbers = append(c.Numbers, step.Number)
	}
	return c
}
