package bgcore_test

import (
	"reflect"
	"testing"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

func TestThePositionOnRollIsPackedFirst(t *testing.T) {
	points := make([]uint32, 24)
	points[23] = 2
	packed, err := bgcore.PackPosition([]byte{9}, &bgcorev1.Position{
		White:  &bgcorev1.Side{Off: 12, Pinned: []uint32{17}},
		Black:  &bgcorev1.Side{Points: points, Bar: 1, Unentered: 3},
		OnRoll: bgcorev1.Seat_SEAT_BLACK,
	})
	must(t, err)
	expected := make([]byte, 65)
	expected[0] = 9
	expected[1+24], expected[1+25], expected[1+26] = 2, 1, 3
	expected[33+0], expected[33+30] = 12, 2 // bit 17
	if !reflect.DeepEqual(packed, expected) {
		t.Errorf("%v", packed)
	}
}

func TestWhatHasNoBytesIsRefused(t *testing.T) {
	for _, side := range []*bgcorev1.Side{
		{Points: []uint32{1}}, {Bar: 256}, {Pinned: []uint32{25}}, {Pinned: []uint32{3, 3}},
	} {
		if _, err := bgcore.PackPosition(nil, &bgcorev1.Position{White: side, OnRoll: bgcorev1.Seat_SEAT_WHITE}); err == nil {
			t.Errorf("%v is taken", side)
		}
	}
	if _, err := bgcore.PackPosition(nil, &bgcorev1.Position{}); err == nil {
		t.Error("nobody on roll is taken")
	}
}

func TestABatchIsReadByPosition(t *testing.T) {
	boards := make([]byte, 128)
	boards[64+32+25] = 1
	batch, err := bgcore.ReadBatch(&bgcorev1.BatchListPlaysResponse{
		Plays:       []byte{8<<3 | 3, 6<<3 | 1, 0, 0, 26<<3 | 5, 0, 0, 0},
		Offsets:     []uint32{0, 1, 1, 2},
		NumbersUsed: []byte{2, 0, 1},
		Boards:      boards,
	})
	must(t, err)
	if batch.Len() != 3 || batch.NumbersUsed(0) != 2 || len(batch.Plays(1)) != 0 {
		t.Errorf("%v", batch)
	}
	steps := []bgcore.Step{{Origin: 8, Number: 3, Target: 5}, {Origin: 6, Number: 1, Target: 5}}
	if found := batch.Plays(0); len(found) != 1 || !reflect.DeepEqual(found[0].Steps, steps) {
		t.Errorf("%v", found)
	}
	if last := batch.Plays(2)[0]; last.Steps[0].Target != 20 || last.After.Opponent.Bar != 1 {
		t.Errorf("%v", last)
	}
}

func TestABatchOfColumnsThatDoNotFitIsRefused(t *testing.T) {
	for _, answer := range []*bgcorev1.BatchListPlaysResponse{
		{},
		{Offsets: []uint32{0, 1}, NumbersUsed: []byte{1}},
		{Offsets: []uint32{1, 1}, NumbersUsed: []byte{1}, Plays: make([]byte, 4)},
		{Offsets: []uint32{0, 2, 1}, NumbersUsed: []byte{1, 1}, Plays: make([]byte, 4)},
		{Offsets: []uint32{0, 1}, NumbersUsed: []byte{1}, Plays: make([]byte, 4), Boards: make([]byte, 65)},
	} {
		if _, err := bgcore.ReadBatch(answer); err == nil {
			t.Errorf("%v is taken", answer)
		}
	}
}
