package bgcore

import (
	"context"
	"errors"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const domain = "bgcore"

// Error is a call that failed: refused by the server, which says why in Reason and Metadata, or not answered, with an
// empty Reason.
type Error struct {
	// Code is the canonical code of gRPC.
	Code codes.Code
	// Reason is stable, such as POINT_CLOSED; empty if the server did not give one.
	Reason string
	// Message is for people: what is wrong, and what was expected.
	Message string
	// Metadata is what the reason is about: some of field, value, expected, rule, step.
	Metadata map[string]string

	status *status.Status
}

func (e *Error) Error() string {
	if e.Reason == "" {
		return "bgcore: " + e.Code.String() + ": " + e.Message
	}
	return "bgcore: " + e.Reason + ": " + e.Message
}

// Step is the index from 0 of the step of a play that the rules forbid.
func (e *Error) Step() (index int, known bool) {
	index, err := strconv.Atoi(e.Metadata["step"])
	return index, err == nil
}

// RetryAfter is how long to wait before trying again may help, if the server says so.
func (e *Error) RetryAfter() (wait time.Duration, told bool) { return retryAfter(e) }

// Violation is one of several things that are wrong: where, and what of it, for people.
type Violation struct {
	// Subject is a path in the request, such as variant.spec.axes["contact"], or what of the table's state is not so.
	Subject     string
	Description string
}

// Violations are all things that are wrong, as far as the server names them, at most twelve.
func (e *Error) Violations() []Violation {
	var found []Violation
	for _, detail := range e.status.Details() {
		switch told := detail.(type) {
		case *errdetails.BadRequest:
			for _, one := range told.GetFieldViolations() {
				found = append(found, Violation{one.GetField(), one.GetDescription()})
			}
		case *errdetails.PreconditionFailure:
			for _, one := range told.GetViolations() {
				found = append(found, Violation{one.GetSubject(), one.GetDescription()})
			}
		}
	}
	return found
}

// GRPCStatus gives the whole status, details included, to the status package.
func (e *Error) GRPCStatus() *status.Status { return e.status }

// Is lets errors.Is find a context's errors.
func (e *Error) Is(target error) bool {
	return target == context.Canceled && e.Code == codes.Canceled ||
		target == context.DeadlineExceeded && e.Code == codes.DeadlineExceeded
}

// Reason is the stable reason of an error; empty if it has none.
func Reason(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

// IsStale tells whether an act was refused since the table had moved on from the revision acted on.
func IsStale(err error) bool { return code(err) == codes.Aborted }

func code(err error) codes.Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return codes.Unknown
}

func retryAfter(err error) (time.Duration, bool) {
	var e *Error
	if !errors.As(err, &e) || e.Code != codes.ResourceExhausted {
		return 0, false
	}
	for _, detail := range e.status.Details() {
		if info, ok := detail.(*errdetails.RetryInfo); ok {
			return max(info.GetRetryDelay().AsDuration(), 0), true
		}
	}
	return 0, false
}

// callError makes an *Error of what a call returned; nil stays nil. A call that nobody here cancelled was cut off on the
// way, by a server that stops or by a proxy: that is Unavailable.
func callError(ctx context.Context, err error) error {
	if status.Code(err) == codes.Canceled && ctx.Err() == nil && !errors.Is(err, grpc.ErrClientConnClosing) {
		return asError(status.Error(codes.Unavailable, status.Convert(err).Message()))
	}
	return asError(err)
}

// asError makes an *Error of anything that a call returned; nil stays nil.
func asError(err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err)
	}
	e = &Error{Code: s.Code(), Message: s.Message(), status: s}
	for _, detail := range s.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == domain {
			e.Reason, e.Metadata = info.GetReason(), info.GetMetadata()
			break
		}
	}
	return e
}
