// Playmatch plays a match against the bot "greedy" and knows no rules: it only picks from what the server lists.
//
//	go run ./examples/playmatch [-server address] [-variant id] [-preset id] [-length points] [-tries number]
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

func main() {
	log.SetFlags(0)
	server := flag.String("server", "127.0.0.1:50051", "address of the server")
	variant := flag.String("variant", "western", "variant to play")
	preset := flag.String("preset", "", "preset of the variant, such as money-004")
	length := flag.Int64("length", 3, "points to be reached; 0: as the preset has it")
	tries := flag.Int("tries", bgcore.DefaultRetry.Attempts, "how often in a row to call a server that does not answer")
	flag.Parse()
	if err := play(context.Background(), *server, *variant, *preset, *length, *tries); err != nil {
		log.Fatal(err)
	}
}

func play(ctx context.Context, server, variant, preset string, length int64, tries int) error {
	client, err := bgcore.Dial(server)
	if err != nil {
		return err
	}
	defer client.Close()
	retry := bgcore.DefaultRetry
	retry.Attempts = tries
	client = client.WithRetry(retry)
	options := bgcore.Options{}
	if length > 0 {
		options["match_length"] = bgcore.Int(length)
	}
	table, err := client.CreateTable(ctx, bgcore.NewTable{
		Variant: variant,
		Preset:  preset,
		Options: options,
		Black:   bgcore.Bot("greedy"),
	})
	if err != nil {
		return err
	}
	me, err := table.Join(ctx, bgcorev1.Seat_SEAT_UNSPECIFIED, "Go")
	if err != nil {
		return err
	}

	for choice, err := range me.Decisions(ctx) {
		if err != nil {
			return err
		}
		// Where both may act, the bot can be quicker; what it did comes next.
		if err := decide(ctx, choice); err != nil && !bgcore.IsStale(err) {
			return err
		}
	}

	answer, err := table.Get(ctx)
	if err != nil {
		return err
	}
	match := answer.GetState().GetMatch()
	fmt.Printf("%s: Go %d, greedy %d\n", variant, match.GetWhiteScore(), match.GetBlackScore())
	if match.GetWinner() == bgcorev1.Seat_SEAT_UNSPECIFIED && !match.GetClosed() {
		return fmt.Errorf("%s: nobody has won", variant)
	}
	return nil
}

// decide does the first of the kinds that it knows how to answer; a play at random.
func decide(ctx context.Context, choice *bgcore.Choice) (err error) {
	seat := choice.Seat
	switch {
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_THROW):
		_, err = seat.Throw(ctx)
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_END_SESSION) && rand.IntN(3) == 0:
		_, err = seat.EndSession(ctx) // one plays for money as long as one likes
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_NEXT_GAME):
		_, err = seat.NextGame(ctx)
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_ANSWER_RESIGNATION):
		_, err = seat.AnswerResignation(ctx, true)
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_ANIMAL) && rand.IntN(4) == 0:
		_, err = seat.Animal(ctx)
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_TAKE):
		_, err = seat.Take(ctx)
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_DOUBLE) && rand.IntN(20) == 0:
		_, err = seat.Double(ctx)
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_ROLL):
		_, err = seat.Roll(ctx)
	case choice.May(bgcorev1.ActionKind_ACTION_KIND_NAME_DOUBLE):
		_, err = seat.NameDouble(ctx, 1+rand.Uint32N(6))
	default:
		plays, bad := bgcore.Plays(choice.Decision.GetPlays())
		if bad != nil {
			return bad
		}
		_, err = seat.PlaySteps(ctx, plays[rand.IntN(len(plays))].Steps)
	}
	return err
}
