package bgcore

import (
	"context"
	"crypto/rand"
	"iter"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

const maxPage = 500

// Table is a table of the server, by its id. It holds nothing that changes.
type Table struct {
	client *Client
	id     string
}

// ID is opaque; keep it to find the table again with Client.Table.
func (t *Table) ID() string { return t.id }

// Get tells what the table is, and where its match stands.
func (t *Table) Get(ctx context.Context) (*bgcorev1.GetTableResponse, error) {
	return t.client.Tables.GetTable(ctx, &bgcorev1.GetTableRequest{Table: t.id})
}

// Join takes a free seat: the side wanted, or SEAT_UNSPECIFIED for any, White first. An empty name is the one that the
// table was made with.
func (t *Table) Join(ctx context.Context, side bgcorev1.Seat, name string) (*Seat, error) {
	return t.JoinWith(ctx, JoinOptions{Side: side, Name: name})
}

// JoinOptions say who sits down where. All of it may be left out.
type JoinOptions struct {
	// Side is the seat wanted; without, any, White first.
	Side bgcorev1.Seat
	// Name is the name shown; without, the one that the table was made with.
	Name string
	// DiceSeed is what the player adds to committed dice, and to no others. Without, one is made of the request id,
	// which is at random, so that who repeats the call repeats the seed.
	DiceSeed string
	// RequestID is for a caller that keeps its own; without, a random one. Who has it can take the same seat.
	RequestID string
}

// JoinWith takes a free seat. It looks at the table first and notes the commitment of its dice, before the server hears
// of the seed.
func (t *Table) JoinWith(ctx context.Context, o JoinOptions) (*Seat, error) {
	seen, err := t.client.Tables.GetTable(ctx, &bgcorev1.GetTableRequest{
		Table: t.id, View: bgcorev1.PlayView_PLAY_VIEW_NONE,
	})
	if err != nil {
		return nil, err
	}
	if o.RequestID == "" {
		o.RequestID = rand.Text()
	}
	if o.DiceSeed == "" && seen.GetTable().GetDiceMode() == bgcorev1.DiceMode_DICE_MODE_COMMITTED {
		o.DiceSeed = seedOf(o.RequestID)
	}
	answer, err := t.client.Tables.JoinTable(ctx, &bgcorev1.JoinTableRequest{
		Table: t.id, Seat: o.Side, Name: o.Name, DiceSeed: o.DiceSeed, RequestId: o.RequestID,
	})
	if err != nil {
		return nil, err
	}
	noted := DiceNote{Seed: o.DiceSeed, Commitment: seen.GetState().GetDice().GetCommitment()}
	return t.Seat(answer.GetSeat(), answer.GetToken()).WithNote(noted), nil
}

// Seat is a seat taken before, by the token that Join gave.
func (t *Table) Seat(side bgcorev1.Seat, token string) *Seat {
	return &Seat{table: t, side: side, token: token}
}

// Export is the match so far as the text of a file: our record, a match text, SGF. MATCH_FORMAT_UNSPECIFIED is our record.
func (t *Table) Export(ctx context.Context, format bgcorev1.MatchFormat) (*bgcorev1.ExportMatchResponse, error) {
	return t.client.Tables.ExportMatch(ctx, &bgcorev1.ExportMatchRequest{Table: t.id, Format: format})
}

// VerifyDice tells whether every throw follows from the seeds, as the server says. CheckDice need not believe it.
func (t *Table) VerifyDice(ctx context.Context) (*bgcorev1.VerifyDiceResponse, error) {
	return t.client.Tables.VerifyDice(ctx, &bgcorev1.VerifyDiceRequest{Table: t.id})
}

// EventsOptions say which events, and how much of each.
type EventsOptions struct {
	// After: only events after this revision.
	After uint32
	// States: each event with the state after it.
	States bool
	// View: with States, how much of each legal play to send.
	View bgcorev1.PlayView
}

// Events are what has happened so far, page by page behind the scenes. An error is the last that comes.
func (t *Table) Events(ctx context.Context, o EventsOptions) iter.Seq2[*bgcorev1.Event, error] {
	return func(yield func(*bgcorev1.Event, error) bool) {
		request := &bgcorev1.ListEventsRequest{
			Table: t.id, PageSize: maxPage, AfterRevision: o.After, States: o.States, View: o.View,
		}
		for {
			page, err := t.client.Tables.ListEvents(ctx, request)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, event := range page.GetEvents() {
				if !yield(event, nil) {
					return
				}
			}
			if request.PageToken = page.GetNextPageToken(); request.PageToken == "" {
				return
			}
		}
	}
}
