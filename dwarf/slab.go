package dwarf

// slabs hand out entries, attributes and lists of children many at a time, since a large unit has millions
// of them. Each takes how many more there may be, which bounds what is made beforehand.
type slabs struct {
	entries []DIE  // free places
	attrs   []Attr // free places
	refs    []*DIE // free places for lists of children
}

const slab = 512

func (s *slabs) die(most int) *DIE {
	if len(s.entries) == 0 {
		s.entries = make([]DIE, min(slab, most+1))
	}
	d := &s.entries[0]
	s.entries = s.entries[1:]
	return d
}

// attributes gives n attributes. What is appended to them goes elsewhere.
func (s *slabs) attributes(n, most int) []Attr {
	if n > len(s.attrs) {
		s.attrs = make([]Attr, max(n, min(4*slab, most+1)))
	}
	a := s.attrs[:n:n]
	s.attrs = s.attrs[n:]
	return a
}

// children gives a list of n children, as attributes does.
func (s *slabs) children(n, most int) []*DIE {
	if n == 0 {
		return nil
	}
	if n > len(s.refs) {
		s.refs = make([]*DIE, max(n, min(slab, most+1)))
	}
	c := s.refs[:n:n]
	s.refs = s.refs[n:]
	return c
}
