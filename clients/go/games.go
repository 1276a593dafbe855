package bgcore

import (
	"maps"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"
)

// HouseRules are what differs from a variant. All of it may be left out.
type HouseRules struct {
	// ID, Title and Summary are names; without, they follow from the rules.
	ID, Title, Summary string
	// Axes are other values on the axes of the variant, by name.
	Axes Options
	// Start has the checkers of each side by own point, 24 the farthest; nil: as in the parent.
	Start map[uint32]uint32
	// Options names what a table may still choose; nil: what the parent lets choose.
	Options []string
	// Bundles are values of options that are chosen together, by the name that is given as a preset.
	Bundles map[string]Options
}

// House makes house rules: a variant of the server, and what differs from it.
func House(parent string, rules HouseRules) *bgcorev1.VariantSpec {
	spec := &bgcorev1.VariantSpec{
		Base: parent, Id: rules.ID, Title: rules.Title, Summary: rules.Summary, Axes: rules.Axes,
	}
	if rules.Start != nil {
		spec.Start = &bgcorev1.SpecStart{Points: rules.Start}
	}
	if rules.Options != nil {
		spec.Options = &bgcorev1.SpecOptions{Names: rules.Options}
	}
	if rules.Bundles != nil {
		spec.Bundles = make(map[string]*bgcorev1.SpecBundle, len(rules.Bundles))
		for name, options := range rules.Bundles {
			spec.Bundles[name] = &bgcorev1.SpecBundle{Options: options}
		}
	}
	return spec
}

// Variant is a variant by its id or alias, with a preset of it, or "", and options that differ from that, or nil.
func Variant(id, preset string, options Options) *bgcorev1.VariantRef {
	return &bgcorev1.VariantRef{Kind: &bgcorev1.VariantRef_Id{Id: id}, Preset: preset, Options: options}
}

// VariantOf is the same of house rules; their bundles are chosen as presets are.
func VariantOf(rules *bgcorev1.VariantSpec, preset string, options Options) *bgcorev1.VariantRef {
	return &bgcorev1.VariantRef{Kind: &bgcorev1.VariantRef_Spec{Spec: rules}, Preset: preset, Options: options}
}

// Rotation is one of the server's rotations by its id, such as "tavli": a match whose games change. What it says of the
// draw policy and the first game may be changed in the message; options of the match belong into NewTable.Options.
func Rotation(id string) *bgcorev1.RotationRef { return &bgcorev1.RotationRef{Id: id} }

// RotationOf are games that follow one another, two of them and more, each with its own options of the game.
func RotationOf(games ...*bgcorev1.VariantRef) *bgcorev1.RotationRef {
	return &bgcorev1.RotationRef{Games: games}
}

// wanted is what a table or a rematch names as its games.
type wanted struct {
	variant  string
	spec     *bgcorev1.VariantSpec
	preset   string
	options  Options
	rotation *bgcorev1.RotationRef
}

// none tells whether nothing is named, so that what was said before holds.
func (w *wanted) none() bool {
	return w.variant == "" && w.spec == nil && w.preset == "" && w.options == nil && w.rotation == nil
}

// check refuses two games where one can be played: which of them was meant, nobody knows.
func (w *wanted) check() error {
	if w.variant != "" && w.spec != nil {
		return asError(status.Errorf(codes.InvalidArgument, "variant %s: expected none beside a spec, which has its parent", w.variant))
	}
	return nil
}

// ref is the variant. With a rotation there is none, unless somebody names both, which the server refuses.
func (w *wanted) ref() *bgcorev1.VariantRef {
	switch {
	case w.spec != nil:
		return VariantOf(w.spec, w.preset, w.options)
	case w.rotation != nil && w.variant == "" && w.preset == "":
		return nil
	}
	return Variant(w.variant, w.preset, w.options)
}

// games are those of the rotation, if there is one, with the options.
func (w *wanted) games() *bgcorev1.RotationRef {
	if w.rotation == nil || len(w.options) == 0 {
		return w.rotation
	}
	changed := proto.CloneOf(w.rotation)
	if changed.Options == nil {
		changed.Options = Options{}
	}
	maps.Copy(changed.Options, w.options)
	return changed
}
