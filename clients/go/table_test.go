package bgcore_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

var secrets = bgcore.Secrets{Host: "h", Invitation: "i", Spectator: "s"}

func creating() *server {
	return &server{
		create: func(*bgcorev1.CreateTableRequest) (*bgcorev1.CreateTableResponse, error) {
			return &bgcorev1.CreateTableResponse{
				Table: &bgcorev1.Table{Id: "t"}, HostToken: "h", InvitationToken: "i", SpectatorToken: "s",
			}, nil
		},
		act: func(context.Context, *bgcorev1.ActRequest) (*bgcorev1.ActResponse, error) {
			return &bgcorev1.ActResponse{}, nil
		},
	}
}

func TestANewTableKeepsItsSecrets(t *testing.T) {
	table, err := creating().client(t).CreateTable(t.Context(), bgcore.NewTable{Variant: "tavla"})
	must(t, err)
	if table.Secrets() != secrets || table.Token() != "h" {
		t.Errorf("%+v", table)
	}
}

func TestWhateverIsAskedOfATableShowsItsToken(t *testing.T) {
	s := &server{
		join: func(*bgcorev1.JoinTableRequest) (*bgcorev1.JoinTableResponse, error) {
			return &bgcorev1.JoinTableResponse{}, nil
		},
		events: func(*bgcorev1.ListEventsRequest) (*bgcorev1.ListEventsResponse, error) {
			return &bgcorev1.ListEventsResponse{}, nil
		},
		close: func(*bgcorev1.CloseTableRequest) (*bgcorev1.CloseTableResponse, error) {
			return &bgcorev1.CloseTableResponse{}, nil
		},
		watch: func(_ *bgcorev1.WatchTableRequest, stream watchStream) error { return stream.Send(snapshot(1)) },
	}
	ctx, plain := t.Context(), s.client(t).Table("t")
	for _, table := range []*bgcore.Table{plain.WithSecrets(secrets), plain.WithToken("i"), plain} {
		s.shown = nil
		_, err := table.Get(ctx)
		must(t, err)
		_, err = table.Join(ctx, white, "Ann")
		must(t, err)
		for range table.Events(ctx, bgcore.EventsOptions{}) {
		}
		_, err = table.Export(ctx, 0)
		must(t, err)
		_, err = table.VerifyDice(ctx)
		must(t, err)
		for range table.Watch(ctx, bgcore.WatchOptions{}) {
			break
		}
		_, err = table.Kick(ctx, black)
		must(t, err)
		_, err = table.Close(ctx, "enough")
		must(t, err)
		if !slices.Equal(s.shown, slices.Repeat([]string{table.Token()}, 9)) {
			t.Errorf("%q of %q", s.shown, table.Token())
		}
	}
}

func TestAnAccountIsShownWhereNoOtherTokenIs(t *testing.T) {
	s, given := creating(), 0
	plain := s.client(t)
	client := plain.WithAccount(func() string { given++; return fmt.Sprintf("a.b.%d", given) })
	ctx := t.Context()
	table, err := client.CreateTable(ctx, bgcore.NewTable{Variant: "tavla", White: bgcore.AccountPlayer("user-7", "Ann")})
	must(t, err)
	if table.Token() != "" || table.Secrets() != secrets {
		t.Errorf("%+v", table)
	}
	_, err = table.Get(ctx)
	must(t, err)
	_, err = table.Seat(white, "").Roll(ctx)
	must(t, err)
	_, err = table.Seat(white, "secret").Roll(ctx)
	must(t, err)
	_, err = table.WithToken("i").Get(ctx)
	must(t, err)
	_, err = plain.Table("t").Get(ctx)
	must(t, err)
	if expected := []string{"a.b.1", "a.b.2", "a.b.3", "secret", "i", ""}; !slices.Equal(s.shown, expected) {
		t.Errorf("%q", s.shown)
	}
}

func TestWhoLeavesKnowsAfterALostAnswerThatTheSeatIsFree(t *testing.T) {
	for _, gone := range []codes.Code{codes.PermissionDenied, codes.NotFound} {
		calls := 0
		s := &server{leave: func(*bgcorev1.LeaveTableRequest) (*bgcorev1.LeaveTableResponse, error) {
			if calls++; calls == 1 {
				return nil, stopping()
			}
			return nil, refusal(gone, "TOKEN_UNKNOWN", nil)
		}}
		seat := s.client(t).Table("t").Seat(white, "secret")
		if err := seat.Leave(t.Context()); err != nil || calls != 2 {
			t.Errorf("%v after %d calls", err, calls)
		}
		if err := seat.Leave(t.Context()); failure(t, err).Code != gone {
			t.Errorf("%v", err)
		}
	}
}

func TestWhatMightSendSomebodyElseAwayIsNotRepeated(t *testing.T) {
	calls := 0
	s := &server{leave: func(*bgcorev1.LeaveTableRequest) (*bgcorev1.LeaveTableResponse, error) {
		calls++
		return nil, stopping()
	}}
	table := s.client(t).Table("t")
	_, kicked := table.WithSecrets(secrets).Kick(t.Context(), black)
	for _, err := range []error{kicked, table.Seat(white, "a.b.c").Leave(t.Context()), table.Seat(white, "").Leave(t.Context())} {
		if failure(t, err).Code != codes.Unavailable {
			t.Errorf("%v", err)
		}
	}
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
}

func TestClosingIsRepeated(t *testing.T) {
	calls := 0
	s := &server{close: func(r *bgcorev1.CloseTableRequest) (*bgcorev1.CloseTableResponse, error) {
		if calls++; calls == 1 {
			return nil, stopping()
		}
		return &bgcorev1.CloseTableResponse{}, nil
	}}
	if _, err := s.client(t).Table("t").Close(t.Context(), ""); err != nil || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestWhoComesTooOftenComesAgainWhenThereIsRoom(t *testing.T) {
	calls, wait := 0, time.Millisecond
	s := &server{get: func(context.Context, *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error) {
		if calls++; calls == 1 {
			return nil, tooOften(wait)
		}
		return &bgcorev1.GetTableResponse{}, nil
	}}
	table := s.client(t).Table("t")
	if _, err := table.Get(t.Context()); err != nil || calls != 2 {
		t.Errorf("%v after %d calls", err, calls)
	}
	calls, wait = 0, time.Hour // longer than anybody waits
	_, err := table.Get(t.Context())
	if after, told := failure(t, err).RetryAfter(); after != time.Hour || !told || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// over is a server with committed dice whose second match is over; acts are in the past, or not.
func over(first, match uint32, sent *[]*bgcorev1.ActRequest) *server {
	return &server{
		get: func(context.Context, *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error) {
			return &bgcorev1.GetTableResponse{
				Table: &bgcorev1.Table{DiceMode: bgcorev1.DiceMode_DICE_MODE_COMMITTED},
				State: &bgcorev1.TableState{Revision: 9, MatchNumber: 2, NextCommitment: "c3"},
			}, nil
		},
		act: func(_ context.Context, r *bgcorev1.ActRequest) (*bgcorev1.ActResponse, error) {
			*sent = append(*sent, r)
			answer := &bgcorev1.ActResponse{FirstRevision: first, State: &bgcorev1.TableState{MatchNumber: match}}
			if match == 3 { // since the other had asked before
				started := &bgcorev1.Event_MatchStarted{MatchStarted: &bgcorev1.MatchStarted{MatchNumber: match}}
				answer.Events = []*bgcorev1.Event{{Revision: first}, {Revision: first + 1, Kind: started}}
			}
			return answer, nil
		},
	}
}

func TestAnotherMatchHasANoteOfItsOwn(t *testing.T) {
	for _, match := range []uint32{2, 3} {
		anotherMatch(t, match)
	}
}

func anotherMatch(t *testing.T, match uint32) {
	t.Helper()
	var sent []*bgcorev1.ActRequest
	seat := over(10, match, &sent).client(t).Table("t").Seat(white, "secret")
	again, answer, err := seat.Rematch(t.Context(), bgcore.RematchOptions{Variant: "tavla"})
	must(t, err)
	asked, noted := sent[0].GetAction().GetRematch(), again.Noted()
	if noted.Commitment != "c3" || noted.Match != 3 || len(noted.Seed) != 64 || noted.Seed != asked.GetDiceSeed() ||
		asked.GetVariant().GetId() != "tavla" || again.Token() != "secret" || answer.GetFirstRevision() != 10 {
		t.Errorf("%+v %v", noted, asked)
	}
	checked, _, err := seat.With(bgcore.ActOptions{ValidateOnly: true}).Rematch(t.Context(), bgcore.RematchOptions{})
	must(t, err)
	if checked.Noted() != (bgcore.DiceNote{}) || sent[1].GetAction().GetRematch().GetVariant() != nil {
		t.Errorf("%+v", checked)
	}
}

func TestWhoRepeatsARematchNotesNoCommitmentOfAfterwards(t *testing.T) {
	var sent []*bgcorev1.ActRequest
	seat := over(8, 1, &sent).client(t).Table("t").Seat(white, "secret")
	again, _, err := seat.With(bgcore.ActOptions{RequestID: "mine"}).Rematch(t.Context(), bgcore.RematchOptions{DiceSeed: "x"})
	must(t, err)
	if again.Noted() != (bgcore.DiceNote{Seed: "x", Match: 2}) {
		t.Errorf("%+v", again.Noted())
	}
}

func TestASeatTellsWhatItMayDoBesideTheDecision(t *testing.T) {
	undo, void := bgcorev1.ActionKind_ACTION_KIND_UNDO, bgcorev1.ActionKind_ACTION_KIND_VOID
	state := &bgcorev1.TableState{WhiteMay: []bgcorev1.ActionKind{undo}, BlackMay: []bgcorev1.ActionKind{void}}
	table := creating().client(t).Table("t")
	for seat, kinds := range map[*bgcore.Seat][2]bool{
		table.Seat(white, ""): {true, false}, table.Seat(black, ""): {false, true},
	} {
		if seat.May(state, undo) != kinds[0] || seat.May(state, void) != kinds[1] {
			t.Errorf("%v", seat.Side())
		}
	}
}
