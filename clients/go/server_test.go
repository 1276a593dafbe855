package bgcore_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// real is a client of the server whose address is in BGCORE_ADDRESS.
func real(t *testing.T) *bgcore.Client {
	t.Helper()
	address := os.Getenv("BGCORE_ADDRESS")
	if address == "" {
		t.Skip("BGCORE_ADDRESS names no server")
	}
	client, err := bgcore.Dial(address)
	must(t, err)
	t.Cleanup(func() { must(t, client.Close()) })
	return client
}

func opening(t *testing.T, client *bgcore.Client) (*bgcorev1.VariantRef, *bgcorev1.Position) {
	t.Helper()
	answer, err := client.Variants.GetVariant(t.Context(), &bgcorev1.GetVariantRequest{Id: "western"})
	must(t, err)
	position := answer.GetVariant().GetStart()
	position.OnRoll = white
	return &bgcorev1.VariantRef{Kind: &bgcorev1.VariantRef_Id{Id: "western"}}, position
}

func TestServerListsVariants(t *testing.T) {
	answer, err := real(t).Variants.ListVariants(t.Context(), &bgcorev1.ListVariantsRequest{})
	must(t, err)
	var ids []string
	for _, variant := range answer.GetVariants() {
		ids = append(ids, variant.GetId())
	}
	for _, id := range []string{"western", "tavla", "plakoto", "gul-bara"} {
		if !slices.Contains(ids, id) {
			t.Errorf("no %s in %v", id, ids)
		}
	}
}

func TestServerListsPlaysWithTextsAndBoards(t *testing.T) {
	client := real(t)
	variant, position := opening(t, client)
	answer, err := client.Rules.ListPlays(t.Context(), &bgcorev1.ListPlaysRequest{
		Variant: variant, Position: position, Dice: []uint32{3, 1}, View: bgcorev1.PlayView_PLAY_VIEW_FULL,
	})
	must(t, err)
	plays, err := bgcore.Plays(answer.GetPlays())
	must(t, err)
	point := slices.IndexFunc(plays, func(p bgcore.Play) bool { return p.Text == "8/5 6/5" })
	if len(plays) != 16 || point < 0 || plays[point].After.Mover.Points[4] != 2 {
		t.Fatalf("%+v", plays)
	}
	for _, play := range plays {
		mover := play.After.Mover
		checkers := mover.Bar + mover.Off
		for _, on := range mover.Points {
			checkers += on
		}
		if checkers != 15 {
			t.Errorf("%+v", play)
		}
	}
}

func TestServerListsInABatchWhatSingleCallsList(t *testing.T) {
	client := real(t)
	variant, position := opening(t, client)
	packed, err := bgcore.PackPosition(nil, position)
	must(t, err)
	answer, err := client.Rules.BatchListPlays(t.Context(), &bgcorev1.BatchListPlaysRequest{
		Variant: variant, Positions: append(packed, packed...), Dice: []byte{3, 1, 6, 6}, Boards: true,
	})
	must(t, err)
	batch, err := bgcore.ReadBatch(answer)
	must(t, err)
	for i, dice := range [][]uint32{{3, 1}, {6, 6}} {
		single, err := client.Rules.ListPlays(t.Context(), &bgcorev1.ListPlaysRequest{
			Variant: variant, Position: position, Dice: dice, View: bgcorev1.PlayView_PLAY_VIEW_FULL,
		})
		must(t, err)
		expected, err := bgcore.Plays(single.GetPlays())
		must(t, err)
		found := batch.Plays(i)
		if len(found) != len(expected) {
			t.Fatalf("%d plays, expected %d", len(found), len(expected))
		}
		for j, play := range found {
			if !reflect.DeepEqual(play.After, expected[j].After) || len(play.Steps) != len(expected[j].Steps) {
				t.Errorf("%+v, expected %+v", play, expected[j])
			}
		}
	}
}

func TestServerSaysWhyAPlayIsNotLegal(t *testing.T) {
	client := real(t)
	variant, position := opening(t, client)
	answer, err := client.Rules.CheckPlay(t.Context(), &bgcorev1.CheckPlayRequest{
		Variant: variant, Position: position, Dice: []uint32{5, 1},
		Play: &bgcorev1.Play{Form: &bgcorev1.Play_Text{Text: "24/19 6/5"}},
	})
	must(t, err)
	if answer.GetLegal() || answer.GetReason() != "POINT_CLOSED" || answer.FailingStep == nil {
		t.Errorf("%v", answer)
	}
}

func TestServerErrorsCarryReasonAndMetadata(t *testing.T) {
	_, err := real(t).CreateTable(t.Context(), bgcore.NewTable{Variant: "no-such-game"})
	if e := failure(t, err); e.Code != codes.NotFound || e.Reason == "" || e.Metadata["value"] != "no-such-game" {
		t.Errorf("%+v", e)
	}
}

func TestServerSeatsTwoAtABoardOfTheirOwn(t *testing.T) {
	ctx := t.Context()
	table, err := real(t).CreateTable(ctx, bgcore.NewTable{
		Variant:  "western",
		Options:  bgcore.Options{"match_length": bgcore.Int(3)},
		DiceMode: bgcorev1.DiceMode_DICE_MODE_MANUAL,
	})
	must(t, err)
	ann, err := table.Join(ctx, bgcorev1.Seat_SEAT_UNSPECIFIED, "Ann")
	must(t, err)
	bob, err := table.Join(ctx, bgcorev1.Seat_SEAT_UNSPECIFIED, "Bob")
	must(t, err)
	if ann.Side() != white || bob.Side() != black {
		t.Fatalf("%v %v", ann.Side(), bob.Side())
	}

	thrown, err := ann.Throw(ctx, 3, 1)
	must(t, err)
	if _, err = ann.Play(ctx, "24/18 24/23"); bgcore.Reason(err) != "NUMBER_NOT_ROLLED" {
		t.Errorf("%v", err)
	}
	if _, err = table.Seat(white, bob.Token()).Play(ctx, "8/5 6/5"); failure(t, err).Code != codes.PermissionDenied {
		t.Errorf("%v", err)
	}
	if _, err = ann.At(1).Play(ctx, "8/5 6/5"); !bgcore.IsStale(err) {
		t.Errorf("%v", err)
	}

	mine := ann.At(thrown.GetState().GetRevision()).With(bgcore.ActOptions{RequestID: "a-request-of-mine"})
	once, err := mine.Play(ctx, "8/5 6/5")
	must(t, err)
	again, err := mine.Play(ctx, "8/5 6/5")
	must(t, err)
	if once.GetLastRevision() != again.GetLastRevision() || once.GetLastRevision() != thrown.GetLastRevision()+1 {
		t.Errorf("%v %v", once, again)
	}

	_, err = bob.With(bgcore.ActOptions{ValidateOnly: true}).Double(ctx)
	must(t, err)
	_, err = bob.Double(ctx)
	must(t, err)
	taken, err := ann.Take(ctx)
	must(t, err)
	if cube := taken.GetState().GetGame().GetCube(); cube.GetValue() != 2 || cube.GetOwner() != white {
		t.Errorf("%v", cube)
	}
	rolled, err := bob.Roll(ctx, 6, 5)
	must(t, err)
	plays, err := bgcore.Plays(rolled.GetState().GetDecision().GetPlays())
	must(t, err)
	_, err = bob.PlaySteps(ctx, plays[0].Steps)
	must(t, err)

	_, err = ann.Resign(ctx, bgcorev1.Level_LEVEL_SINGLE)
	must(t, err)
	if state := state(t, table); state.GetGame().GetPhase() == bgcorev1.Phase_PHASE_ANSWER_RESIGNATION {
		_, err = bob.AnswerResignation(ctx, true)
		must(t, err)
	}
	if match := state(t, table).GetMatch(); match.GetBlackScore() != 2 {
		t.Errorf("%v", match)
	}
	_, err = ann.NextGame(ctx)
	must(t, err)

	var listed, watched []uint32
	for event, err := range table.Events(ctx, bgcore.EventsOptions{}) {
		must(t, err)
		if listed = append(listed, event.GetRevision()); int(event.GetRevision()) != len(listed) {
			t.Fatalf("%v", listed)
		}
	}
	for u, err := range table.Watch(ctx, bgcore.WatchOptions{After: proto.Uint32(0)}) {
		must(t, err)
		if watched = append(watched, u.Revision); len(watched) == len(listed) {
			break
		}
	}
	if !slices.Equal(listed, watched) {
		t.Errorf("%v, watched %v", listed, watched)
	}
}

func TestServerLetsAPlayerCheckCommittedDice(t *testing.T) {
	ctx := t.Context()
	client := real(t)
	table, err := client.CreateTable(ctx, bgcore.NewTable{
		Variant:  "western",
		Preset:   "tournament",
		DiceMode: bgcorev1.DiceMode_DICE_MODE_COMMITTED,
	})
	must(t, err)
	ann, err := table.Join(ctx, white, "Ann")
	must(t, err)
	bob, err := table.JoinWith(ctx, bgcore.JoinOptions{Side: black, DiceSeed: "Bob's own"})
	must(t, err)
	_, err = ann.Throw(ctx)
	must(t, err)
	if _, err = table.VerifyDice(ctx); failure(t, err).Code != codes.FailedPrecondition {
		t.Errorf("%v", err)
	}
	_, err = bob.ResignMatch(ctx)
	must(t, err)
	answer, err := table.VerifyDice(ctx)
	must(t, err)
	if !answer.GetLegal() || answer.GetDice().GetBlackSeed() != "Bob's own" || len(answer.GetThrows()) == 0 {
		t.Errorf("%v", answer)
	}
	for _, seat := range []*bgcore.Seat{ann, bob} {
		faults, err := bgcore.CheckDice(answer.GetDice(), table.Events(ctx, bgcore.EventsOptions{}), seat)
		if must(t, err); len(faults) > 0 {
			t.Errorf("%v", faults)
		}
	}

	record, err := table.Export(ctx, bgcorev1.MatchFormat_MATCH_FORMAT_RECORD)
	must(t, err)
	replayed, err := client.Rules.ReplayMatch(ctx, &bgcorev1.ReplayMatchRequest{Text: record.GetText()})
	must(t, err)
	if match := replayed.GetMatches()[0]; match.GetWinner() != white || len(match.GetFaults()) > 0 {
		t.Errorf("%v", match)
	}
}

func TestServerGoesOnFromARecord(t *testing.T) {
	ctx := t.Context()
	client := real(t)
	first, err := client.CreateTable(ctx, bgcore.NewTable{
		Variant: "tavla", Preset: "jpgames", DiceMode: bgcorev1.DiceMode_DICE_MODE_MANUAL,
	})
	must(t, err)
	ann, err := first.Join(ctx, white, "Ann")
	must(t, err)
	_, err = first.Join(ctx, black, "Bob")
	must(t, err)
	_, err = ann.Throw(ctx, 3, 1)
	must(t, err)
	record, err := first.Export(ctx, bgcorev1.MatchFormat_MATCH_FORMAT_UNSPECIFIED)
	must(t, err)
	second, err := client.CreateTable(ctx, bgcore.NewTable{
		Record: record.GetText(), DiceMode: bgcorev1.DiceMode_DICE_MODE_MANUAL,
	})
	must(t, err)
	if old, now := state(t, first), state(t, second); !proto.Equal(old.GetGame(), now.GetGame()) {
		t.Errorf("%v, now %v", old, now)
	}
}

func state(t *testing.T, table *bgcore.Table) *bgcorev1.TableState {
	t.Helper()
	answer, err := table.Get(t.Context())
	must(t, err)
	return answer.GetState()
}

func TestServerKeepsAPrivateTableToThoseWhoWereInvited(t *testing.T) {
	ctx, client := t.Context(), real(t)
	table, err := client.CreateTable(ctx, bgcore.NewTable{
		Variant: "western", DiceMode: bgcorev1.DiceMode_DICE_MODE_MANUAL,
		Visibility: bgcorev1.Visibility_VISIBILITY_PRIVATE,
	})
	must(t, err)
	stranger, secrets := client.Table(table.ID()), table.Secrets()
	if _, err := stranger.Get(ctx); failure(t, err).Code != codes.NotFound {
		t.Errorf("%v", err)
	}
	onlooker := stranger.WithToken(secrets.Spectator)
	if _, err := onlooker.Join(ctx, white, "Zoe"); failure(t, err).Code != codes.PermissionDenied {
		t.Errorf("%v", err)
	}
	ann, err := stranger.WithToken(secrets.Invitation).Join(ctx, white, "Ann")
	must(t, err)
	must(t, ann.Leave(ctx))
	if err := ann.Leave(ctx); failure(t, err).Code != codes.NotFound { // her token opens nothing any more
		t.Errorf("%v", err)
	}
	zoe, err := table.Join(ctx, white, "Zoe")
	must(t, err)
	_, err = table.Kick(ctx, zoe.Side())
	must(t, err)
	ann, err = table.Join(ctx, white, "Ann")
	must(t, err)
	bob, err := table.Join(ctx, black, "Bob")
	must(t, err)

	thrown, err := ann.Throw(ctx, 3, 1)
	must(t, err)
	_, err = ann.Play(ctx, "8/5 6/5")
	must(t, err)
	asked, err := ann.Undo(ctx)
	must(t, err)
	if !bob.May(asked.GetState(), bgcorev1.ActionKind_ACTION_KIND_ANSWER_UNDO) {
		t.Errorf("%v", asked)
	}
	undone, err := bob.AnswerUndo(ctx, true)
	must(t, err)
	if !proto.Equal(undone.GetState().GetGame(), thrown.GetState().GetGame()) {
		t.Errorf("%v", undone)
	}
	// Sat down again by her token alone, she may look, too.
	for choice, err := range client.Table(table.ID()).Seat(white, ann.Token()).Decisions(ctx) {
		must(t, err)
		if !choice.May(bgcorev1.ActionKind_ACTION_KIND_PLAY) {
			t.Errorf("%v", choice)
		}
		break
	}
	for _, seat := range []*bgcore.Seat{ann, bob} {
		_, err = seat.Void(ctx)
		must(t, err)
	}
	for update, err := range onlooker.Watch(ctx, bgcore.WatchOptions{}) {
		must(t, err)
		if update.State.GetClosed().GetReason() != bgcorev1.CloseReason_CLOSE_REASON_AGREED {
			t.Errorf("%v", update)
		}
		break
	}
	_, err = table.Close(ctx, "already")
	must(t, err)
}

func TestServerLetsAWatchGoOnThroughARematch(t *testing.T) {
	ctx := t.Context()
	table, err := real(t).CreateTable(ctx, bgcore.NewTable{
		Variant: "tavla", DiceMode: bgcorev1.DiceMode_DICE_MODE_COMMITTED, Black: bgcore.Bot("greedy"),
	})
	must(t, err)
	first, err := table.Join(ctx, white, "Ann")
	must(t, err)
	_, err = first.ResignMatch(ctx)
	must(t, err)
	second, answer, err := first.Rematch(ctx, bgcore.RematchOptions{
		Variant: "western", Options: bgcore.Options{"match_length": bgcore.Int(1)},
	})
	must(t, err)
	if answer.GetState().GetMatchNumber() != 2 || second.Noted().Match != 2 {
		t.Errorf("%v %+v", answer, second.Noted())
	}
	_, err = second.ResignMatch(ctx)
	must(t, err)
	last, matches, next := state(t, table).GetRevision(), []uint32(nil), uint32(1)
	for update, err := range table.Watch(ctx, bgcore.WatchOptions{After: proto.Uint32(0)}) {
		must(t, err)
		if update.Revision != next {
			t.Fatalf("%d, expected %d", update.Revision, next)
		}
		if started := update.Event.GetMatchStarted(); started != nil {
			matches = append(matches, started.GetMatchNumber())
		}
		if next++; update.Revision == last {
			break
		}
	}
	if !slices.Equal(matches, []uint32{2}) {
		t.Errorf("%v", matches)
	}
	for match, seat := range map[uint32]*bgcore.Seat{1: first, 2: second} {
		proof, err := table.VerifyMatchDice(ctx, match)
		must(t, err)
		faults, err := bgcore.CheckDice(proof.GetDice(), table.Events(ctx, bgcore.EventsOptions{}), seat)
		if must(t, err); len(faults) > 0 || !proof.GetLegal() {
			t.Errorf("match %d: %v", match, faults)
		}
		record, err := table.ExportMatch(ctx, match, bgcorev1.MatchFormat_MATCH_FORMAT_RECORD)
		must(t, err)
		if western := strings.Contains(record.GetText(), `"western"`); western != (match == 2) {
			t.Errorf("match %d: %s", match, record.GetText())
		}
	}
}
