package arch

import (
	"fmt"
	"slices"
	"strings"
)

// A Lister is a Family that says which instructions its machine knows.
type Lister interface {
	// Instructions lists those of a processor in the order of the
	// architecture's documents, by name where these have none.
	Instructions(processor string) ([]Instruction, error)
}

// An Instruction is one that a machine knows.
type Instruction struct {
	Group    string // its encoding or kind, as the architecture's documents call it
	Name     string
	Executes bool // or else it can be read, but a wave that comes to it faults
}

// OfProcessor is the family that simulates a processor. The error names the
// processors that there are.
func OfProcessor(name string) (Family, error) {
	var known []string
	for _, f := range Families() {
		if slices.Contains(f.Processors(), name) {
			return f, nil
		}
		known = append(known, f.Processors()...)
	}
	return nil, fmt.Errorf("processor %q is not known; these are: %s", name, strings.Join(known, ", "))
}
