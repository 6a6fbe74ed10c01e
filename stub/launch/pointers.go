package launch

import (
	"encoding/binary"
	"fmt"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
	"simtgdb/simt"
)

// nearNull is how far from 0 an access is still taken for one through a null pointer: nothing is mapped there
// by systems, and of large offsets nobody can say what they were added to.
const nearNull = 64 << 10

// A pointed is a parameter for which the launch gives an address.
type pointed struct {
	name string
	addr uint64
}

// addresses are the parameters to which the launch gives addresses rather than buffers. sure leaves those out
// of which the file does not say whether they are pointers.
func (p *Program) addresses(sure bool) (all []pointed) {
	params, err := p.parameters()
	if err != nil {
		return nil
	}
	for i := range params {
		q := &params[i]
		if q.given == nil || q.given.Kind != ValueArg || len(q.given.Value) != 8 {
			continue
		}
		if may := q.MayPoint || p.Kernel.UndeclaredArgs; q.Kind == loader.GlobalBuffer || may && !sure {
			all = append(all, pointed{q.name(), binary.LittleEndian.Uint64(q.given.Value)})
		}
	}
	return all
}

// nullText names the pointers of the launch that are null, if an access may be by one of them.
func (p *Program) nullText(f *simt.Fault) string {
	if f.Space != simt.Global || f.Addr >= nearNull && -f.Addr > nearNull {
		return ""
	}
	for _, sure := range []bool{true, false} {
		var names []string
		for _, a := range p.addresses(sure) {
			if a.addr == 0 {
				names = append(names, a.name)
			}
		}
		switch len(names) {
		case 0:
			continue
		case 1:
			return names[0] + " is null"
		}
		return enumerated(names) + " are null"
	}
	return ""
}

// argumentsShown is how many arguments a report names of those that point into one piece of memory.
const argumentsShown = 4

// namedRegion is a region's name, behind those of the arguments that point into it.
func (p *Program) namedRegion(r *simt.Region) string {
	var names []string
	for _, a := range p.addresses(false) {
		if !r.Holds(a.addr, 1) {
			continue
		}
		text := a.name
		if into := a.addr - r.Base; into != 0 {
			text = fmt.Sprintf("%s from byte %d", a.name, into)
		}
		names = append(names, text)
	}
	if more := len(names) - argumentsShown; more > 0 {
		names = append(names[:argumentsShown], fmt.Sprintf("%d more", more))
	}
	name := printable.Name(r.Name)
	if len(names) == 0 {
		return name
	}
	return enumerated(names) + ", " + name
}

// enumerated lists names as a sentence does.
func enumerated(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
