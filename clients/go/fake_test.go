package bgcore_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/types/known/durationpb"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

var quick = bgcore.Retry{Attempts: 4, Delay: time.Millisecond, MaxDelay: 4 * time.Millisecond}

const white, black = bgcorev1.Seat_SEAT_WHITE, bgcorev1.Seat_SEAT_BLACK

// server is a server in memory: what the tests want it to answer.
type server struct {
	bgcorev1.UnimplementedTableServiceServer
	act    func(context.Context, *bgcorev1.ActRequest) (*bgcorev1.ActResponse, error)
	get    func(context.Context, *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error)
	create func(*bgcorev1.CreateTableRequest) (*bgcorev1.CreateTableResponse, error)
	join   func(*bgcorev1.JoinTableRequest) (*bgcorev1.JoinTableResponse, error)
	events func(*bgcorev1.ListEventsRequest) (*bgcorev1.ListEventsResponse, error)
	leave  func(*bgcorev1.LeaveTableRequest) (*bgcorev1.LeaveTableResponse, error)
	close  func(*bgcorev1.CloseTableRequest) (*bgcorev1.CloseTableResponse, error)
	watch  func(*bgcorev1.WatchTableRequest, watchStream) error
	shown  []string // the tokens, call by call
}

type watchStream = grpc.ServerStreamingServer[bgcorev1.WatchTableResponse]

func (s *server) Act(ctx context.Context, r *bgcorev1.ActRequest) (*bgcorev1.ActResponse, error) {
	return s.act(ctx, r)
}

func (s *server) GetTable(ctx context.Context, r *bgcorev1.GetTableRequest) (*bgcorev1.GetTableResponse, error) {
	if s.get == nil { // a table of dice that are not committed
		return &bgcorev1.GetTableResponse{Table: &bgcorev1.Table{Id: r.GetTable()}}, nil
	}
	return s.get(ctx, r)
}

func (s *server) CreateTable(_ context.Context, r *bgcorev1.CreateTableRequest) (*bgcorev1.CreateTableResponse, error) {
	return s.create(r)
}

func (s *server) JoinTable(_ context.Context, r *bgcorev1.JoinTableRequest) (*bgcorev1.JoinTableResponse, error) {
	return s.join(r)
}

func (s *server) ListEvents(_ context.Context, r *bgcorev1.ListEventsRequest) (*bgcorev1.ListEventsResponse, error) {
	return s.events(r)
}

func (s *server) LeaveTable(_ context.Context, r *bgcorev1.LeaveTableRequest) (*bgcorev1.LeaveTableResponse, error) {
	if s.leave == nil {
		return &bgcorev1.LeaveTableResponse{}, nil
	}
	return s.leave(r)
}

func (s *server) CloseTable(_ context.Context, r *bgcorev1.CloseTableRequest) (*bgcorev1.CloseTableResponse, error) {
	return s.close(r)
}

func (s *server) ExportMatch(context.Context, *bgcorev1.ExportMatchRequest) (*bgcorev1.ExportMatchResponse, error) {
	return &bgcorev1.ExportMatchResponse{}, nil
}

func (s *server) VerifyDice(context.Context, *bgcorev1.VerifyDiceRequest) (*bgcorev1.VerifyDiceResponse, error) {
	return &bgcorev1.VerifyDiceResponse{}, nil
}

// note keeps the token that a call shows.
func (s *server) note(ctx context.Context) {
	sent, _ := metadata.FromIncomingContext(ctx)
	s.shown = append(s.shown, strings.TrimPrefix(strings.Join(sent.Get("authorization"), "+"), "Bearer "))
}

func (s *server) WatchTable(r *bgcorev1.WatchTableRequest, stream watchStream) error {
	return s.watch(r, stream)
}

// client is a client of it.
func (s *server) client(t *testing.T) *bgcore.Client {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	grpcServer := grpc.NewServer(
		grpc.UnaryInterceptor(func(ctx context.Context, r any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (any, error) {
			s.note(ctx)
			return h(ctx, r)
		}),
		grpc.StreamInterceptor(func(r any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, h grpc.StreamHandler) error {
			s.note(stream.Context())
			return h(r, stream)
		}),
	)
	bgcorev1.RegisterTableServiceServer(grpcServer, s)
	go func() { _ = grpcServer.Serve(listener) }()
	conn, err := grpc.NewClient(
		"passthrough:memory",
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
	)
	if err != nil {
		t.Fatal(err)
	}
	client := bgcore.New(conn).WithRetry(quick)
	t.Cleanup(func() {
		_ = client.Close()
		grpcServer.Stop()
	})
	return client
}

// refusal is a refusal as the server sends it.
func refusal(code codes.Code, reason string, metadata map[string]string) error {
	info := &errdetails.ErrorInfo{Domain: "bgcore", Reason: reason, Metadata: metadata}
	s, err := status.New(code, reason+" happened").WithDetails(info)
	if err != nil {
		panic(err)
	}
	return s.Err()
}

// tooOften is a refusal that says when there is room again.
func tooOften(wait time.Duration) error {
	info := &errdetails.ErrorInfo{Domain: "bgcore", Reason: "TOO_MANY_REQUESTS"}
	later := &errdetails.RetryInfo{RetryDelay: durationpb.New(wait)}
	s, err := status.New(codes.ResourceExhausted, "too often").WithDetails(info, later)
	if err != nil {
		panic(err)
	}
	return s.Err()
}

func stopping() error { return refusal(codes.Unavailable, "STOPPING", nil) }

// failure is the *Error that an error must be.
func failure(t *testing.T, err error) *bgcore.Error {
	t.Helper()
	var e *bgcore.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *bgcore.Error", err)
	}
	return e
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
