package bgcore

import (
	"context"
	"strings"

	"google.golang.org/grpc/codes"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// Leave leaves the seat before the match has begun; it is free, and its token opens nothing any more. If no answer comes, it
// is asked again: a token that is not known any more says that it was done. With the token of an account that cannot be
// told, and the call fails with Unavailable: look at the table.
func (s *Seat) Leave(ctx context.Context) error {
	// An account might sit elsewhere at the table, or be its host: then it would not be refused.
	own, retry := s.token != "" && !strings.Contains(s.token, "."), s.table.client.line.retry
	for attempt, unanswered := 1, false; ; attempt++ {
		request := &bgcorev1.LeaveTableRequest{Table: s.table.id, Seat: s.side}
		_, err := s.table.client.Tables.LeaveTable(bearing(ctx, s.token), request)
		switch gone := code(err); {
		case err == nil, unanswered && (gone == codes.PermissionDenied || gone == codes.NotFound):
			return nil
		case gone != codes.Unavailable || !own || attempt >= retry.Attempts:
			return err
		}
		unanswered = true
		if err := retry.pause(ctx, attempt, nil); err != nil {
			return err
		}
	}
}
