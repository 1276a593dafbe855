package bgcore

import (
	"context"
	"crypto/rand"
	"iter"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

const maxPage = 500

// Table is a table of the server, by its id, and with a token that is shown at each call. It holds nothing that changes.
type Table struct {
	client  *Client
	id      string
	token   string
	secrets Secrets
}

// Secrets are what the server gives to who makes a table. Keep them, and hand them out.
type Secrets struct {
	// Host is to close the table, and to free seats before the match has begun. It opens all that the others open.
	Host string
	// Invitation, at a private table: to see it and to take a seat. For the players.
	Invitation string
	// Spectator, at a private table: to see it. For those who only look on.
	Spectator string
}

// ID is opaque; keep it to find the table again with Client.Table.
func (t *Table) ID() string { return t.id }

// Secrets are those of a table that CreateTable made, or that WithSecrets was told.
func (t *Table) Secrets() Secrets { return t.secrets }

// Token is what is shown at each call; empty: that of the client's account, or nothing.
func (t *Table) Token() string { return t.token }

// WithToken is the same table for who has another token: an invitation, a spectator's, the host's, a seat's.
func (t *Table) WithToken(token string) *Table {
	other := *t
	other.token = token
	return &other
}

// WithSecrets is the same table for its host, who shows his token, if he has one.
func (t *Table) WithSecrets(secrets Secrets) *Table {
	other := *t
	other.secrets, other.token = secrets, secrets.Host
	return &other
}

func (t *Table) proved(ctx context.Context) context.Context { return bearing(ctx, t.token) }

// Get tells what the table is, and where its match stands.
func (t *Table) Get(ctx context.Context) (*bgcorev1.GetTableResponse, error) {
	return t.client.Tables.GetTable(t.proved(ctx), &bgcorev1.GetTableRequest{Table: t.id})
}

// Kick frees a seat before the match has begun, as the host. Its player's token opens nothing any more. Where no answer
// comes, look at the table before doing it again: somebody else may sit there by now. So it is not repeated by itself.
func (t *Table) Kick(ctx context.Context, side bgcorev1.Seat) (*bgcorev1.LeaveTableResponse, error) {
	return t.client.Tables.LeaveTable(t.proved(ctx), &bgcorev1.LeaveTableRequest{Table: t.id, Seat: side})
}

// Close closes the table for good, as the host; a match that runs is void. Everybody sees the note, which may be empty.
// Nothing happens at a table that is closed already.
func (t *Table) Close(ctx context.Context, note string) (*bgcorev1.CloseTableResponse, error) {
	return t.client.Tables.CloseTable(t.proved(ctx), &bgcorev1.CloseTableRequest{Table: t.id, Note: note})
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
// of the seed. At a private table it takes the host's token or an invitation, at a seat that is kept for an account that
// account, which then sits there and may act by its own token, too.
func (t *Table) JoinWith(ctx context.Context, o JoinOptions) (*Seat, error) {
	ctx = t.proved(ctx)
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

// Seat is a seat taken before, by the token that Join gave; with an empty one, by the account that sits there.
func (t *Table) Seat(side bgcorev1.Seat, token string) *Seat {
	return &Seat{table: t, side: side, token: token}
}

// Export is the last match so far as the text of a file: our record, a match text, SGF. MATCH_FORMAT_UNSPECIFIED is our
// record.
func (t *Table) Export(ctx context.Context, format bgcorev1.MatchFormat) (*bgcorev1.ExportMatchResponse, error) {
	return t.ExportMatch(ctx, 0, format)
}

// ExportMatch is the same of the match with a number, 1 the first at this table.
func (t *Table) ExportMatch(
	ctx context.Context, match uint32, format bgcorev1.MatchFormat,
) (*bgcorev1.ExportMatchResponse, error) {
	request := &bgcorev1.ExportMatchRequest{Table: t.id, Format: format, MatchNumber: match}
	return t.client.Tables.ExportMatch(t.proved(ctx), request)
}

// VerifyDice tells whether every throw of the last match follows from the seeds, as the server says. CheckDice need not
// believe it.
func (t *Table) VerifyDice(ctx context.Context) (*bgcorev1.VerifyDiceResponse, error) {
	return t.VerifyMatchDice(ctx, 0)
}

// VerifyMatchDice tells the same of the match with a number, 1 the first at this table.
func (t *Table) VerifyMatchDice(ctx context.Context, match uint32) (*bgcorev1.VerifyDiceResponse, error) {
	return t.client.Tables.VerifyDice(t.proved(ctx), &bgcorev1.VerifyDiceRequest{Table: t.id, MatchNumber: match})
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

// Events are what has happened so far, page by page behind the scenes. An error is the last that comes; OutOfRange where the
// server does not keep these events one by one any more, and it names the first that it does.
func (t *Table) Events(ctx context.Context, o EventsOptions) iter.Seq2[*bgcorev1.Event, error] {
	ctx = t.proved(ctx)
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
