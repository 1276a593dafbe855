package bgcore

import (
	"encoding/binary"
	"fmt"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

const playBytes = 4

// PackPosition appends the 64 bytes of a position to those that BatchListPlays takes, the side on roll first. It fails on
// what has no such bytes; whether the position is legal is for the server to say.
func PackPosition(packed []byte, position *bgcorev1.Position) ([]byte, error) {
	mover, opponent := position.GetWhite(), position.GetBlack()
	switch position.GetOnRoll() {
	case bgcorev1.Seat_SEAT_WHITE:
	case bgcorev1.Seat_SEAT_BLACK:
		mover, opponent = opponent, mover
	default:
		return packed, fmt.Errorf("bgcore: on_roll: %v, expected white or black", position.GetOnRoll())
	}
	var bytes [2 * sideBytes]byte
	for i, side := range []*bgcorev1.Side{mover, opponent} {
		if err := packSide(bytes[i*sideBytes:(i+1)*sideBytes], side); err != nil {
			return packed, err
		}
	}
	return append(packed, bytes[:]...), nil
}

func packSide(bytes []byte, side *bgcorev1.Side) error {
	points := side.GetPoints()
	if len(points) != 0 && len(points) != 24 {
		return fmt.Errorf("bgcore: points: %d, expected 24 or none", len(points))
	}
	counts := [27]uint32{0: side.GetOff(), bar: side.GetBar(), bar + 1: side.GetUnentered()}
	copy(counts[1:bar], points)
	for place, count := range counts {
		if count > 255 {
			return fmt.Errorf("bgcore: %d checkers, expected 0 to 255", count)
		}
		bytes[place] = byte(count)
	}
	var pins uint32
	for _, point := range side.GetPinned() {
		if point < 1 || point > 24 || pins>>point&1 == 1 {
			return fmt.Errorf("bgcore: pinned point %d, expected each of 1 to 24 at most once", point)
		}
		pins |= 1 << point
	}
	binary.LittleEndian.PutUint32(bytes[28:], pins)
	return nil
}

// Batch is an answer to BatchListPlays, decoded where somebody looks.
type Batch struct {
	answer *bgcorev1.BatchListPlaysResponse
}

// ReadBatch checks that the columns of an answer fit together.
func ReadBatch(answer *bgcorev1.BatchListPlaysResponse) (Batch, error) {
	offsets, boards, count := answer.GetOffsets(), len(answer.GetBoards()), len(answer.GetNumbersUsed())
	if len(offsets) != count+1 {
		return Batch{}, fmt.Errorf("bgcore: offsets: %d, expected %d", len(offsets), count+1)
	}
	before := uint32(0)
	for i, offset := range offsets {
		if offset < before || i == 0 && offset != 0 {
			return Batch{}, fmt.Errorf("bgcore: offsets: %d after %d, expected them to rise from 0", offset, before)
		}
		before = offset
	}
	if found, total := len(answer.GetPlays()), int(before)*playBytes; found != total {
		return Batch{}, fmt.Errorf("bgcore: plays: %d, expected %d", found, total)
	}
	if total := int(before) * 2 * sideBytes; boards != 0 && boards != total {
		return Batch{}, fmt.Errorf("bgcore: boards: %d, expected %d", boards, total)
	}
	return Batch{answer}, nil
}

// Len is the number of positions.
func (b Batch) Len() int { return len(b.answer.GetNumbersUsed()) }

// NumbersUsed is how many numbers the plays of a position use; 0 when nothing can be played.
func (b Batch) NumbersUsed(i int) int { return int(b.answer.GetNumbersUsed()[i]) }

// Plays are the plays of a position; none when nothing can be played. Boards come with them if they were asked for.
func (b Batch) Plays(i int) []Play {
	start, end := int(b.answer.GetOffsets()[i]), int(b.answer.GetOffsets()[i+1])
	plays := make([]Play, 0, end-start)
	for at := start; at < end; at++ {
		play := Play{Steps: make([]Step, 0, playBytes)}
		for _, code := range b.answer.GetPlays()[at*playBytes : (at+1)*playBytes] {
			if code != 0 {
				origin, number := uint32(code>>3), uint32(code&7)
				play.Steps = append(play.Steps, Step{Origin: origin, Number: number, Target: target(origin, number)})
			}
		}
		if boards := b.answer.GetBoards(); len(boards) > 0 {
			boards = boards[at*2*sideBytes:]
			play.After = &After{board(boards[:sideBytes]), board(boards[sideBytes : 2*sideBytes])}
		}
		plays = append(plays, play)
	}
	return plays
}
