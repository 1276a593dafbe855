package bgcore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// Update is what a watch tells: first how the table stands, unless the caller knows, then each event.
type Update struct {
	Revision uint32
	State    *bgcorev1.TableState
	// One of the two is set.
	Snapshot *bgcorev1.Snapshot
	Event    *bgcorev1.Event
}

// WatchOptions say where a watch starts, and how much it tells.
type WatchOptions struct {
	// After is the last revision already known: the first update is the event after it. Without, a snapshot.
	After *uint32
	// View is how much of each legal play to send; without, columns in the snapshot and none in events.
	View bgcorev1.PlayView
	// Silence is how long nothing may come, not even a heartbeat, before the connection counts as lost; without, 45
	// seconds: three heartbeats of a server that nobody told otherwise.
	Silence time.Duration
}

// compacted is the reason of OutOfRange where events are not kept one by one any more.
const compacted = "EVENTS_COMPACTED"

// Watch gives every event of the table, in order, none twice, until the caller breaks off or the context ends: through one
// match after another. A lost connection is taken up again after the last event. Where the server does not keep the events
// in between one by one any more, a snapshot comes instead. An error is the last that comes; so is the context's.
func (t *Table) Watch(ctx context.Context, o WatchOptions) iter.Seq2[*Update, error] {
	if o.Silence == 0 {
		o.Silence = 45 * time.Second
	}
	ctx, retry := t.proved(ctx), t.client.line.retry
	return func(yield func(*Update, error) bool) {
		known, resumed, stopped := o.After, false, false
		for attempt := 1; ; attempt++ {
			err := t.watchOnce(ctx, o, known, func(u *Update) bool {
				attempt, resumed = 0, true
				if u == nil || u.Event != nil && known != nil && u.Revision <= *known {
					return true
				}
				known = &u.Revision
				stopped = !yield(u, nil)
				return !stopped
			})
			switch {
			case stopped:
				return
			case ctx.Err() != nil:
				yield(nil, asError(ctx.Err()))
				return
			case code(err) == codes.OutOfRange && known != nil && (resumed || Reason(err) == compacted):
				known = nil
				continue
			case !retry.helps(err, attempt, true):
				yield(nil, err)
				return
			}
			if err := retry.pause(ctx, max(attempt, 1), err); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// watchOnce tells what one connection brings, nil for a heartbeat, until it breaks or nobody listens.
func (t *Table) watchOnce(ctx context.Context, o WatchOptions, known *uint32, tell func(*Update) bool) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := unavailable(fmt.Sprintf("nothing heard for %s", o.Silence))
	timer := time.AfterFunc(o.Silence, func() { cancel(silent) })
	defer timer.Stop()

	request := &bgcorev1.WatchTableRequest{Table: t.id, AfterRevision: known, View: o.View}
	stream, err := t.client.Tables.WatchTable(ctx, request)
	for err == nil {
		var message *bgcorev1.WatchTableResponse
		if message, err = stream.Recv(); err != nil {
			break
		}
		timer.Stop() // The caller may take his time.
		if !tell(update(message)) {
			return nil
		}
		timer.Reset(o.Silence)
	}
	switch {
	case errors.Is(context.Cause(ctx), silent):
		return silent
	case errors.Is(err, io.EOF):
		// A server that stops ends its watches; it comes back, or another takes over.
		return unavailable("the server ended the watch")
	}
	return err
}

func update(message *bgcorev1.WatchTableResponse) *Update {
	if snapshot := message.GetSnapshot(); snapshot != nil {
		return &Update{Revision: snapshot.GetState().GetRevision(), State: snapshot.GetState(), Snapshot: snapshot}
	}
	if event := message.GetEvent(); event != nil {
		return &Update{Revision: event.GetRevision(), State: event.GetState(), Event: event}
	}
	return nil
}

func unavailable(message string) error {
	return asError(status.Error(codes.Unavailable, message))
}
