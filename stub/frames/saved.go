package frames

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"simtgdb/dwarf/expr"
	"simtgdb/stub/unwind"
)

// Saved implements unwind.Describer: where the registers of the frame are that
// the frames inside it have saved or lost, a line each.
func (r *ruledRegisters) Saved() []string {
	var lines []string
	if d, ok := r.base.Frame.Registers.(unwind.Describer); ok {
		lines = append(lines, fmt.Sprintf("as frame %d has the registers; of those, %s",
			r.base.Frame.Level, strings.Join(d.Saved(), "; ")))
	}
	cfa := r.frame.CFA.String()
	if a, ok := r.frame.CFA.Address(); ok {
		cfa = r.memory(a)
	}
	lines = append(lines, "CFA of the callee: "+cfa)
	var lost []uint64
	for _, num := range r.ruled() {
		l, err := r.frame.Register(num)
		switch {
		case err != nil:
			lines = append(lines, fmt.Sprintf("%s: %v", r.name(num), err))
		case l.Kind() == expr.Undefined:
			lost = append(lost, num)
		case r.inPlace(num, l):
		default:
			lines = append(lines, r.name(num)+": "+r.describe(num, l))
		}
	}
	if len(lost) > 0 {
		lines = append(lines, "not saved: "+r.names(lost))
	}
	return lines
}

// ruled are the registers that a row between the base frame and this one has
// a rule for.
func (r *ruledRegisters) ruled() []uint64 {
	var nums []uint64
	for ; r != nil; r = r.inner {
		for _, rule := range r.frame.Row.Registers {
			nums = append(nums, rule.Register)
		}
	}
	slices.Sort(nums)
	return slices.Compact(nums)
}

// A home is where dwords of a register are: those of one vector register, or
// of one dword of every lane's private memory, are together.
type home struct {
	name    string
	perLane bool
}

// describe says where a register's value is: for a vector register, which
// lanes are where.
func (r *ruledRegisters) describe(num uint64, l expr.Location) string {
	size, err := r.base.RegisterSize(num)
	if err != nil {
		return l.String()
	}
	if text, ok := r.whole(l, size); ok {
		return text
	}
	if v, ok := constant(l); ok {
		return v
	}
	var order []home
	lanes := map[home]uint64{}
	var dwords []string
	own := true // every dword is in its own lane
	for i := range uint64(size / 4) {
		pieces, err := l.Pieces(r.base, 32*i, 32)
		if err != nil || len(pieces) != 1 {
			return l.String()
		}
		h, lane := r.homeOf(pieces[0].Location)
		if lanes[h] == 0 {
			order = append(order, h)
		}
		lanes[h] |= 1 << i
		own = own && (uint64(lane) == i || !h.perLane)
		if h.perLane {
			dwords = append(dwords, fmt.Sprintf("%s lane %d", h.name, lane))
		} else {
			dwords = append(dwords, h.name)
		}
	}
	if reg, ok := r.base.Finder.Arch.Register(num); !ok || !reg.PerLane || !own {
		return strings.Join(dwords, ", ")
	}
	if len(order) == 1 {
		return order[0].name
	}
	var parts []string
	for _, h := range order {
		parts = append(parts, fmt.Sprintf("%s in lanes %016x", h.name, lanes[h]))
	}
	return strings.Join(parts, ", ")
}

// widestScalar is the size of the widest registers that are no vectors.
const widestScalar = 8

// whole names the place of a wide register that has no lanes of its own and is
// in one piece.
func (r *ruledRegisters) whole(l expr.Location, size int) (text string, ok bool) {
	pieces, err := l.Pieces(r.base, 0, 8*uint64(size))
	if size <= widestScalar || err != nil || len(pieces) != 1 {
		return "", false
	}
	if num, bit, ok := l.Register(); ok {
		reg, known := r.base.Finder.Arch.Register(num)
		return r.name(num), known && !reg.PerLane && bit == 0
	}
	a, ok := l.Address()
	return r.memory(a), ok && a.Space == expr.SpaceGlobal
}

// inPlace reports whether a wide register without lanes is where it was.
func (r *ruledRegisters) inPlace(num uint64, l expr.Location) bool {
	size, err := r.base.RegisterSize(num)
	if err != nil {
		return false
	}
	text, ok := r.whole(l, size)
	return ok && text == r.name(num)
}

// homeOf names the place of a dword, and the lane if the place is one of many
// alike.
func (r *ruledRegisters) homeOf(l expr.Location) (h home, lane int) {
	if num, bit, ok := l.Register(); ok {
		reg, known := r.base.Finder.Arch.Register(num)
		switch {
		case known && reg.PerLane:
			return home{r.name(num), true}, int(bit / 32)
		case bit == 0:
			return home{r.name(num), false}, 0
		}
		return home{fmt.Sprintf("%s bit %d", r.name(num), bit), false}, 0
	}
	if v, ok := constant(l); ok {
		return home{v, false}, 0
	}
	a, ok := l.Address()
	if !ok {
		return home{l.String(), false}, 0
	}
	if stride := uint64(4 * r.base.WaveSize()); a.Space == expr.SpacePrivateWave && a.Address%4 == 0 {
		return home{fmt.Sprintf("scratch %#x", a.Address/stride*4), true}, int(a.Address % stride / 4)
	}
	return home{r.memory(a), false}, 0
}

// constant names a value that is known, and nowhere.
func constant(l expr.Location) (text string, ok bool) {
	data, _, ok := l.Constant()
	if ok && l.BitOffset() == 0 {
		switch len(data) {
		case 4:
			return fmt.Sprintf("the value %#x", binary.LittleEndian.Uint32(data)), true
		case 8:
			return fmt.Sprintf("the value %#x", binary.LittleEndian.Uint64(data)), true
		}
	}
	return "", false
}

// memory names an address.
func (r *ruledRegisters) memory(a expr.Addr) string {
	stride := uint64(4 * r.base.WaveSize())
	switch {
	case a.Space == expr.SpacePrivateWave && a.Address%stride == 0:
		return fmt.Sprintf("scratch %#x, of the wave's %#x", a.Address/stride*4, a.Address)
	case a.Space == expr.SpacePrivateWave:
		return fmt.Sprintf("the wave's scratch %#x", a.Address)
	case a.Space == expr.SpacePrivateLane:
		return fmt.Sprintf("scratch %#x lane %d", a.Address, a.Lane)
	case a.Space == expr.SpaceGlobal:
		return fmt.Sprintf("memory %#x", a.Address)
	}
	return fmt.Sprintf("address space %d, %#x", a.Space, a.Address)
}

// name is the name that gdb has for a DWARF register, or its number.
func (r *ruledRegisters) name(num uint64) string {
	reg, ok := r.base.Finder.Arch.Register(num)
	switch {
	case !ok:
		return fmt.Sprintf("register %d", num)
	case reg.PC:
		return "pc"
	}
	return RegisterName(r.Files(), reg.Reg)
}

// names lists registers, runs of neighbours as one: "s4-s31, v0".
func (r *ruledRegisters) names(nums []uint64) string {
	var parts []string
	for i := 0; i < len(nums); {
		j := i
		for j+1 < len(nums) && nums[j+1] == nums[j]+1 {
			j++
		}
		name := r.name(nums[i])
		if j > i {
			name += "-" + r.name(nums[j])
		}
		parts = append(parts, name)
		i = j + 1
	}
	return strings.Join(parts, ", ")
}
