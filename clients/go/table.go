package bgcore

import (
	"context"
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
	answer, err := t.client.Tables.JoinTable(ctx, &bgcorev1.JoinTableRequest{Table: t.id, Seat: side, Name: name})
	if err != nil {
		return nil, err
	}
	return t.Seat(answer.GetSeat(), answer.GetToken()), nil
}

// Seat is a seat taken before, by the token that Join gave.
func (t *Table) Seat(side bgcorev1.Seat, token string) *Seat {
	return &Seat{table: t, side: side, token: token}
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
