package bgcore_test

import (
	"errors"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

func houseRules() *bgcorev1.VariantSpec {
	return bgcore.House("western", bgcore.HouseRules{
		Title: "Kitchen table",
		Axes:  bgcore.Options{"bear_off": bgcore.Word("exact"), "cube": bgcore.Flag(false)},
		Start: map[uint32]uint32{24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
	})
}

// playToTheEnd plays whatever the server lists for a seat, and gives the places of the games that were on in a rotation.
func playToTheEnd(t *testing.T, me *bgcore.Seat) map[uint32]bool {
	t.Helper()
	ctx, seen := t.Context(), map[uint32]bool{}
	for choice, err := range me.Decisions(ctx) {
		must(t, err)
		seat := choice.Seat
		seen[choice.State.GetMatch().GetRotationIndex()] = true
		switch {
		case choice.May(bgcorev1.ActionKind_ACTION_KIND_THROW):
			_, err = seat.Throw(ctx)
		case choice.May(bgcorev1.ActionKind_ACTION_KIND_NEXT_GAME):
			_, err = seat.NextGame(ctx)
		case choice.May(bgcorev1.ActionKind_ACTION_KIND_ROLL):
			_, err = seat.Roll(ctx)
		case choice.May(bgcorev1.ActionKind_ACTION_KIND_ANSWER_RESIGNATION):
			_, err = seat.AnswerResignation(ctx, true)
		case choice.May(bgcorev1.ActionKind_ACTION_KIND_NAME_DOUBLE):
			_, err = seat.NameDouble(ctx, 6)
		default:
			plays, bad := bgcore.Plays(choice.Decision.GetPlays())
			must(t, bad)
			_, err = seat.PlaySteps(ctx, plays[0].Steps)
		}
		if err != nil && !bgcore.IsStale(err) {
			t.Fatal(err)
		}
	}
	return seen
}

func TestServerPlaysAMatchByHouseRules(t *testing.T) {
	client, ctx := real(t), t.Context()
	table, err := client.CreateTable(ctx, bgcore.NewTable{
		Spec:    houseRules(),
		Options: bgcore.Options{"match_length": bgcore.Int(2)},
		Black:   bgcore.Bot("greedy"),
	})
	must(t, err)
	me, err := table.Join(ctx, white, "Ann")
	must(t, err)
	playToTheEnd(t, me)
	answer, err := table.Get(ctx)
	must(t, err)
	if answer.GetState().GetMatch().GetWinner() == bgcorev1.Seat_SEAT_UNSPECIFIED {
		t.Error("nobody has won")
	}
	spec := answer.GetTable().GetVariant().GetSpec()
	if spec.GetTitle() != "Kitchen table" || spec.GetStart().GetPoints()[23] != 2 || spec.GetId() == "" {
		t.Errorf("told back as %v", spec)
	}
	exported, err := table.Export(ctx, bgcorev1.MatchFormat_MATCH_FORMAT_RECORD)
	must(t, err)
	replayed, err := client.Rules.ReplayMatch(ctx, &bgcorev1.ReplayMatchRequest{Text: exported.GetText()})
	must(t, err)
	match := replayed.GetMatches()[0]
	if len(match.GetFaults()) > 0 || match.GetWinner() != answer.GetState().GetMatch().GetWinner() {
		t.Errorf("replayed: %v", match.GetFaults())
	}
}

func TestServerPlaysGamesThatChange(t *testing.T) {
	client, ctx := real(t), t.Context()
	mine := bgcore.RotationOf(
		bgcore.VariantOf(houseRules(), "", nil), bgcore.Variant("acey-deucey", "", nil), bgcore.Variant("tavla", "", nil),
	)
	for name, rotation := range map[string]*bgcorev1.RotationRef{"mine": mine, "tavli": bgcore.Rotation("tavli")} {
		t.Run(name, func(t *testing.T) {
			table, err := client.CreateTable(ctx, bgcore.NewTable{
				Rotation: rotation,
				Options:  bgcore.Options{"match_length": bgcore.Int(5)},
				Black:    bgcore.Bot("greedy"),
			})
			must(t, err)
			me, err := table.Join(ctx, white, "Ann")
			must(t, err)
			seen := playToTheEnd(t, me)
			answer, err := table.Get(ctx)
			must(t, err)
			match := answer.GetState().GetMatch()
			if len(seen) < 2 || match.GetWinner() == bgcorev1.Seat_SEAT_UNSPECIFIED {
				t.Errorf("%d games: %v", len(seen), match)
			}
			exported, err := table.Export(ctx, bgcorev1.MatchFormat_MATCH_FORMAT_RECORD)
			must(t, err)
			replayed, err := client.Rules.ReplayMatch(ctx, &bgcorev1.ReplayMatchRequest{Text: exported.GetText()})
			must(t, err)
			if told := replayed.GetMatches()[0]; len(told.GetFaults()) > 0 || told.GetWinner() != match.GetWinner() {
				t.Errorf("replayed: %v", told.GetFaults())
			}
		})
	}
}

func TestServerNamesEveryFaultOfHouseRules(t *testing.T) {
	spec := houseRules()
	spec.Id = "tavla"
	spec.Axes = bgcore.Options{"contcat": bgcore.Word("pin"), "gammon_value": bgcore.Int(9)}
	spec.Start.Points = map[uint32]uint32{24: 20, 30: 1}
	_, err := real(t).CreateTable(t.Context(), bgcore.NewTable{Spec: spec})
	var refused *bgcore.Error
	if !errors.As(err, &refused) || refused.Code != codes.InvalidArgument {
		t.Fatal(err)
	}
	var fields []string
	for _, violation := range refused.Violations() {
		fields = append(fields, violation.Subject)
		if violation.Description == "" {
			t.Errorf("%s: no words", violation.Subject)
		}
	}
	slices.Sort(fields)
	want := []string{
		`variant.spec.axes["contcat"]`, `variant.spec.axes["gammon_value"]`, "variant.spec.id",
		"variant.spec.start", "variant.spec.start.points[30]",
	}
	if !slices.Equal(fields, want) {
		t.Errorf("%q", fields)
	}
}
