package bgcore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

type message = *bgcorev1.WatchTableResponse

func snapshot(revision uint32) message {
	return &bgcorev1.WatchTableResponse{Kind: &bgcorev1.WatchTableResponse_Snapshot{
		Snapshot: &bgcorev1.Snapshot{State: &bgcorev1.TableState{Revision: revision}},
	}}
}

func event(revision uint32, deciding ...bgcorev1.Seat) message {
	state := &bgcorev1.TableState{Revision: revision}
	if len(deciding) > 0 {
		state.Decision = &bgcorev1.Decision{Seat: deciding[0]}
	}
	return &bgcorev1.WatchTableResponse{Kind: &bgcorev1.WatchTableResponse_Event{
		Event: &bgcorev1.Event{Revision: revision, State: state},
	}}
}

func heartbeat(revision uint32) message {
	return &bgcorev1.WatchTableResponse{Kind: &bgcorev1.WatchTableResponse_Heartbeat{
		Heartbeat: &bgcorev1.Heartbeat{Revision: revision},
	}}
}

// watch is what one connection of a watch sends, and how it ends.
type watch struct {
	messages []message
	end      error
}

// watched is a table whose watches send these, one after the other; asked tells what each was asked for.
func watched(t *testing.T, watches ...watch) (table *bgcore.Table, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	s := &server{watch: func(r *bgcorev1.WatchTableRequest, stream watchStream) error {
		if r.AfterRevision == nil {
			*asked = append(*asked, "snapshot")
		} else {
			*asked = append(*asked, fmt.Sprint(r.GetAfterRevision()))
		}
		if len(watches) == 0 {
			return stopping()
		}
		now := watches[0]
		watches = watches[1:]
		for _, m := range now.messages {
			if err := stream.Send(m); err != nil {
				return err
			}
		}
		return now.end
	}}
	return s.client(t).Table("t"), asked
}

// take is the first updates of a watch, as text, and the error that ended it before.
func take(t *testing.T, table *bgcore.Table, count int, o bgcore.WatchOptions) (seen []string, err error) {
	t.Helper()
	for u, err := range table.Watch(t.Context(), o) {
		if err != nil {
			return seen, err
		}
		kind := "event"
		if u.Snapshot != nil {
			kind = "snapshot"
		}
		if seen = append(seen, fmt.Sprint(kind, " ", u.Revision)); len(seen) == count {
			break
		}
	}
	return seen, nil
}

func same(t *testing.T, found []string, expected ...string) {
	t.Helper()
	if !slices.Equal(found, expected) {
		t.Errorf("%q, expected %q", found, expected)
	}
}

func TestAWatchGoesOnAfterTheLastEventAndTellsNothingTwice(t *testing.T) {
	table, asked := watched(t,
		watch{[]message{snapshot(3), event(4), heartbeat(4)}, stopping()},
		watch{[]message{event(4), event(5)}, nil}, // ends properly, as when the server stops
		watch{nil, stopping()},
		watch{[]message{event(6)}, nil},
	)
	seen, err := take(t, table, 4, bgcore.WatchOptions{})
	must(t, err)
	same(t, seen, "snapshot 3", "event 4", "event 5", "event 6")
	same(t, *asked, "snapshot", "4", "5", "5")
}

func TestAWatchMayStartAfterAKnownRevision(t *testing.T) {
	table, asked := watched(t, watch{[]message{event(1)}, nil})
	seen, err := take(t, table, 1, bgcore.WatchOptions{After: proto.Uint32(0)})
	must(t, err)
	same(t, seen, "event 1")
	same(t, *asked, "0")
}

func TestWhereTheEventsInBetweenAreGoneASnapshotComes(t *testing.T) {
	table, asked := watched(t,
		watch{[]message{event(8)}, stopping()},
		watch{nil, refusal(codes.OutOfRange, "REVISION_GONE", nil)},
		watch{[]message{snapshot(900)}, nil},
	)
	seen, err := take(t, table, 2, bgcore.WatchOptions{After: proto.Uint32(7)})
	must(t, err)
	same(t, seen, "event 8", "snapshot 900")
	same(t, *asked, "7", "8", "snapshot")
}

func TestARevisionThatTheCallerGotWrongIsHisError(t *testing.T) {
	table, _ := watched(t, watch{nil, refusal(codes.OutOfRange, "REVISION_NOT_REACHED", nil)})
	_, err := take(t, table, 1, bgcore.WatchOptions{After: proto.Uint32(99)})
	if bgcore.Reason(err) != "REVISION_NOT_REACHED" {
		t.Errorf("%v", err)
	}
}

func TestARefusalEndsAWatch(t *testing.T) {
	table, asked := watched(t, watch{nil, refusal(codes.NotFound, "NO_SUCH_TABLE", nil)})
	_, err := take(t, table, 1, bgcore.WatchOptions{})
	if failure(t, err).Code != codes.NotFound || len(*asked) != 1 {
		t.Errorf("%v after %d", err, len(*asked))
	}
}

func TestThePatienceOfAWatchEnds(t *testing.T) {
	table, asked := watched(t, watch{[]message{snapshot(1)}, nil})
	_, err := take(t, table, 2, bgcore.WatchOptions{})
	if failure(t, err).Code != codes.Unavailable || len(*asked) != 1+quick.Attempts {
		t.Errorf("%v after %d", err, len(*asked))
	}
}

func TestSilenceCountsAsABrokenConnection(t *testing.T) {
	calls := 0
	s := &server{watch: func(_ *bgcorev1.WatchTableRequest, stream watchStream) error {
		if calls++; calls > 1 {
			return stream.Send(event(2))
		}
		if err := stream.Send(snapshot(1)); err != nil {
			return err
		}
		<-stream.Context().Done()
		return nil
	}}
	seen, err := take(t, s.client(t).Table("t"), 2, bgcore.WatchOptions{Silence: 50 * time.Millisecond})
	must(t, err)
	same(t, seen, "snapshot 1", "event 2")
}

func TestAContextEndsAWatch(t *testing.T) {
	over := make(chan struct{})
	s := &server{watch: func(_ *bgcorev1.WatchTableRequest, stream watchStream) error {
		defer close(over)
		if err := stream.Send(snapshot(1)); err != nil {
			return err
		}
		<-stream.Context().Done()
		return nil
	}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range s.client(t).Table("t").Watch(ctx, bgcore.WatchOptions{}) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("%v", last)
	}
	<-over
}

func TestDecisionsAreThoseOfTheSeatUntilThereAreNone(t *testing.T) {
	table, _ := watched(t, watch{
		[]message{event(1, bgcorev1.Seat_SEAT_UNSPECIFIED), event(2, black), event(3, white), event(4)}, nil,
	})
	var seen []string
	for choice, err := range table.Seat(white, "x").Decisions(t.Context()) {
		must(t, err)
		seen = append(seen, fmt.Sprint(choice.State.GetRevision()))
	}
	same(t, seen, "1", "3")
}

func TestEventsThatWereCompactedAreASnapshotFromTheFirst(t *testing.T) {
	table, asked := watched(t,
		watch{end: refusal(codes.OutOfRange, "EVENTS_COMPACTED", nil)},
		watch{messages: []message{snapshot(900), event(901)}},
	)
	seen, err := take(t, table, 2, bgcore.WatchOptions{After: proto.Uint32(7)})
	must(t, err)
	if !slices.Equal(seen, []string{"snapshot 900", "event 901"}) || !slices.Equal(*asked, []string{"7", "snapshot"}) {
		t.Errorf("%v %v", seen, *asked)
	}
}

func TestAWatchThatIsOneTooManyWaitsForRoom(t *testing.T) {
	table, asked := watched(t, watch{end: tooOften(time.Millisecond)}, watch{messages: []message{snapshot(3)}})
	seen, err := take(t, table, 1, bgcore.WatchOptions{})
	must(t, err)
	if !slices.Equal(seen, []string{"snapshot 3"}) || len(*asked) != 2 {
		t.Errorf("%v %v", seen, *asked)
	}
}

func TestAllDecisionsGoOnThroughTheNextMatch(t *testing.T) {
	closed := event(6)
	closed.GetEvent().GetState().Closed = &bgcorev1.Closed{}
	for _, all := range []bool{true, false} {
		table, _ := watched(t, watch{messages: []message{event(1, white), event(2), event(3), event(4, white), event(5, black), closed}})
		seat, seen := table.Seat(white, "x"), []uint32{}
		decisions := seat.Decisions(t.Context())
		if all {
			decisions = seat.AllDecisions(t.Context())
		}
		for choice, err := range decisions {
			must(t, err)
			seen = append(seen, choice.State.GetRevision())
		}
		expected := []uint32{1, 4}
		if !all {
			expected = expected[:1]
		}
		if !slices.Equal(seen, expected) {
			t.Errorf("%v", seen)
		}
	}
}
