package bgcore

import bgcorev1 "github.com/bgcore/bgcore/clients/go/gen/bgcore/v1"

// Options are values by the name of the option.
type Options map[string]*bgcorev1.OptionValue

// Flag is true or false.
func Flag(value bool) *bgcorev1.OptionValue {
	return &bgcorev1.OptionValue{Kind: &bgcorev1.OptionValue_Flag{Flag: value}}
}

// Int is a whole number.
func Int(value int64) *bgcorev1.OptionValue {
	return &bgcorev1.OptionValue{Kind: &bgcorev1.OptionValue_Integer{Integer: value}}
}

// Word is a word of an enumeration, or a text.
func Word(value string) *bgcorev1.OptionValue {
	return &bgcorev1.OptionValue{Kind: &bgcorev1.OptionValue_Text{Text: value}}
}

// List is several values.
func List(values ...*bgcorev1.OptionValue) *bgcorev1.OptionValue {
	return &bgcorev1.OptionValue{Kind: &bgcorev1.OptionValue_List{List: &bgcorev1.OptionList{Values: values}}}
}

// None is no limit; a match length of none is a money session.
func None() *bgcorev1.OptionValue {
	return &bgcorev1.OptionValue{Kind: &bgcorev1.OptionValue_None{None: &bgcorev1.OptionNone{}}}
}

// Bot puts a bot of the server on a seat.
func Bot(id string) *bgcorev1.Occupant {
	return &bgcorev1.Occupant{Kind: &bgcorev1.Occupant_Bot{Bot: &bgcorev1.Bot{Id: id}}}
}

// Player keeps a seat for a player who joins later.
func Player(name string) *bgcorev1.Occupant { return AccountPlayer("", name) }

// AccountPlayer keeps a seat for an account, by the "sub" of its token: nobody else can take it. The name is the one shown.
func AccountPlayer(account, name string) *bgcorev1.Occupant {
	return &bgcorev1.Occupant{Kind: &bgcorev1.Occupant_Player{Player: &bgcorev1.Player{Name: name, Account: account}}}
}
