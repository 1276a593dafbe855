package bgcore

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"math"
	mathrand "math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// Retry says how to go on when the server does not answer.
type Retry struct {
	// Attempts are the tries in a row, the first included.
	Attempts int
	// Delay is the wait before the second try; it doubles from try to try.
	Delay time.Duration
	// MaxDelay is the longest wait. A server that has too much to do may ask for a longer one: then the call fails, and
	// Error.RetryAfter says how long.
	MaxDelay time.Duration
}

// DefaultRetry is nine tries in about ten seconds: time for a server to start again.
var DefaultRetry = Retry{Attempts: 9, Delay: 50 * time.Millisecond, MaxDelay: 3 * time.Second}

// helps tells whether trying again after an error may help, and is safe. Where the server asks for time, nothing was done.
func (r Retry) helps(err error, attempt int, safe bool) bool {
	if attempt >= r.Attempts {
		return false
	}
	if after, told := retryAfter(err); told {
		return after <= r.MaxDelay
	}
	return safe && code(err) == codes.Unavailable
}

// pause waits after the given number of tries, somewhat at random lest all clients come at once, and at least as long as
// the error asks for.
func (r Retry) pause(ctx context.Context, attempt int, err error) error {
	longest := min(float64(r.Delay)*math.Pow(2, float64(attempt-1)), float64(r.MaxDelay))
	after, _ := retryAfter(err)
	timer := time.NewTimer(after + time.Duration(longest*(0.75+mathrand.Float64()/4)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return asError(ctx.Err())
	}
}

// line is a connection whose calls fail with *Error only. A request that may have a request id gets one, so that a call can
// be repeated: while the server is unavailable it is, with the same id. LeaveTable, which has none, is not: the second time
// it might send somebody else away. Streams are not repeated.
type line struct {
	conn    grpc.ClientConnInterface
	retry   Retry
	account func() string
}

func (l line) Invoke(ctx context.Context, method string, request, answer any, opts ...grpc.CallOption) error {
	repeatable, safe := withID(request), method != bgcorev1.TableService_LeaveTable_FullMethodName
	for attempt := 1; ; attempt++ {
		err := callError(ctx, l.conn.Invoke(l.proved(ctx), method, repeatable, answer, opts...))
		if err == nil || !l.retry.helps(err, attempt, safe) {
			return err
		}
		if err := l.retry.pause(ctx, attempt, err); err != nil {
			return err
		}
	}
}

// proved is the context of a call that shows the account, unless it shows something else.
func (l line) proved(ctx context.Context) context.Context {
	if sent, _ := metadata.FromOutgoingContext(ctx); l.account == nil || len(sent.Get(authorization)) > 0 {
		return ctx
	}
	return bearing(ctx, l.account())
}

const authorization = "authorization"

// bearing is the context of a call that shows a token; without one it shows nothing.
func bearing(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, authorization, "Bearer "+token)
}

func (l line) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	s, err := l.conn.NewStream(l.proved(ctx), desc, method, opts...)
	if err != nil {
		return nil, callError(ctx, err)
	}
	return stream{s, ctx}, nil
}

type stream struct {
	grpc.ClientStream
	// The caller's: the stream's own is cancelled by whatever ends it.
	caller context.Context
}

func (s stream) RecvMsg(message any) error {
	err := s.ClientStream.RecvMsg(message)
	if errors.Is(err, io.EOF) {
		return err
	}
	return callError(s.caller, err)
}

// withID is the request with a request id, if it may have one; the caller's message is left alone.
func withID(request any) any {
	message, ok := request.(proto.Message)
	if !ok {
		return request
	}
	field := message.ProtoReflect().Descriptor().Fields().ByName("request_id")
	if field == nil || message.ProtoReflect().Has(field) {
		return request
	}
	named := proto.Clone(message)
	named.ProtoReflect().Set(field, protoreflect.ValueOfString(rand.Text()))
	return named
}
