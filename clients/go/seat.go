package bgcore

import (
	"context"
	"iter"
	"slices"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// Seat is a seat at a table with the token that proves it. It holds nothing that changes.
type Seat struct {
	table    *Table
	side     bgcorev1.Seat
	token    string
	noted    DiceNote
	revision *uint32
	options  ActOptions
}

// DiceNote is what a player notes of committed dice before play, to compare with afterwards; see CheckDice.
type DiceNote struct {
	// Seed is what the player gave.
	Seed string
	// Commitment is what the table showed before it heard of the seed.
	Commitment string
	// Match is the number of the match that these are of; 0 is 1, the first.
	Match uint32
}

// ActOptions say how a seat acts.
type ActOptions struct {
	// ValidateOnly: only check, nothing is done or recorded.
	ValidateOnly bool
	// View is how much of each legal play an answer has; without, columns.
	View bgcorev1.PlayView
	// RequestID is for a caller that keeps its own; without, a random one for each act.
	RequestID string
}

// Table is where the seat is.
func (s *Seat) Table() *Table { return s.table }

// Side is white or black.
func (s *Seat) Side() bgcorev1.Seat { return s.side }

// Token is the secret; keep it to sit down again with Table.Seat.
func (s *Seat) Token() string { return s.token }

// Noted is what Join noted of committed dice; empty with others. Keep it, too.
func (s *Seat) Noted() DiceNote { return s.noted }

// WithNote is the same seat, sat down at again, with what was noted on joining.
func (s *Seat) WithNote(noted DiceNote) *Seat {
	other := *s
	other.noted = noted
	return &other
}

// At is the same seat, which acts only while the table is at this revision; see IsStale.
func (s *Seat) At(revision uint32) *Seat {
	other := *s
	other.revision = &revision
	return &other
}

// With is the same seat, which acts with these options.
func (s *Seat) With(options ActOptions) *Seat {
	other := *s
	other.options = options
	return &other
}

// Throw makes the opening throw. Dice, White's and Black's, with manual dice only.
func (s *Seat) Throw(ctx context.Context, dice ...uint32) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Throw{Throw: &bgcorev1.ThrowAction{Dice: dice}}})
}

// Roll rolls. Dice with manual dice only.
func (s *Seat) Roll(ctx context.Context, dice ...uint32) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Roll{Roll: &bgcorev1.RollAction{Dice: dice}}})
}

// Play plays a text such as "8/5 6/5".
func (s *Seat) Play(ctx context.Context, text string) (*bgcorev1.ActResponse, error) {
	return s.play(ctx, &bgcorev1.Play{Form: &bgcorev1.Play_Text{Text: text}})
}

// PlaySteps plays steps, such as those of a play that was listed. Origin and Number count.
func (s *Seat) PlaySteps(ctx context.Context, steps []Step) (*bgcorev1.ActResponse, error) {
	return s.play(ctx, &bgcorev1.Play{Form: &bgcorev1.Play_Steps{Steps: columns(steps)}})
}

func (s *Seat) play(ctx context.Context, play *bgcorev1.Play) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Play{Play: &bgcorev1.PlayAction{Play: play}}})
}

// NameDouble names the double to be played, 1 to 6, where the rules let the player choose one.
func (s *Seat) NameDouble(ctx context.Context, number uint32) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_NameDouble{
		NameDouble: &bgcorev1.NameDoubleAction{Number: number},
	}})
}

// Double offers a double.
func (s *Seat) Double(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Double{Double: &bgcorev1.DoubleAction{}}})
}

// Take accepts a double.
func (s *Seat) Take(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Take{Take: &bgcorev1.TakeAction{}}})
}

// Drop refuses a double and loses the game.
func (s *Seat) Drop(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Drop{Drop: &bgcorev1.DropAction{}}})
}

// Animal answers a double with another one and keeps the cube: a beaver, a raccoon, and so on.
func (s *Seat) Animal(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Animal{Animal: &bgcorev1.AnimalAction{}}})
}

// Resign offers to lose the game at a level.
func (s *Seat) Resign(ctx context.Context, level bgcorev1.Level) (*bgcorev1.ActResponse, error) {
	return s.resign(ctx, &bgcorev1.ResignAction{Level: level})
}

// ResignPoints offers to lose the game for so many points, where checkers are counted.
func (s *Seat) ResignPoints(ctx context.Context, points uint32) (*bgcorev1.ActResponse, error) {
	return s.resign(ctx, &bgcorev1.ResignAction{Points: points})
}

func (s *Seat) resign(ctx context.Context, offer *bgcorev1.ResignAction) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Resign{Resign: offer}})
}

// AnswerResignation accepts or declines the other's resignation.
func (s *Seat) AnswerResignation(ctx context.Context, accept bool) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_AnswerResignation{
		AnswerResignation: &bgcorev1.AnswerResignationAction{Accept: accept},
	}})
}

// NextGame starts the next game of the match.
func (s *Seat) NextGame(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_NextGame{NextGame: &bgcorev1.NextGameAction{}}})
}

// ResignMatch gives up the whole match; nobody has to accept it.
func (s *Seat) ResignMatch(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_ResignMatch{ResignMatch: &bgcorev1.ResignMatchAction{}}})
}

// EndSession ends a money session, between two games.
func (s *Seat) EndSession(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_EndSession{EndSession: &bgcorev1.EndSessionAction{}}})
}

// Flag claims that the other's time has run out. The server says so by itself, too.
func (s *Seat) Flag(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Flag{Flag: &bgcorev1.FlagAction{}}})
}

// Correct puts a legal play, as a text, in the place of this seat's illegal one.
func (s *Seat) Correct(ctx context.Context, text string) (*bgcorev1.ActResponse, error) {
	return s.correct(ctx, &bgcorev1.Play{Form: &bgcorev1.Play_Text{Text: text}})
}

// CorrectSteps does the same with steps, such as those of one of the decision's correct_plays.
func (s *Seat) CorrectSteps(ctx context.Context, steps []Step) (*bgcorev1.ActResponse, error) {
	return s.correct(ctx, &bgcorev1.Play{Form: &bgcorev1.Play_Steps{Steps: columns(steps)}})
}

func (s *Seat) correct(ctx context.Context, play *bgcorev1.Play) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Correct{Correct: &bgcorev1.CorrectAction{Play: play}}})
}

// Undo asks to take back what this seat did last, as long as no dice have fallen since.
func (s *Seat) Undo(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Undo{Undo: &bgcorev1.UndoAction{}}})
}

// AnswerUndo lets the other take back what he did last, or not. To play on is an answer, too: no.
func (s *Seat) AnswerUndo(ctx context.Context, accept bool) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_AnswerUndo{
		AnswerUndo: &bgcorev1.AnswerUndoAction{Accept: accept},
	}})
}

// Void asks to void the match and close the table, or agrees to it; nobody wins then.
func (s *Seat) Void(ctx context.Context) (*bgcorev1.ActResponse, error) {
	return s.Act(ctx, &bgcorev1.Action{Kind: &bgcorev1.Action_Void{Void: &bgcorev1.VoidAction{}}})
}

// May tells whether a state lets this seat do something beside what its decision lists: undo, answer an undo, void, rematch.
func (s *Seat) May(state *bgcorev1.TableState, kind bgcorev1.ActionKind) bool {
	if s.side == bgcorev1.Seat_SEAT_BLACK {
		return slices.Contains(state.GetBlackMay(), kind)
	}
	return slices.Contains(state.GetWhiteMay(), kind)
}

// Act does any action.
func (s *Seat) Act(ctx context.Context, action *bgcorev1.Action) (*bgcorev1.ActResponse, error) {
	return s.table.client.Tables.Act(bearing(ctx, s.token), &bgcorev1.ActRequest{
		Table:            s.table.id,
		Seat:             s.side,
		Action:           action,
		ExpectedRevision: s.revision,
		ValidateOnly:     s.options.ValidateOnly,
		View:             s.options.View,
		RequestId:        s.options.RequestID,
	})
}

// Choice is something to be decided.
type Choice struct {
	Decision *bgcorev1.Decision
	State    *bgcorev1.TableState
	// Seat acts only if nothing has happened since; see IsStale.
	Seat *Seat
}

// May tells whether the seat may do this.
func (c *Choice) May(kind bgcorev1.ActionKind) bool {
	for _, k := range c.Decision.GetKinds() {
		if k == kind {
			return true
		}
	}
	return false
}

// Decisions are the moments at which this seat may decide, with the legal plays, until the match is over. The other may
// be quicker where both may, such as at the opening throw: then the act is stale, and the next choice comes. An error is
// the last that comes.
func (s *Seat) Decisions(ctx context.Context) iter.Seq2[*Choice, error] {
	return s.decisions(ctx, func(state *bgcorev1.TableState) bool { return state.GetDecision() == nil })
}

// AllDecisions are the same in each match at this table, one rematch after another, until it is closed.
func (s *Seat) AllDecisions(ctx context.Context) iter.Seq2[*Choice, error] {
	return s.decisions(ctx, func(state *bgcorev1.TableState) bool { return state.GetClosed() != nil })
}

func (s *Seat) decisions(ctx context.Context, over func(*bgcorev1.TableState) bool) iter.Seq2[*Choice, error] {
	table := s.table
	if table.token == "" {
		table = table.WithToken(s.token)
	}
	return func(yield func(*Choice, error) bool) {
		for u, err := range table.Watch(ctx, WatchOptions{View: bgcorev1.PlayView_PLAY_VIEW_COLUMNS}) {
			if err != nil {
				yield(nil, err)
				return
			}
			if over(u.State) {
				return
			}
			decision := u.State.GetDecision()
			if decision == nil ||
				decision.GetSeat() != s.side && decision.GetSeat() != bgcorev1.Seat_SEAT_UNSPECIFIED {
				continue
			}
			if !yield(&Choice{decision, u.State, s.At(u.Revision)}, nil) {
				return
			}
		}
	}
}
