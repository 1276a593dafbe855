package bgcore

import (
	"context"
	"crypto/rand"
	"slices"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// RematchOptions say which match is asked for. All of it may be left out.
type RematchOptions struct {
	// Variant, Spec or Rotation, with Preset and Options: other rules, as in NewTable; without, those that the other has
	// named, or those of the last match.
	Variant  string
	Spec     *bgcorev1.VariantSpec
	Rotation *bgcorev1.RotationRef
	Preset   string
	Options  Options
	// DiceSeed is what the player adds to committed dice; without, one is made of the request id, which is at random.
	DiceSeed string
}

// Rematch asks for another match when one is over, or agrees to one. It begins when both have asked for the same.
//
// The seat that it gives is the same one; at a table with committed dice it has noted another seed, and the commitment to the
// dice of that match, which the table showed before, for CheckDice. An act that is repeated after it was done finds no
// commitment from before, and notes none.
func (s *Seat) Rematch(ctx context.Context, o RematchOptions) (*Seat, *bgcorev1.ActResponse, error) {
	games := wanted{o.Variant, o.Spec, o.Preset, o.Options, o.Rotation}
	if err := games.check(); err != nil {
		return nil, nil, err
	}
	seen, err := s.table.client.Tables.GetTable(bearing(ctx, s.token), &bgcorev1.GetTableRequest{
		Table: s.table.id, View: bgcorev1.PlayView_PLAY_VIEW_NONE,
	})
	if err != nil {
		return nil, nil, err
	}
	acting := *s
	if acting.options.RequestID == "" {
		acting.options.RequestID = rand.Text()
	}
	if o.DiceSeed == "" && seen.GetTable().GetDiceMode() == bgcorev1.DiceMode_DICE_MODE_COMMITTED {
		o.DiceSeed = seedOf(acting.options.RequestID)
	}
	action := &bgcorev1.RematchAction{DiceSeed: o.DiceSeed}
	if !games.none() {
		action.Variant, action.Rotation = games.ref(), games.games()
	}
	answer, err := acting.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Rematch{Rematch: action}})
	if err != nil {
		return nil, nil, err
	}
	if s.options.ValidateOnly {
		return s, answer, nil
	}
	noted := DiceNote{Seed: o.DiceSeed, Match: answer.GetState().GetMatchNumber()}
	if answer.GetFirstRevision() > seen.GetState().GetRevision() {
		noted.Commitment = seen.GetState().GetNextCommitment()
	}
	begun := func(event *bgcorev1.Event) bool { return event.GetMatchStarted() != nil }
	if !slices.ContainsFunc(answer.GetEvents(), begun) {
		noted.Match++
	}
	return s.WithNote(noted), answer, nil
}
