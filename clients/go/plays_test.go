package bgcore_test

import (
	"reflect"
	"strings"
	"testing"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

func TestColumnsBecomePlays(t *testing.T) {
	found, err := bgcore.Plays(&bgcorev1.PlayList{
		Lengths: []uint32{2, 0, 3},
		Origins: []uint32{8, 6, 25, 26, 2},
		Numbers: []uint32{3, 1, 4, 4, 6},
	})
	must(t, err)
	expected := []bgcore.Play{
		{Steps: []bgcore.Step{{Origin: 8, Number: 3, Target: 5}, {Origin: 6, Number: 1, Target: 5}}},
		{Steps: []bgcore.Step{}},
		{Steps: []bgcore.Step{
			{Origin: 25, Number: 4, Target: 21}, {Origin: 26, Number: 4, Target: 21}, {Origin: 2, Number: 6, Target: 0},
		}},
	}
	if !reflect.DeepEqual(found, expected) {
		t.Errorf("%v", found)
	}
}

func TestTextsHitsPinsAndBoardsComeWithTheirPlay(t *testing.T) {
	boards := make([]byte, 128)
	boards[64+0] = 2     // off
	boards[64+24] = 13   // on the 24-point
	boards[64+32+25] = 1 // the opponent's bar
	boards[64+32+26] = 3 // not yet entered
	boards[64+32+30] = 2 // bit 17
	found, err := bgcore.Plays(&bgcorev1.PlayList{
		Lengths: []uint32{0, 1}, Origins: []uint32{6}, Numbers: []uint32{5},
		Texts: []string{"", "6/1*"}, Hits: []uint32{1}, Pins: []uint32{0}, Boards: boards,
	})
	must(t, err)
	play := found[1]
	if play.Text != "6/1*" || !play.Steps[0].Hit || play.Steps[0].Pin {
		t.Errorf("%+v", play)
	}
	if mover := play.After.Mover; mover.Off != 2 || mover.Points[23] != 13 {
		t.Errorf("%+v", mover)
	}
	if !reflect.DeepEqual(play.After.Opponent, bgcore.Board{Bar: 1, Unentered: 3, Pinned: []uint32{17}}) {
		t.Errorf("%+v", play.After.Opponent)
	}
}

func TestColumnsThatDoNotFitTogetherAreRefused(t *testing.T) {
	for expected, list := range map[string]*bgcorev1.PlayList{
		"origins: 1, expected 2":  {Lengths: []uint32{2}, Origins: []uint32{8}, Numbers: []uint32{3}},
		"numbers: 0, expected 1":  {Lengths: []uint32{1}, Origins: []uint32{8}},
		"texts: 1, expected 2":    {Lengths: []uint32{0, 0}, Texts: []string{""}},
		"boards: 63, expected 64": {Lengths: []uint32{0}, Boards: make([]byte, 63)},
		"hits: 0, expected 1": {
			Lengths: []uint32{1}, Origins: []uint32{8}, Numbers: []uint32{3}, Boards: make([]byte, 64),
		},
	} {
		if _, err := bgcore.Plays(list); err == nil || !strings.Contains(err.Error(), expected) {
			t.Errorf("%v, expected %s", err, expected)
		}
	}
}
