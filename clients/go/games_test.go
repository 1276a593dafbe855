package bgcore_test

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	bgcore "github.com/bgcore/bgcore/clients/go"
	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

func equal(t *testing.T, found, wanted proto.Message) {
	t.Helper()
	if !proto.Equal(found, wanted) {
		t.Errorf("found  %v\nwanted %v", found, wanted)
	}
}

func TestHouseRulesAreAParentAndWhatDiffers(t *testing.T) {
	equal(t, bgcore.House("tavla", bgcore.HouseRules{}), &bgcorev1.VariantSpec{Base: "tavla"})
	rules := bgcore.House("western", bgcore.HouseRules{
		ID:      "kitchen",
		Title:   "Kitchen table",
		Summary: "As we play it.",
		Axes:    bgcore.Options{"bear_off": bgcore.Word("exact")},
		Start:   map[uint32]uint32{24: 2},
		Options: []string{},
		Bundles: map[string]bgcore.Options{"quick": {"match_length": bgcore.Int(1)}},
	})
	equal(t, rules, &bgcorev1.VariantSpec{
		Base: "western", Id: "kitchen", Title: "Kitchen table", Summary: "As we play it.",
		Axes:    map[string]*bgcorev1.OptionValue{"bear_off": bgcore.Word("exact")},
		Start:   &bgcorev1.SpecStart{Points: map[uint32]uint32{24: 2}},
		Options: &bgcorev1.SpecOptions{},
		Bundles: map[string]*bgcorev1.SpecBundle{
			"quick": {Options: map[string]*bgcorev1.OptionValue{"match_length": bgcore.Int(1)}},
		},
	})
}

func TestATableOrARematchHasARotationOrHouseRules(t *testing.T) {
	var variant *bgcorev1.VariantRef
	var rotation *bgcorev1.RotationRef
	s := creating()
	create := s.create
	s.create = func(r *bgcorev1.CreateTableRequest) (*bgcorev1.CreateTableResponse, error) {
		variant, rotation = r.GetVariant(), r.GetRotation()
		return create(r)
	}
	s.act = func(_ context.Context, r *bgcorev1.ActRequest) (*bgcorev1.ActResponse, error) {
		variant, rotation = r.GetAction().GetRematch().GetVariant(), r.GetAction().GetRematch().GetRotation()
		return &bgcorev1.ActResponse{}, nil
	}
	client, ctx := s.client(t), t.Context()
	for name, ask := range map[string]func(bgcore.NewTable) error{
		"table": func(o bgcore.NewTable) error {
			_, err := client.CreateTable(ctx, o)
			return err
		},
		"rematch": func(o bgcore.NewTable) error {
			_, _, err := client.Table("t").Seat(white, "w").Rematch(ctx, bgcore.RematchOptions{
				Variant: o.Variant, Spec: o.Spec, Rotation: o.Rotation, Preset: o.Preset, Options: o.Options,
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			house := bgcore.House("tavla", bgcore.HouseRules{ID: "kitchen"})
			length := bgcore.Options{"match_length": bgcore.Int(3)}
			must(t, ask(bgcore.NewTable{Spec: house, Preset: "quick", Options: length}))
			equal(t, variant, bgcore.VariantOf(house, "quick", length))

			must(t, ask(bgcore.NewTable{Rotation: bgcore.Rotation("tavli"), Options: length}))
			equal(t, variant, (*bgcorev1.VariantRef)(nil))
			equal(t, rotation, &bgcorev1.RotationRef{Id: "tavli", Options: length})

			mine := bgcore.RotationOf(bgcore.Variant("portes", "", nil), bgcore.VariantOf(house, "", nil))
			mine.DrawPolicy = bgcorev1.DrawPolicy_DRAW_POLICY_ADVANCE
			must(t, ask(bgcore.NewTable{Rotation: mine, Options: length}))
			if len(mine.GetOptions()) > 0 {
				t.Error("the caller's rotation was changed")
			}
			mine.Options = length
			equal(t, rotation, mine)
			if both := ask(bgcore.NewTable{Variant: "plakoto", Spec: house}); both == nil ||
				!strings.Contains(both.Error(), "variant plakoto: expected none beside a spec") {
				t.Error(both)
			}
			must(t, ask(bgcore.NewTable{Variant: "tavla"}))
			equal(t, rotation, (*bgcorev1.RotationRef)(nil))
			equal(t, variant, bgcore.Variant("tavla", "", nil))
		})
	}
}

func TestADoubleIsNamed(t *testing.T) {
	s := creating()
	var named uint32
	s.act = func(_ context.Context, r *bgcorev1.ActRequest) (*bgcorev1.ActResponse, error) {
		named = r.GetAction().GetNameDouble().GetNumber()
		return &bgcorev1.ActResponse{}, nil
	}
	_, err := s.client(t).Table("t").Seat(white, "w").NameDouble(t.Context(), 4)
	must(t, err)
	if named != 4 {
		t.Error(named)
	}
}
