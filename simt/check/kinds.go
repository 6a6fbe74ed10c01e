package check

import (
	"fmt"
	"strings"
)

// Kinds is a set of kinds of defect.
type Kinds uint8

// The kinds of defect.
const (
	Bounds    Kinds = 1 << iota // an access outside of the object that it is meant for
	Race                        // two accesses that nothing orders, one of which writes
	Uninit                      // a value that nothing has written is used
	Barrier                     // a barrier that not all of a workgroup come to
	Wait                        // a value is used before the wait that its load needs
	Undefined                   // an instruction whose result its machine does not define

	All Kinds = 1<<iota - 1

	// Strict goes with Race, and is not one of All: lanes of a wave that execute together are in no order for
	// it, and writes of one value by several lanes race like others.
	Strict Kinds = 1 << 7
	// Portable goes with Race, and is not one of All: it judges as if waves had one lane, on every machine, so
	// that barriers of the workgroup and what is atomic alone order anything.
	Portable Kinds = 1 << 6
)

// names are the kinds in the order of their bits.
var names = [...]string{"bounds", "race", "uninit", "barrier", "wait", "undefined"}

// KindNames lists what ParseKinds reads.
var KindNames = "all, none, " + strings.Join(names[:], ", ") + ", " + strictName + ", " + portableName

// strictName is Race with Strict.
const strictName = "race-strict"

// portableName is Race with Portable.
const portableName = "portable"

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
		case minus && one&Strict != 0:
			k &^= Strict
		case minus && one&Portable != 0:
			k &^= Portable
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
	case strictName:
		return Race | Strict, true
	case portableName:
		return Race | Portable, true
	}
	for i, n := range names {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

func (k Kinds) String() string {
	switch k {
	case 0:
		return "none"
	case All:
		return "all"
	case All | Strict:
		return "all," + strictName
	case All | Portable:
		return "all," + portableName
	}
	var list []string
	for i, n := range names {
		switch {
		case k>>i&1 == 0:
		case 1<<i == Race && k&Strict != 0:
			list = append(list, strictName)
		case 1<<i == Race && k&Portable != 0:
			list = append(list, portableName)
		default:
			list = append(list, n)
		}
	}
	return strings.Join(list, ",")
}
