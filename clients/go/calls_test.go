package bgcore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// acting is a server whose acts are answered by a function, and a seat there.
func acting(t *testing.T, answer func(context.Context, *bgcorev1.ActRequest) error) *bgcore.Seat {
	t.Helper()
	s := &server{act: func(ctx context.Context, r *bgcorev1.ActRequest) (*bgcorev1.ActResponse, error) {
		if err := answer(ctx, r); err != nil {
			return nil, err
		}
		return &bgcorev1.ActResponse{LastRevision: 6}, nil
	}}
	return s.client(t).Table("t").Seat(white, "secret")
}

func TestARefusalHasCodeReasonMessageAndMetadata(t *testing.T) {
	about := map[string]string{"step": "1", "rule": "P3", "expected": "an open point"}
	seat := acting(t, func(context.Context, *bgcorev1.ActRequest) error {
		return refusal(codes.FailedPrecondition, "POINT_CLOSED", about)
	})
	_, err := seat.Play(t.Context(), "8/5 6/5")
	e := failure(t, fmt.Errorf("wrapped: %w", err))
	if e.Code != codes.FailedPrecondition || e.Reason != "POINT_CLOSED" || !maps.Equal(e.Metadata, about) {
		t.Errorf("%+v", e)
	}
	if e.Error() != "bgcore: POINT_CLOSED: POINT_CLOSED happened" || bgcore.Reason(err) != "POINT_CLOSED" {
		t.Errorf("%v", e)
	}
	if step, known := e.Step(); step != 1 || !known {
		t.Errorf("step %d %t", step, known)
	}
	if len(status.Convert(err).Details()) != 1 || bgcore.IsStale(err) {
		t.Errorf("%+v", status.Convert(err))
	}
}

func TestAStaleActIsNotTriedAgain(t *testing.T) {
	calls := 0
	seat := acting(t, func(context.Context, *bgcorev1.ActRequest) error {
		calls++
		return refusal(codes.Aborted, "STALE_REVISION", nil)
	})
	if _, err := seat.At(3).Roll(t.Context()); !bgcore.IsStale(err) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestAnActIsRepeatedWithTheSameRequestIDWhileTheServerIsUnavailable(t *testing.T) {
	var ids []string
	seat := acting(t, func(_ context.Context, r *bgcorev1.ActRequest) error {
		ids = append(ids, r.GetRequestId())
		if len(ids) < quick.Attempts {
			return stopping()
		}
		return nil
	})
	answer, err := seat.Roll(t.Context())
	must(t, err)
	if answer.GetLastRevision() != 6 || len(ids) != quick.Attempts || len(slices.Compact(ids)) != 1 || len(ids[0]) < 16 {
		t.Errorf("%v %v", answer, ids)
	}
}

func TestPatienceEnds(t *testing.T) {
	calls := 0
	s := &server{get: func(context.Context, *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error) {
		calls++
		return nil, stopping()
	}}
	_, err := s.client(t).Table("t").Get(t.Context())
	if e := failure(t, err); e.Code != codes.Unavailable || e.Reason != "STOPPING" || calls != quick.Attempts {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestWhatWasCancelledOnTheWayIsDoneAgain(t *testing.T) {
	calls := 0
	s := &server{get: func(context.Context, *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error) {
		if calls++; calls < 3 {
			return nil, status.Error(codes.Canceled, "stream reset")
		}
		return &bgcorev1.GetTableResponse{}, nil
	}}
	_, err := s.client(t).Table("t").Get(t.Context())
	must(t, err)
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
}

func TestWhoCancelsDoesNotWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &server{get: func(context.Context, *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error) {
		cancel()
		return nil, stopping()
	}}
	_, err := s.client(t).Table("t").Get(ctx)
	if failure(t, err); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestEachActHasAnIDOfItsOwnOrTheCallers(t *testing.T) {
	ids := map[string]bool{}
	seat := acting(t, func(_ context.Context, r *bgcorev1.ActRequest) error {
		ids[r.GetRequestId()] = true
		return nil
	})
	for _, s := range []*bgcore.Seat{seat, seat, seat.With(bgcore.ActOptions{RequestID: "mine"})} {
		_, err := s.Take(t.Context())
		must(t, err)
	}
	if len(ids) != 3 || !ids["mine"] {
		t.Errorf("%v", ids)
	}
}

func TestTheCallersMessageIsLeftAlone(t *testing.T) {
	s := &server{act: func(context.Context, *bgcorev1.ActRequest) (*bgcorev1.ActResponse, error) {
		return &bgcorev1.ActResponse{}, nil
	}}
	request := &bgcorev1.ActRequest{Table: "t"}
	_, err := s.client(t).Tables.Act(t.Context(), request)
	must(t, err)
	if request.GetRequestId() != "" {
		t.Errorf("%v", request)
	}
}

func TestASeatSendsItsTokenItsSideAndTheRevisionItHasSeen(t *testing.T) {
	var seen []string
	seat := acting(t, func(ctx context.Context, r *bgcorev1.ActRequest) error {
		sent, _ := metadata.FromIncomingContext(ctx)
		revision := "any"
		if r.ExpectedRevision != nil {
			revision = fmt.Sprint(r.GetExpectedRevision())
		}
		seen = append(seen, fmt.Sprintf("%s %s %s %s %t",
			sent.Get("authorization"), r.GetTable(), r.GetSeat(), revision, r.GetValidateOnly()))
		return nil
	})
	_, err := seat.Double(t.Context())
	must(t, err)
	_, err = seat.At(0).With(bgcore.ActOptions{ValidateOnly: true}).Drop(t.Context())
	must(t, err)
	expected := []string{
		"[Bearer secret] t SEAT_WHITE any false",
		"[Bearer secret] t SEAT_WHITE 0 true",
	}
	if !slices.Equal(seen, expected) {
		t.Errorf("%q", seen)
	}
}

func TestEachMethodSendsItsAction(t *testing.T) {
	var seen []bgcorev1.ActionKind
	var last *bgcorev1.Action
	seat := acting(t, func(_ context.Context, r *bgcorev1.ActRequest) error {
		last = r.GetAction()
		message := last.ProtoReflect()
		field := message.WhichOneof(message.Descriptor().Oneofs().ByName("kind"))
		seen = append(seen, bgcorev1.ActionKind(field.Number()))
		return nil
	})
	ctx := t.Context()
	check := func(_ *bgcorev1.ActResponse, err error) { t.Helper(); must(t, err) }
	check(seat.Throw(ctx, 3, 1))
	if !slices.Equal(last.GetThrow().GetDice(), []uint32{3, 1}) {
		t.Errorf("%v", last)
	}
	check(seat.Roll(ctx))
	check(seat.Play(ctx, "8/5 6/5"))
	if last.GetPlay().GetPlay().GetText() != "8/5 6/5" {
		t.Errorf("%v", last)
	}
	check(seat.PlaySteps(ctx, []bgcore.Step{{Origin: 8, Number: 3}, {Origin: 6, Number: 1}}))
	if steps := last.GetPlay().GetPlay().GetSteps(); !slices.Equal(steps.GetOrigins(), []uint32{8, 6}) {
		t.Errorf("%v", last)
	}
	check(seat.PlaySteps(ctx, nil))
	if last.GetPlay().GetPlay().GetSteps() == nil {
		t.Errorf("%v", last)
	}
	check(seat.Double(ctx))
	check(seat.Take(ctx))
	check(seat.Drop(ctx))
	check(seat.Resign(ctx, bgcorev1.Level_LEVEL_GAMMON))
	if last.GetResign().GetLevel() != bgcorev1.Level_LEVEL_GAMMON {
		t.Errorf("%v", last)
	}
	check(seat.ResignPoints(ctx, 7))
	if last.GetResign().GetPoints() != 7 {
		t.Errorf("%v", last)
	}
	check(seat.AnswerResignation(ctx, true))
	if !last.GetAnswerResignation().GetAccept() {
		t.Errorf("%v", last)
	}
	check(seat.NextGame(ctx))
	check(seat.Animal(ctx))
	check(seat.ResignMatch(ctx))
	check(seat.EndSession(ctx))
	check(seat.Flag(ctx))
	check(seat.Correct(ctx, "8/5 6/5"))
	if last.GetCorrect().GetPlay().GetText() != "8/5 6/5" {
		t.Errorf("%v", last)
	}
	check(seat.CorrectSteps(ctx, []bgcore.Step{{Origin: 8, Number: 3}}))
	if steps := last.GetCorrect().GetPlay().GetSteps(); !slices.Equal(steps.GetOrigins(), []uint32{8}) {
		t.Errorf("%v", last)
	}
	check(seat.Undo(ctx))
	check(seat.AnswerUndo(ctx, true))
	if !last.GetAnswerUndo().GetAccept() {
		t.Errorf("%v", last)
	}
	check(seat.Void(ctx))
	expected := []bgcorev1.ActionKind{1, 2, 3, 3, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 14, 15, 16, 18}
	if !slices.Equal(seen, expected) {
		t.Errorf("%v", seen)
	}
}

func TestATableIsMadeOfPlainValuesAndJoined(t *testing.T) {
	var made *bgcorev1.CreateTableRequest
	s := &server{
		create: func(r *bgcorev1.CreateTableRequest) (*bgcorev1.CreateTableResponse, error) {
			made = r
			return &bgcorev1.CreateTableResponse{Table: &bgcorev1.Table{Id: "new"}}, nil
		},
		join: func(r *bgcorev1.JoinTableRequest) (*bgcorev1.JoinTableResponse, error) {
			if r.GetTable() != "new" || r.GetName() != "Ann" || r.GetSeat() != white || r.GetRequestId() == "" {
				t.Errorf("%v", r)
			}
			return &bgcorev1.JoinTableResponse{Seat: white, Token: "secret"}, nil
		},
	}
	table, err := s.client(t).CreateTable(t.Context(), bgcore.NewTable{
		Variant: "tavla",
		Options: bgcore.Options{
			"match_length": bgcore.None(), "crawford": bgcore.Flag(false), "cube_cap": bgcore.Int(64),
			"word": bgcore.Word("x"), "several": bgcore.List(bgcore.Int(1), bgcore.Int(2)),
		},
		White: bgcore.Player("Ann"), Black: bgcore.Bot("greedy"),
		DiceMode: bgcorev1.DiceMode_DICE_MODE_SEEDED, Seed: 7,
	})
	must(t, err)
	if made.GetVariant().GetId() != "tavla" || made.GetSeed() != 7 || made.GetRequestId() == "" ||
		made.GetWhite().GetPlayer().GetName() != "Ann" || made.GetBlack().GetBot().GetId() != "greedy" {
		t.Errorf("%v", made)
	}
	options := made.GetVariant().GetOptions()
	if options["match_length"].GetNone() == nil || options["cube_cap"].GetInteger() != 64 ||
		options["word"].GetText() != "x" || len(options["several"].GetList().GetValues()) != 2 {
		t.Errorf("%v", options)
	}
	seat, err := table.Join(t.Context(), white, "Ann")
	must(t, err)
	if table.ID() != "new" || seat.Side() != white || seat.Token() != "secret" || seat.Table() != table {
		t.Errorf("%+v", seat)
	}
}

// joining is a server with committed dice, which tells who joined how.
func joining(joined *[]*bgcorev1.JoinTableRequest) *server {
	return &server{
		get: func(context.Context, *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error) {
			return &bgcorev1.GetTableResponse{
				Table: &bgcorev1.Table{DiceMode: bgcorev1.DiceMode_DICE_MODE_COMMITTED},
				State: &bgcorev1.TableState{Dice: &bgcorev1.DiceProof{Commitment: "c0"}},
			}, nil
		},
		join: func(r *bgcorev1.JoinTableRequest) (*bgcorev1.JoinTableResponse, error) {
			*joined = append(*joined, r)
			return &bgcorev1.JoinTableResponse{Seat: white, Token: "secret"}, nil
		},
	}
}

func TestWhoJoinsAtCommittedDiceAddsASeedAndNotesTheCommitment(t *testing.T) {
	var joined []*bgcorev1.JoinTableRequest
	table := joining(&joined).client(t).Table("t")
	for _, o := range []bgcore.JoinOptions{
		{}, {}, {DiceSeed: "mine"}, {RequestID: "one that I keep"}, {RequestID: "one that I keep"},
	} {
		seat, err := table.JoinWith(t.Context(), o)
		must(t, err)
		last := joined[len(joined)-1]
		if noted := seat.At(1).Noted(); noted.Commitment != "c0" || noted.Seed == "" || noted.Seed != last.GetDiceSeed() {
			t.Errorf("%+v for %v", noted, last)
		}
	}
	if joined[0].GetDiceSeed() == joined[1].GetDiceSeed() || joined[2].GetDiceSeed() != "mine" {
		t.Errorf("%v", joined)
	}
	if !proto.Equal(joined[3], joined[4]) || strings.Contains(joined[3].GetDiceSeed(), "keep") {
		t.Errorf("%v", joined)
	}
}

func TestATableGoesOnFromARecordWithoutOtherRules(t *testing.T) {
	var made *bgcorev1.CreateTableRequest
	s := &server{create: func(r *bgcorev1.CreateTableRequest) (*bgcorev1.CreateTableResponse, error) {
		made = r
		return &bgcorev1.CreateTableResponse{Table: &bgcorev1.Table{Id: "new"}}, nil
	}}
	client := s.client(t)
	_, err := client.CreateTable(t.Context(), bgcore.NewTable{Record: "a record"})
	must(t, err)
	if made.GetStart().GetRecord() != "a record" || made.Variant != nil {
		t.Errorf("%v", made)
	}
	_, err = client.CreateTable(t.Context(), bgcore.NewTable{Record: "a record", Start: &bgcorev1.Start{}})
	if failure(t, err).Code != codes.InvalidArgument {
		t.Errorf("%v", err)
	}
}

func TestEventsComePageByPage(t *testing.T) {
	s := &server{events: func(r *bgcorev1.ListEventsRequest) (*bgcorev1.ListEventsResponse, error) {
		if r.GetAfterRevision() != 2 {
			t.Errorf("%v", r)
		}
		if r.GetPageToken() == "" {
			return &bgcorev1.ListEventsResponse{
				Events: []*bgcorev1.Event{{Revision: 3}, {Revision: 4}}, NextPageToken: "more",
			}, nil
		}
		return &bgcorev1.ListEventsResponse{Events: []*bgcorev1.Event{{Revision: 5}}}, nil
	}}
	var revisions []uint32
	for event, err := range s.client(t).Table("t").Events(t.Context(), bgcore.EventsOptions{After: 2}) {
		must(t, err)
		revisions = append(revisions, event.GetRevision())
	}
	if !reflect.DeepEqual(revisions, []uint32{3, 4, 5}) {
		t.Errorf("%v", revisions)
	}
}
