// Tour shows what the client can do.
//
//	go run ./examples/tour [-server address]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"

	"google.golang.org/protobuf/proto"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

func main() {
	server := flag.String("server", "127.0.0.1:50051", "address of the server")
	flag.Parse()
	client, err := bgcore.Dial(*server)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx := context.Background()
	if err := rules(ctx, client); err != nil {
		log.Fatal(err)
	}
	if err := board(ctx, client); err != nil {
		log.Fatal(err)
	}
	if err := house(ctx, client); err != nil {
		log.Fatal(err)
	}
	if err := dice(ctx, client); err != nil {
		log.Fatal(err)
	}
	if err := friends(ctx, client); err != nil {
		log.Fatal(err)
	}
}

// Rules need no table. Which plays has an opening 3-1?
func rules(ctx context.Context, client *bgcore.Client) error {
	western, err := client.Variants.GetVariant(ctx, &bgcorev1.GetVariantRequest{Id: "western"})
	if err != nil {
		return err
	}
	position := western.GetVariant().GetStart()
	position.OnRoll = bgcorev1.Seat_SEAT_WHITE
	answer, err := client.Rules.ListPlays(ctx, &bgcorev1.ListPlaysRequest{
		Variant:  &bgcorev1.VariantRef{Kind: &bgcorev1.VariantRef_Id{Id: "western"}},
		Position: position,
		Dice:     []uint32{3, 1},
		View:     bgcorev1.PlayView_PLAY_VIEW_TEXT,
	})
	if err != nil {
		return err
	}
	plays, err := bgcore.Plays(answer.GetPlays())
	for _, play := range plays {
		fmt.Println(play.Text)
	}
	return err
}

// Two players at a real board, who type in what they throw.
func board(ctx context.Context, client *bgcore.Client) error {
	table, err := client.CreateTable(ctx, bgcore.NewTable{
		Variant:  "western",
		Options:  bgcore.Options{"match_length": bgcore.Int(5)},
		DiceMode: bgcorev1.DiceMode_DICE_MODE_MANUAL,
	})
	if err != nil {
		return err
	}
	ann, err := table.Join(ctx, bgcorev1.Seat_SEAT_WHITE, "Ann")
	if err != nil {
		return err
	}
	if _, err := table.Join(ctx, bgcorev1.Seat_SEAT_BLACK, "Bob"); err != nil {
		return err
	}
	if _, err := ann.Throw(ctx, 3, 1); err != nil {
		return err
	}

	_, err = ann.Play(ctx, "8/5 6/4")
	var refused *bgcore.Error
	if errors.As(err, &refused) {
		step, _ := refused.Step()
		fmt.Println(refused.Reason, "at step", step, refused.Metadata) // NUMBER_NOT_ROLLED at step 1 …
	}

	played, err := ann.Play(ctx, "8/5 6/5")
	if err != nil {
		return err
	}
	for update, err := range table.Watch(ctx, bgcore.WatchOptions{After: proto.Uint32(0)}) {
		if err != nil {
			return err
		}
		fmt.Println(update.Revision, update.Event.GetAction(), update.Event.GetSeatTaken())
		if update.Revision == played.GetLastRevision() {
			break
		}
	}
	return nil
}

// House rules, and a match whose games change.
func house(ctx context.Context, client *bgcore.Client) error {
	kitchen := bgcore.House("western", bgcore.HouseRules{
		Title: "Kitchen table",
		Axes:  bgcore.Options{"bear_off": bgcore.Word("exact"), "cube": bgcore.Flag(false)},
		Start: map[uint32]uint32{24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
	})
	table, err := client.CreateTable(ctx, bgcore.NewTable{
		Spec:    kitchen,
		Options: bgcore.Options{"match_length": bgcore.Int(3)},
	})
	if err != nil {
		return err
	}

	wrong := bgcore.House("western", bgcore.HouseRules{
		Axes: bgcore.Options{"contcat": bgcore.Word("pin"), "gammon_value": bgcore.Int(9)},
	})
	_, err = client.CreateTable(ctx, bgcore.NewTable{Spec: wrong})
	var refused *bgcore.Error
	if errors.As(err, &refused) {
		for _, violation := range refused.Violations() {
			fmt.Println(violation.Subject, "-", violation.Description) // variant.spec.axes["contcat"] …
		}
	}

	table, err = client.CreateTable(ctx, bgcore.NewTable{
		Rotation: bgcore.RotationOf(
			bgcore.Variant("portes", "", nil),
			bgcore.Variant("plakoto", "", bgcore.Options{"mother_rule": bgcore.Flag(true)}),
			bgcore.VariantOf(kitchen, "", nil),
		),
		Options: bgcore.Options{"match_length": bgcore.Int(5)},
	})
	if err != nil {
		return err
	}
	told, err := table.Get(ctx)
	if err != nil {
		return err
	}
	match := told.GetState().GetMatch()
	fmt.Println(match.GetVariant(), "and then", match.GetNextVariant())
	return nil
}

// Two players whose dice can be checked when the match is over.
func dice(ctx context.Context, client *bgcore.Client) error {
	table, err := client.CreateTable(ctx, bgcore.NewTable{
		Variant:  "tavla",
		DiceMode: bgcorev1.DiceMode_DICE_MODE_COMMITTED,
	})
	if err != nil {
		return err
	}
	ann, err := table.Join(ctx, bgcorev1.Seat_SEAT_WHITE, "Ann")
	if err != nil {
		return err
	}
	bob, err := table.Join(ctx, bgcorev1.Seat_SEAT_BLACK, "Bob")
	if err != nil {
		return err
	}
	if _, err := ann.Throw(ctx); err != nil {
		return err
	}
	if _, err := bob.ResignMatch(ctx); err != nil {
		return err
	}

	answer, err := table.VerifyDice(ctx)
	if err != nil {
		return err
	}
	faults, err := bgcore.CheckDice(answer.GetDice(), table.Events(ctx, bgcore.EventsOptions{}), ann)
	if err != nil {
		return err
	}
	fmt.Println(len(answer.GetThrows()), "throws,", len(faults), "faults")
	return nil
}

// Two friends at a table of their own: they take something back, and play another match.
func friends(ctx context.Context, client *bgcore.Client) error {
	table, err := client.CreateTable(ctx, bgcore.NewTable{
		Variant:    "western",
		Options:    bgcore.Options{"match_length": bgcore.Int(1), "auto_roll": bgcore.Flag(true)},
		Visibility: bgcorev1.Visibility_VISIBILITY_PRIVATE,
		DiceMode:   bgcorev1.DiceMode_DICE_MODE_COMMITTED,
	})
	if err != nil {
		return err
	}
	secrets := table.Secrets() // keep them: only who has Host can close the table
	ann, err := table.Join(ctx, bgcorev1.Seat_SEAT_WHITE, "Ann")
	if err != nil {
		return err
	}
	invited := client.Table(table.ID()).WithToken(secrets.Invitation) // what Bob makes of id and invitation
	bob, err := invited.Join(ctx, bgcorev1.Seat_SEAT_BLACK, "Bob")
	if err != nil {
		return err
	}
	if _, err := bob.ResignMatch(ctx); err != nil {
		return err
	}

	ann, _, err = ann.Rematch(ctx, bgcore.RematchOptions{})
	if err != nil {
		return err
	}
	bob, answer, err := bob.Rematch(ctx, bgcore.RematchOptions{})
	if err != nil {
		return err
	}
	fmt.Println("match", answer.GetState().GetMatchNumber())

	if _, err := bob.ResignMatch(ctx); err != nil {
		return err
	}
	for _, seat := range []*bgcore.Seat{ann, bob} {
		proof, err := table.VerifyMatchDice(ctx, seat.Noted().Match)
		if err != nil {
			return err
		}
		faults, err := bgcore.CheckDice(proof.GetDice(), table.Events(ctx, bgcore.EventsOptions{}), seat)
		if err != nil {
			return err
		}
		fmt.Println("match", seat.Noted().Match, "has", len(faults), "faults")
	}
	_, err = table.Close(ctx, "thank you")
	return err
}
