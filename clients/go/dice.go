package bgcore

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

const (
	diceScheme      = "bgcore-dice-1"
	serverSeedBytes = 32
	faces           = 6
	fairBytes       = 252 // bytes below it give each number equally often; the others are skipped
)

// Derive is the throw of so many dice with a number, the first is 0, at a table with committed dice (docs/dice.md).
func Derive(serverSeed []byte, whiteSeed, blackSeed string, number, dice int) []uint32 {
	derived := make([]uint32, 0, dice)
	for block := 0; ; block++ {
		mac := hmac.New(sha256.New, serverSeed)
		fmt.Fprintf(mac, "%s:%x:%x:%d:%d:%d", diceScheme, whiteSeed, blackSeed, number, dice, block)
		for _, b := range mac.Sum(nil) {
			if len(derived) == dice {
				return derived
			}
			if b < fairBytes {
				derived = append(derived, uint32(b%faces)+1)
			}
		}
	}
}

// CheckDice is everything that does not hold of the committed dice of a match; nothing, if every throw follows from the seeds.
// It believes nothing that the server says of that.
//
// Events are all of the table, such as Table.Events gives them; what fell before the first player sat down was told by a
// record that the table was made from, and is none of its own. Seat is the player's own, with what Join, or Rematch, noted
// of the match: with nil nobody knows whether the commitment and the seed are those from before play. The match is that of
// the note, or with nil the last there (MatchEvents cuts out another); the proof must be of the same one. An error is that of
// the events.
func CheckDice(
	proof *bgcorev1.DiceProof, events iter.Seq2[*bgcorev1.Event, error], seat *Seat,
) ([]*bgcorev1.DiceFault, error) {
	faults := proofFaults(proof, seat)
	before := len(faults)
	secret := serverSeed(proof)
	if secret == nil || proof.GetWhiteSeed() == "" || proof.GetBlackSeed() == "" {
		return faults, nil
	}
	number, seated, match, wanted := 0, false, uint32(1), uint32(0)
	if seat != nil {
		wanted = max(seat.noted.Match, 1)
	}
	for event, err := range events {
		if err != nil {
			return nil, err
		}
		if started := event.GetMatchStarted(); started != nil {
			if match == wanted {
				break
			}
			number, match, faults = 0, started.GetMatchNumber(), faults[:before]
		}
		if event.GetSeatTaken() != nil && !seated {
			number, seated, faults = 0, true, faults[:before]
		}
		thrown := event.GetAction().GetThrow().GetDice()
		if thrown == nil {
			thrown = event.GetAction().GetRoll().GetDice()
		}
		if len(thrown) == 0 {
			continue
		}
		derived := Derive(secret, proof.GetWhiteSeed(), proof.GetBlackSeed(), number, len(thrown))
		if !slices.Equal(thrown, derived) {
			what := fmt.Sprintf("throw %d (the first is 0)", number)
			found := fault("THROW_NOT_DERIVED", what, shown(thrown), shown(derived)+", which the seeds give")
			found.Revision = event.GetRevision()
			faults = append(faults, found)
		}
		number++
	}
	if wanted != 0 && match != wanted {
		faults = faults[:before] // of a match that has not begun
	}
	return faults, nil
}

// MatchEvents are those of the match with a number, 1 the first, among a table's events.
func MatchEvents(events iter.Seq2[*bgcorev1.Event, error], match uint32) iter.Seq2[*bgcorev1.Event, error] {
	return func(yield func(*bgcorev1.Event, error) bool) {
		now := uint32(1)
		for event, err := range events {
			if started := event.GetMatchStarted(); started != nil {
				now = started.GetMatchNumber()
			}
			if now > match || (err != nil || now == match) && !yield(event, err) {
				return
			}
		}
	}
}

// proofFaults are what does not hold before any throw is looked at.
func proofFaults(proof *bgcorev1.DiceProof, seat *Seat) (faults []*bgcorev1.DiceFault) {
	add := func(reason, what, value, expected string) {
		faults = append(faults, fault(reason, what, value, expected))
	}
	if proof.GetScheme() != diceScheme {
		add("SCHEME_UNKNOWN", "scheme", proof.GetScheme(), diceScheme)
	}
	if proof.GetWhiteSeed() == "" {
		add("DICE_SEED_MISSING", "white_seed", "", "the seed that the player gave")
	}
	if proof.GetBlackSeed() == "" {
		add("DICE_SEED_MISSING", "black_seed", "", "the seed that the player gave")
	}
	if secret := serverSeed(proof); secret == nil {
		add("SERVER_SEED_SECRET", "server_seed", proof.GetServerSeed(), "64 hex digits, revealed when the match is over")
	} else if sum := sha256.Sum256(secret); hex.EncodeToString(sum[:]) != proof.GetCommitment() {
		add("COMMITMENT_BROKEN", "commitment", proof.GetCommitment(),
			hex.EncodeToString(sum[:])+", which is SHA-256 of the server seed")
	}
	if seat == nil {
		return faults
	}
	if noted := seat.noted.Commitment; proof.GetCommitment() != noted {
		add("COMMITMENT_CHANGED", "commitment", proof.GetCommitment(), noted+", which the table showed before play")
	}
	given := proof.GetWhiteSeed()
	if seat.side == bgcorev1.Seat_SEAT_BLACK {
		given = proof.GetBlackSeed()
	}
	if given != seat.noted.Seed {
		add("DICE_SEED_CHANGED", "seed", given, seat.noted.Seed+", which I gave")
	}
	return faults
}

// serverSeed is the seed if it has been revealed and is one.
func serverSeed(proof *bgcorev1.DiceProof) []byte {
	if seed, err := hex.DecodeString(proof.GetServerSeed()); err == nil && len(seed) == serverSeedBytes {
		return seed
	}
	return nil
}

// seedOf is a player's seed that follows from a request id and does not tell it.
func seedOf(requestID string) string {
	sum := sha256.Sum256([]byte("bgcore-dice-seed:" + requestID))
	return hex.EncodeToString(sum[:])
}

func shown(dice []uint32) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(dice), "[]"), " ", "-")
}

func fault(reason, what, value, expected string) *bgcorev1.DiceFault {
	found := value
	if found == "" {
		found = "missing"
	}
	return &bgcorev1.DiceFault{
		Reason: reason, Value: value, Expected: expected,
		Message: fmt.Sprintf("%s was %s: expected %s", what, found, expected),
	}
}
