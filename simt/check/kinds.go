package check

import (
	"fmt"
	"strings"
)

// Kinds is a set of kinds of defect.
type Kinds uint16

// The kinds of defect.
const (
	Bounds    Kinds = 1 << iota // an access outside of the object that it is meant for
	Race                        // two accesses that nothing orders, one of which writes
	Uninit                      // a value that nothing has written is used
	Barrier                     // a barrier that not all of a workgroup come to
	Wait                        // a value is used before the wait that its load needs
	Undefined                   // an instruction whose result its machine does not define

	All Kinds = 1<<iota - 1

	// Leak is memory of a device that a program leaves behind. It is not one of All, and no [Checker] looks
	// for it.
	Leak Kinds = 1 << 8

	// API is a call of a host program's that is wrong, Host an access of its own to memory that the device
	// has too and that nothing orders with what the device does. They are not of All, and no [Checker] looks
	// for them.
	API  Kinds = 1 << 10
	Host Kinds = 1 << 11

	// OfExec are those that are of host programs.
	OfExec = Leak | API | Host

	// NaN is an instruction that makes a NaN or an infinity of finite numbers. It is not one of All.
	NaN Kinds = 1 << 9

	// Strict goes with Race, and is not one of All: lanes of a wave that execute together are in no order for
	// it, and writes of one value by several lanes race like others.
	Strict Kinds = 1 << 15
	// Portable goes with Race, and is not one of All: it judges as if waves had one lane, on every machine,
	// so that barriers of the workgroup and what is atomic alone order anything.
	Portable Kinds = 1 << 14
)

// names are what users call kinds, in the order in which they are told.
var names = []struct {
	name string
	kind Kinds
}{{"bounds", Bounds}, {"race", Race}, {"uninit", Uninit}, {"barrier", Barrier}, {"wait", Wait},
	{"undefined", Undefined}, {"leak", Leak}, {"api", API}, {"host", Host}, {"nan", NaN},
	{strictName, Race | Strict}, {portableName, Race | Portable}}

// strictName is Race with Strict, portableName Race with Portable.
const (
	strictName   = "race-strict"
	portableName = "portable"
)

// KindNames lists what ParseKinds reads.
var KindNames = func() string {
	list := []string{"all", "none"}
	for _, n := range names {
		list = append(list, n.name)
	}
	return strings.Join(list, ", ")
}()

// ParseKinds reads a list such as "race,barrier", "all" or "none". A word with a minus before it is
// taken away.
func ParseKinds(text string) (Kinds, error) {
	var k Kinds
	for _, word := range strings.Split(text, ",") {
		name, minus := strings.CutPrefix(strings.TrimSpace(word), "-")
		one, ok := kindNamed(name)
		switch {
		case !ok:
			return 0, fmt.Errorf("%q is no kind of check; the kinds are %s", word, KindNames)
		case minus && one&(Strict|Portable) != 0:
			k &^= one &^ Race
		case minus && one&Race != 0:
			k &^= one | Strict | Portable
		case minus:
			k &^= one
		default:
			k |= one
		}
	}
	return k, nil
}

func kindNamed(name string) (Kinds, bool) {
	switch name {
	case "all":
		return All, true
	case "none":
		return 0, true
	}
	for _, n := range names {
		if n.name == name {
			return n.kind, true
		}
	}
	return 0, false
}

func (k Kinds) String() string {
	var list []string
	switch {
	case k == 0:
		return "none"
	case k&All == All:
		list, k = []string{"all"}, k&^All
		if k&(Strict|Portable) != 0 {
			k |= Race
		}
	}
	for _, n := range names {
		switch {
		case k&n.kind != n.kind:
		case n.kind == Race && k&(Strict|Portable) != 0:
		default:
			list = append(list, n.name)
		}
	}
	return strings.Join(list, ",")
}
