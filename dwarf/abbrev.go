package dwarf

import (
	"sync"

	"simtgdb/dwarf/internal/section"
)

const abbrevSection = ".debug_abbrev"

// An abbrev is one declaration of an abbreviation table (DWARF 5 section 7.5.3).
type abbrev struct {
	code     uint64
	tag      Tag
	children bool
	specs    []attrSpec
}

type attrSpec struct {
	name     At
	form     Form
	class    Class // 0 for DW_FORM_indirect
	leads    bool  // the number as it is written may lead to the value
	implicit int64 // the value of DW_FORM_implicit_const
}

// An abbrevTable finds declarations by code. Producers number them from 1 on, so most tables are a
// slice; the map has what does not fit.
type abbrevTable struct {
	dense  []abbrev // code i+1 at i
	sparse map[uint64]*abbrev
}

func (t *abbrevTable) find(code uint64) *abbrev {
	if code-1 < uint64(len(t.dense)) {
		return &t.dense[code-1]
	}
	return t.sparse[code]
}

func (t *abbrevTable) add(a abbrev) bool {
	if t.find(a.code) != nil {
		return false
	}
	if a.code == uint64(len(t.dense))+1 {
		t.dense = append(t.dense, a)
		return true
	}
	if t.sparse == nil {
		t.sparse = make(map[uint64]*abbrev)
	}
	t.sparse[a.code] = &a
	return true
}

// An abbrevCache has the tables that were read. A table is read once for each version that uses it,
// since the version decides the classes of some forms.
type abbrevCache struct {
	mu     sync.Mutex
	data   []byte
	big    bool
	tables map[abbrevKey]abbrevResult
	budget int64
}

type abbrevKey struct {
	offset  uint64
	version uint16
}

type abbrevResult struct {
	table *abbrevTable
	err   error
}

func (c *abbrevCache) init(data []byte, big bool) {
	c.data, c.big = data, big
	c.tables = make(map[abbrevKey]abbrevResult)
	// Tables do not overlap in real files: each version reads the section once at most. Hostile units
	// that all start within one long table run out of this.
	c.budget = 8*int64(len(data)) + 1<<16
}

func (c *abbrevCache) table(offset uint64, version uint16) (*abbrevTable, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := abbrevKey{offset, version}
	res, ok := c.tables[key]
	if !ok {
		res.table, res.err = c.read(offset, version)
		c.tables[key] = res
	}
	return res.table, res.err
}

func (c *abbrevCache) read(offset uint64, version uint16) (*abbrevTable, error) {
	if c.budget <= 0 {
		return nil, section.Errorf(abbrevSection, offset, "too many overlapping abbreviation tables")
	}
	all := section.NewReader(abbrevSection, c.data, c.big)
	r := all.At(offset)
	t := &abbrevTable{}
	for {
		code := r.ULEB()
		if code == 0 || r.Err() != nil {
			break
		}
		a := abbrev{code: code, tag: Tag(number16(&r, "tag"))}
		a.children = r.U8() != 0
		a.specs = readAttrSpecs(&r, version)
		if r.Err() == nil && !t.add(a) {
			r.Fail("abbreviation code %d for the second time", code)
		}
	}
	c.budget -= int64(r.Offset() - min(offset, r.Offset()))
	return t, r.Err()
}

func readAttrSpecs(r *section.Reader, version uint16) []attrSpec {
	var specs []attrSpec
	for {
		s := attrSpec{name: At(number16(r, "attribute")), form: Form(number16(r, "form"))}
		if s.form == FormImplicitConst {
			s.implicit = r.SLEB()
		}
		if r.Err() != nil || s.name == 0 && s.form == 0 {
			return specs
		}
		s.class = classOf(s.name, s.form, version)
		if s.class == 0 && s.form != FormIndirect {
			r.Fail("unknown form 0x%x of %v", uint16(s.form), s.name)
			return specs
		}
		switch s.class {
		case ClassString, ClassReference, ClassAddress, ClassLocList, ClassRngList, 0:
			s.leads = s.form != FormAddr && s.form != FormString
		}
		specs = append(specs, s)
	}
}

// number16 reads a number that the standard limits to 16 bits.
func number16(r *section.Reader, what string) uint16 {
	n := r.ULEB()
	if n > 0xffff {
		r.Fail("%s number 0x%x, the highest is 0xffff", what, n)
		return 0
	}
	return uint16(n)
}
