package rows

import "slices"

// A Plan is what code has to see to before a segment: nothing of it happens unless all of it may.
type Plan struct {
	Groups []Span // of accesses that are checked together
	Kinds  []AccessKind
	Stores int // to memory that is not private
}

// A Span is a group of accesses, with where they begin and end, from the numbers in the group's row on.
type Span struct {
	Group
	Lo, Hi int64
}

// An AccessKind is a kind of accesses that observers may want to know of, as Context.Wanted has them. Taken
// says that one of them is not Given.
type AccessKind struct {
	Space Space
	Write int // 1 of stores
	Taken bool
}

// Access is what the slot of a group is for.
func (g *Span) Access() Access {
	return Access{Reg: g.Reg, Offset: g.Lo, Size: uint64(g.Hi - g.Lo), Write: g.Write, Under: g.Under}
}

// Find is the group of some accesses, -1 if there is none.
func (p *Plan) Find(of Group) int {
	return slices.IndexFunc(p.Groups, func(g Span) bool { return g.Group == of })
}

// Make plans the instructions of a segment. It is false if there are more groups than MostGroups.
func (p *Plan) Make(insts []Inst) bool {
	*p = Plan{Groups: p.Groups[:0]}
	var kinds [len(Context{}.Wanted)][2]struct{ is, taken bool }
	for i := range insts {
		for k := range insts[i].Ops {
			o := &insts[i].Ops[k]
			if o.Kind != Load && o.Kind != Store {
				continue
			}
			write := 0
			if o.Kind == Store {
				write = 1
			}
			if int(o.Space) < len(kinds) {
				kind := &kinds[o.Space][write]
				kind.is, kind.taken = true, kind.taken || !o.Given
			}
			if g, ok := o.Checked(); ok && !p.add(g, o) {
				return false
			}
			if o.Kind == Store && o.Space != Private {
				p.Stores++
			}
		}
	}
	for space := range kinds {
		for write, kind := range kinds[space] {
			if kind.is {
				p.Kinds = append(p.Kinds, AccessKind{Space(space), write, kind.taken})
			}
		}
	}
	return true
}

// add puts an access into its group. It reports whether there is room.
func (p *Plan) add(of Group, o *Op) bool {
	end := o.Offset + int64(o.Size)
	if i := p.Find(of); i >= 0 {
		g := &p.Groups[i]
		g.Lo, g.Hi = min(g.Lo, o.Offset), max(g.Hi, end)
		return true
	}
	if len(p.Groups) == MostGroups {
		return false
	}
	p.Groups = append(p.Groups, Span{of, o.Offset, end})
	return true
}
