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
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Retry says how to go on when the server does not answer.
type Retry struct {
	// Attempts are the tries in a row, the first included.
	Attempts int
	// Delay is the wait before the second try; it doubles from try to try.
	Delay time.Duration
	// MaxDelay is the longest wait.
	MaxDelay time.Duration
}

// DefaultRetry is nine tries in about ten seconds: time for a server to start again.
var DefaultRetry = Retry{Attempts: 9, Delay: 50 * time.Millisecond, MaxDelay: 3 * time.Second}

// pause waits after the given number of tries, somewhat at random lest all clients come at once.
func (r Retry) pause(ctx context.Context, attempt int) error {
	longest := min(float64(r.Delay)*math.Pow(2, float64(attempt-1)), float64(r.MaxDelay))
	timer := time.NewTimer(time.Duration(longest * (0.75 + mathrand.Float64()/4)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return asError(ctx.Err())
	}
}

// line is a connection whose calls fail with *Error only. A request that may have a request id gets one, so that every
// call can be repeated: while the server is unavailable it is, with the same id. Streams are not repeated.
type line struct {
	conn  grpc.ClientConnInterface
	retry Retry
}

func (l line) Invoke(ctx context.Context, method string, request, answer any, opts ...grpc.CallOption) error {
	repeatable := withID(request)
	for attempt := 1; ; attempt++ {
		err := asError(l.conn.Invoke(ctx, method, repeatable, answer, opts...))
		if code(err) != codes.Unavailable || attempt >= l.retry.Attempts {
			return err
		}
		if err := l.retry.pause(ctx, attempt); err != nil {
			return err
		}
	}
}

func (l line) NewStream(
	ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	s, err := l.conn.NewStream(ctx, desc, method, opts...)
	if err != nil {
		return nil, asError(err)
	}
	return stream{s}, nil
}

type stream struct{ grpc.ClientStream }

func (s stream) RecvMsg(message any) error {
	err := s.ClientStream.RecvMsg(message)
	if errors.Is(err, io.EOF) {
		return err
	}
	return asError(err)
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
