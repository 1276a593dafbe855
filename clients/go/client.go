package bgcore

import (
	"context"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// Client is a server. Its three services can be called as they are; they repeat calls and return *Error like the rest.
// It may be used by several goroutines.
type Client struct {
	Variants bgcorev1.VariantServiceClient
	Rules    bgcorev1.RulesServiceClient
	Tables   bgcorev1.TableServiceClient

	line line
}

// Lists of plays with boards, and pages of events with such lists, may be long.
const maxAnswer = 64 << 20

// Dial gives a client of the server at target, such as "127.0.0.1:50051". The connection is made when needed, and not
// encrypted unless the options say so: grpc.WithTransportCredentials. Close it after use.
func Dial(target string, opts ...grpc.DialOption) (*Client, error) {
	defaults := []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswer)),
		// A server that starts again should be found before the retries end.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: DefaultRetry.Delay, Multiplier: 2, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
	}
	conn, err := grpc.NewClient(target, append(defaults, opts...)...)
	if err != nil {
		return nil, asError(err)
	}
	return New(conn), nil
}

// New gives a client over a connection made elsewhere.
func New(conn grpc.ClientConnInterface) *Client { return over(line{conn: conn, retry: DefaultRetry}) }

// WithRetry is the same client with another patience.
func (c *Client) WithRetry(retry Retry) *Client {
	other := c.line
	other.retry = retry
	return over(other)
}

// WithAccount is the same client for an account: its token is shown wherever no other token is, of a table or a seat. It is
// asked for at each attempt, since such tokens do not last.
func (c *Client) WithAccount(token func() string) *Client {
	other := c.line
	other.account = token
	return over(other)
}

func over(l line) *Client {
	return &Client{
		Variants: bgcorev1.NewVariantServiceClient(l),
		Rules:    bgcorev1.NewRulesServiceClient(l),
		Tables:   bgcorev1.NewTableServiceClient(l),
		line:     l,
	}
}

// Close hangs up, if the connection can be closed.
func (c *Client) Close() error {
	if closer, ok := c.line.conn.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// NewTable is what a table is to be. Only Variant must be given, or Spec, Rotation, or Record.
type NewTable struct {
	// Variant is an id or alias, such as "western" or "gul-bara".
	Variant string
	// Spec is house rules instead of a Variant, see House.
	Spec *bgcorev1.VariantSpec
	// Rotation instead of a Variant is a match whose games change, see Rotation and RotationOf.
	Rotation *bgcorev1.RotationRef
	// Preset is the id of one of the variant's presets.
	Preset string
	// Options by name; GetVariant lists them. Make values with Flag, Int, Word, List and None. With a Rotation they are those
	// of the match, and are added to its own.
	Options Options
	// White and Black: a Bot, a Player who joins later, or nil for anybody.
	White, Black *bgcorev1.Occupant
	DiceMode     bgcorev1.DiceMode
	// Seed is for seeded dice.
	Seed       uint64
	Visibility bgcorev1.Visibility
	// Start is where the match starts, if not at the beginning.
	Start *bgcorev1.Start
	// Record is the text of our record of a match that is to go on, as Table.Export gives it. It says everything of the
	// start, and the variant and options, which may be left out.
	Record string
	// RequestID is for a caller that keeps its own; without, a random one.
	RequestID string
}

// CreateTable makes a table. It has the secrets that the server gives, see Table.Secrets, and shows the host's at each call,
// or the account that made it.
func (c *Client) CreateTable(ctx context.Context, t NewTable) (*Table, error) {
	if t.Record != "" {
		if t.Start != nil {
			return nil, asError(status.Error(codes.InvalidArgument, "start: expected none beside a record"))
		}
		t.Start = &bgcorev1.Start{Record: t.Record}
	}
	games := wanted{t.Variant, t.Spec, t.Preset, t.Options, t.Rotation}
	if err := games.check(); err != nil {
		return nil, err
	}
	answer, err := c.Tables.CreateTable(ctx, &bgcorev1.CreateTableRequest{
		Variant:    t.rules(&games),
		Rotation:   games.games(),
		White:      t.White,
		Black:      t.Black,
		DiceMode:   t.DiceMode,
		Seed:       t.Seed,
		Visibility: t.Visibility,
		Start:      t.Start,
		RequestId:  t.RequestID,
	})
	if err != nil {
		return nil, err
	}
	table := c.Table(answer.GetTable().GetId()).WithSecrets(Secrets{
		Host:       answer.GetHostToken(),
		Invitation: answer.GetInvitationToken(),
		Spectator:  answer.GetSpectatorToken(),
	})
	if c.line.account != nil {
		table = table.WithToken("")
	}
	return table, nil
}

// rules are the variant wanted; nil where a record says it.
func (t *NewTable) rules(games *wanted) *bgcorev1.VariantRef {
	if t.Variant == "" && t.Spec == nil && t.Record != "" {
		return nil
	}
	return games.ref()
}

// Table is a table by its id, whether it exists or not.
func (c *Client) Table(id string) *Table { return &Table{client: c, id: id} }
