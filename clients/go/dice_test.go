package bgcore_test

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

const commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"

// secret is the server seed of the example in docs/dice.md.
func secret() []byte {
	seed := make([]byte, 32)
	for i := range seed {
		seed[i] = byte(i)
	}
	return seed
}

// revealed is the proof of that example.
func revealed() *bgcorev1.DiceProof {
	return &bgcorev1.DiceProof{
		Scheme: "bgcore-dice-1", Commitment: commitment,
		WhiteSeed: "ann's own", BlackSeed: "Zoë ⚅", ServerSeed: hex.EncodeToString(secret()),
	}
}

// thrown is a table's events with such dice; one throw may be changed.
func thrown(changed int) iter.Seq2[*bgcorev1.Event, error] {
	return func(yield func(*bgcorev1.Event, error) bool) {
		for number := range 60 {
			dice := bgcore.Derive(secret(), "ann's own", "Zoë ⚅", number, 2)
			if number == changed {
				dice[0] = dice[0]%6 + 1
			}
			action := &bgcorev1.Action{Kind: &bgcorev1.Action_Roll{Roll: &bgcorev1.RollAction{Dice: dice}}}
			if number == 0 {
				action = &bgcorev1.Action{Kind: &bgcorev1.Action_Throw{Throw: &bgcorev1.ThrowAction{Dice: dice}}}
			}
			rolled := &bgcorev1.Event{Revision: uint32(2*number + 3), Kind: &bgcorev1.Event_Action{Action: action}}
			played := &bgcorev1.Event{Revision: uint32(2*number + 4)}
			if !yield(rolled, nil) || !yield(played, nil) {
				return
			}
		}
	}
}

func reasons(faults []*bgcorev1.DiceFault) (found []string) {
	for _, fault := range faults {
		found = append(found, fmt.Sprint(fault.GetReason(), " ", fault.GetRevision()))
	}
	return found
}

func TestEveryVectorOfTheDiceGivesItsNumbers(t *testing.T) {
	file, err := os.Open("../../tests/data/vectors/committed-dice.jsonl")
	must(t, err)
	defer file.Close()
	lines, count := bufio.NewScanner(file), 0
	for ; lines.Scan(); count++ {
		var vector struct {
			ServerSeed  string `json:"server_seed"`
			Seeds       [2]string
			Throw, Dice int
			Numbers     []uint32
		}
		must(t, json.Unmarshal(lines.Bytes(), &vector))
		seed, err := hex.DecodeString(vector.ServerSeed)
		must(t, err)
		numbers := bgcore.Derive(seed, vector.Seeds[0], vector.Seeds[1], vector.Throw, vector.Dice)
		if !slices.Equal(numbers, vector.Numbers) {
			t.Errorf("%v for %s", numbers, lines.Text())
		}
	}
	if must(t, lines.Err()); count < 10 {
		t.Errorf("%d vectors", count)
	}
}

func TestCheckedDiceHaveNoFaultUntilAThrowIsChanged(t *testing.T) {
	for changed, expected := range map[int][]string{-1: nil, 0: {"THROW_NOT_DERIVED 3"}, 59: {"THROW_NOT_DERIVED 121"}} {
		faults, err := bgcore.CheckDice(revealed(), thrown(changed), nil)
		if must(t, err); !slices.Equal(reasons(faults), expected) {
			t.Errorf("%v", faults)
		}
	}
}

func TestWhatARecordToldBeforeAnybodySatDownIsNoneOfTheTablesDice(t *testing.T) {
	joined := &bgcorev1.Event{Kind: &bgcorev1.Event_SeatTaken{SeatTaken: &bgcorev1.SeatTaken{}}}
	events := func(yield func(*bgcorev1.Event, error) bool) {
		for event := range thrown(1) {
			yield(event, nil)
		}
		yield(joined, nil)
		for event := range thrown(59) {
			if event.GetRevision() == 21 {
				yield(joined, nil) // behind the second player nothing can hide
			}
			yield(event, nil)
		}
	}
	faults, err := bgcore.CheckDice(revealed(), events, nil)
	if must(t, err); !slices.Equal(reasons(faults), []string{"THROW_NOT_DERIVED 121"}) {
		t.Errorf("%v", faults)
	}
}

func TestWhatDoesNotHoldOfTheProofIsTold(t *testing.T) {
	s := &server{
		get: func(context.Context, *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error) {
			return &bgcorev1.GetTableResponse{
				Table: &bgcorev1.Table{DiceMode: bgcorev1.DiceMode_DICE_MODE_COMMITTED},
				State: &bgcorev1.TableState{Dice: &bgcorev1.DiceProof{Commitment: commitment}},
			}, nil
		},
		join: func(*bgcorev1.JoinTableRequest) (*bgcorev1.JoinTableResponse, error) {
			return &bgcorev1.JoinTableResponse{Seat: black}, nil
		},
	}
	zoe, err := s.client(t).Table("t").JoinWith(t.Context(), bgcore.JoinOptions{DiceSeed: "Zoë ⚅"})
	must(t, err)
	other := strings.Repeat("00", 32)
	of := "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925" // its SHA-256
	for expected, change := range map[string]func(*bgcorev1.DiceProof){
		"":                     func(*bgcorev1.DiceProof) {},
		"COMMITMENT_BROKEN 0":  func(p *bgcorev1.DiceProof) { p.ServerSeed = other },
		"COMMITMENT_CHANGED 0": func(p *bgcorev1.DiceProof) { p.ServerSeed, p.Commitment = other, of },
		"DICE_SEED_CHANGED 0":  func(p *bgcorev1.DiceProof) { p.BlackSeed = "another" },
		"DICE_SEED_MISSING 0":  func(p *bgcorev1.DiceProof) { p.WhiteSeed = "" },
		"SERVER_SEED_SECRET 0": func(p *bgcorev1.DiceProof) { p.ServerSeed = "" },
		"SCHEME_UNKNOWN 0":     func(p *bgcorev1.DiceProof) { p.Scheme = "bgcore-dice-2" },
	} {
		proof := proto.CloneOf(revealed())
		change(proof)
		nothing := func(func(*bgcorev1.Event, error) bool) {}
		faults, err := bgcore.CheckDice(proof, nothing, zoe)
		if must(t, err); strings.Join(reasons(faults), ", ") != expected {
			t.Errorf("%v, expected %q", faults, expected)
		}
	}
}

func TestEventsThatCannotBeHadAreAnError(t *testing.T) {
	broken := func(yield func(*bgcorev1.Event, error) bool) { yield(nil, errors.New("gone")) }
	if _, err := bgcore.CheckDice(revealed(), broken, nil); err == nil {
		t.Error("no error")
	}
}

// inTheSecondMatch are the events of a table whose first match had other throws.
func inTheSecondMatch() iter.Seq2[*bgcorev1.Event, error] {
	return func(yield func(*bgcorev1.Event, error) bool) {
		for event := range thrown(0) { // its first throw is wrong
			if !yield(event, nil) {
				return
			}
		}
		started := &bgcorev1.MatchStarted{MatchNumber: 2}
		if !yield(&bgcorev1.Event{Kind: &bgcorev1.Event_MatchStarted{MatchStarted: started}}, nil) {
			return
		}
		for event := range thrown(-1) {
			if !yield(event, nil) {
				return
			}
		}
	}
}

func TestEachMatchOfATableIsCheckedByItsNote(t *testing.T) {
	var s server
	table := s.client(t).Table("t")
	for match, expected := range map[uint32]int{0: 1, 1: 1, 2: 0, 3: 0} {
		seat := table.Seat(black, "x").WithNote(bgcore.DiceNote{Seed: "Zoë ⚅", Commitment: commitment, Match: match})
		faults, err := bgcore.CheckDice(revealed(), inTheSecondMatch(), seat)
		if must(t, err); len(faults) != expected {
			t.Errorf("match %d: %v", match, faults)
		}
		if match == 0 {
			continue
		}
		faults, err = bgcore.CheckDice(revealed(), bgcore.MatchEvents(inTheSecondMatch(), match), nil)
		if must(t, err); len(faults) != expected {
			t.Errorf("match %d alone: %v", match, faults)
		}
	}
	faults, err := bgcore.CheckDice(revealed(), inTheSecondMatch(), nil)
	if must(t, err); len(faults) > 0 {
		t.Errorf("the last match: %v", faults)
	}
}
