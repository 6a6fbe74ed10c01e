package gcn

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Image instructions of gfx9 to gfx12 (Vega ISA, section "MIMG"; RDNA 1 to 4 ISA, sections "MIMG", "VIMAGE"
// and "VSAMPLE"): their encodings and their text. What intersects rays, and image_gather4h, is refused by
// name when it is executed.

// An imageShape is what an image instruction's name says of its operands.
type imageShape struct {
	extra     int  // addresses before the coordinates: offset, bias, reference
	noCoords  bool // has none
	mip       bool // a level, or the least one, follows the coordinates
	gradients bool
	narrow    bool // the gradients have 16 bits whatever A16 says
	gathers   bool // the data has four dwords whatever DMASK says
	samples   bool
	stores    bool
	atomic    bool
	compares  bool // with atomic: the data is two values
	ray       *rayShape

	// What it does, for execution.
	access                        [2]*access // atomic operations of 32 and of 64 bits
	raw, signed                   bool       // bits as they are, with their signs
	fetches                       bool       // texels by whole coordinates, though it samples
	references, biased, displaced bool       // compares, has a bias, an offset
	levels, clamps, base          bool       // has a level, the least one; takes level 0
	asksLod                       bool
}

// A rayShape is what an instruction that intersects rays takes.
type rayShape struct {
	data      int
	addresses int    // of gfx10 and gfx11, one after the other
	groups    [5]int // of gfx11 and gfx12, of which each begins at a register of its own
}

var rayShapes = map[string]rayShape{
	"image_bvh_intersect_ray":      {4, 11, [5]int{1, 1, 3, 3, 3}},
	"image_bvh64_intersect_ray":    {4, 12, [5]int{2, 1, 3, 3, 3}},
	"image_bvh_dual_intersect_ray": {10, 0, [5]int{2, 2, 3, 3, 2}},
	"image_bvh8_intersect_ray":     {10, 0, [5]int{2, 2, 3, 3, 1}},
}

// imageShapeOf reads an instruction's name: image_sample_c_d_cl_o_g16 has a reference, gradients, the least
// level and an offset.
func imageShapeOf(name string) *imageShape {
	s := &imageShape{noCoords: name == "image_get_resinfo", gathers: name == loadSamples}
	if ray, ok := rayShapes[name]; ok {
		s.ray = &ray
		return s
	}
	s.mip = s.noCoords
	s.readImageName(name)
	for _, part := range strings.Split(strings.TrimPrefix(name, "image_"), "_") {
		switch part {
		case "sample", "lod":
			s.samples = true
		case "gather4", "gather4h":
			s.samples, s.gathers = true, true
		case "store":
			s.stores = true
		case "atomic":
			s.atomic = true
		case "cmpswap", "fcmpswap":
			s.compares = true
		case "c", "b", "o":
			s.extra++
		case "l", "cl", "mip":
			s.mip = true
		case "d", "cd":
			s.gradients = true
		case "g16":
			s.narrow = true
		}
	}
	return s
}

// An imageDim is a kind of image by its number in the encoding.
type imageDim struct {
	name              string
	coords, gradients int
	layered, sampled  bool // the last coordinates are a layer, and which sample
}

var imageDims = [8]imageDim{{"1D", 1, 2, false, false}, {"2D", 2, 4, false, false},
	{"3D", 3, 6, false, false},
	{"CUBE", 3, 4, true, false}, {"1D_ARRAY", 2, 2, true, false}, {"2D_ARRAY", 3, 4, true, false},
	{"2D_MSAA", 3, 4, false, true}, {"2D_MSAA_ARRAY", 4, 4, true, true}}

const dimLines = 4 // the first that has layers besides

// plain is how many coordinates say where in a layer.
func (d *imageDim) plain() int {
	n := d.coords
	if d.layered {
		n--
	}
	if d.sampled {
		n--
	}
	return n
}

// addresses is how many registers have the address, whose coordinates A16 makes halves.
func (s *imageShape) addresses(dim *imageDim, a16 bool) int {
	n := 0
	if !s.noCoords {
		n = dim.coords
	}
	if s.mip {
		n++
	}
	if a16 {
		n = (n + 1) / 2
	}
	n += s.extra
	switch {
	case !s.gradients:
	case s.narrow:
		n += (dim.gradients/2 + 1) &^ 1
	default:
		n += dim.gradients
	}
	return n
}

// sizes are the numbers of registers that an address can have, but for rays.
func (s *imageShape) sizes() []int {
	n := []int{1, 2, 3, 4}
	switch {
	case s.gradients:
		n = append(n[1:], 5, 6, 7)
		switch {
		case s.mip && s.narrow:
			n = append(n, 8)
		case s.mip:
			n = append(n, 8, 9, 10)
		case !s.narrow:
			n = append(n, 8, 9)
		}
	case s.samples && !s.mip:
		n = n[:3]
	}
	for i := range n {
		n[i] += s.extra
	}
	return n
}

// A registerRange is some vector registers.
type registerRange struct{ first, count int }

func (r registerRange) String() string { return rangeText("v", uint16(r.first), r.count) }

// imageFields are the operands of an image instruction.
type imageFields struct {
	shape             *imageShape
	data              registerRange
	addr              []registerRange
	listed            bool // the registers of the address are any
	resource, sampler operand
	dmask             uint8
	dim               *imageDim // nil on gfx9, where the descriptor says it
	unorm, r128, a16  bool
	lwe, d16          bool
	layered           bool    // DA of gfx9: the image is an array
	at                []uint8 // the registers of the address, one by one
}

// dataCount is how many registers the data has.
func (f *imageFields) dataCount(tfe bool) int {
	n := max(bits.OnesCount8(f.dmask), 1)
	if f.shape.gathers {
		n = 4
	}
	if f.d16 {
		n = (n + 1) / 2
	}
	if tfe {
		n++
	}
	return n
}

// hasData reports whether the data can have so many registers.
func (f *imageFields) hasData() bool {
	switch n := f.data.count; {
	case f.shape.gathers:
		return n != 3
	case f.shape.compares:
		return n > 1
	case f.shape.atomic:
		return n <= 3
	}
	return true
}

// leastData is how many registers the data has at least: what LLVM reads where they are not as the fields
// say.
func (f *imageFields) leastData() int {
	if f.shape.gathers || f.shape.compares {
		return 2
	}
	return 1
}

// hasAddress reports whether the address can have so many registers. Of those that are not listed there are
// besides groups of 4 and 8 that go to the next.
func (f *imageFields) hasAddress(n int) bool {
	sizes := f.shape.sizes()
	last := sizes[len(sizes)-1]
	return slices.Contains(sizes, n) || !f.listed && n == last+1 && (n == 4 || n == 8)
}

// loadSamples gives one component of each of four samples. On gfx10.3 the RDNA 2 ISA has that, too, but
// LLVM's has as many registers as the mask has components: it is read and written as that, and not executed.
const loadSamples = "image_msaa_load"

// ofMask is a shape whose data is what the mask says.
func (s *imageShape) ofMask() *imageShape {
	c := *s
	c.gathers = false
	return &c
}

// imageRow makes a row of an instruction that is known by its name.
func imageRow(enc Enc, name string) *Op {
	if enc != MIMG && enc != VSAMPLE {
		return nil
	}
	if strings.HasPrefix(name, "tensor_") {
		return &Op{Enc: enc, Name: name}
	}
	return &Op{Enc: enc, Name: name, image: imageShapeOf(name), run: imageExec(name)}
}

// imageExec executes an instruction; nil of one that is refused.
func imageExec(name string) func(*Core, *Inst) {
	if _, ray := rayShapes[name]; ray || strings.HasPrefix(name, "image_gather4h") {
		return nil
	}
	return runImage
}

// image9 decodes MIMG of gfx9: the address is as many registers as the image's descriptor makes it.
func (d *decoder) image9(w uint32) error {
	w1, err := d.word()
	if err != nil || d.in.Op.image == nil {
		return err
	}
	m := &d.in.mem
	m.glc, m.slc, m.tfe = w>>13&1 != 0, w>>25&1 != 0, w>>16&1 != 0
	f := d.newImage()
	f.dmask, f.unorm, f.layered, f.a16, f.lwe = uint8(
		w>>8&0xf), w>>12&1 != 0, w>>14&1 != 0, w>>15&1 != 0, w>>17&1 != 0
	f.d16 = w1>>31&1 != 0
	f.data = registerRange{int(w1 >> 8 & 0xff), f.dataCount(m.tfe)}
	if !f.hasData() || f.data.first+f.data.count > accBase {
		f.data.count = f.leastData()
	}
	f.addr = []registerRange{{int(w1 & 0xff), f.shape.sizes()[0]}}
	if err := d.imageResources(w1>>16&0x1f<<2, w1>>21&0x1f<<2); err != nil {
		return err
	}
	for n := w1 & 0xff; n < accBase && len(f.at) < mostAddresses; n++ {
		f.at = append(f.at, uint8(n))
	}
	return nil
}

// mostAddresses is how many registers an address has at most.
const mostAddresses = 13

// image10 decodes MIMG of gfx10.
func (d *decoder) image10(w uint32) error {
	if w&1 != 0 { // the opcode's last bit is the lowest
		rows := d.isa.tables.rows[MIMG]
		code := w>>18&0x7f | 1<<7
		if int(code) >= len(rows) || rows[code] == nil {
			return d.fail("MIMG has no opcode %#x", code)
		}
		d.in.Op = rows[code]
	} else if d.in.Op.Code&0x80 != 0 {
		return d.fail("MIMG has no opcode %#x", d.in.Op.Code&0x7f)
	}
	w1, err := d.word()
	if err != nil {
		return err
	}
	m := &d.in.mem
	m.glc, m.slc, m.dlc, m.tfe = w>>13&1 != 0, w>>25&1 != 0, w>>7&1 != 0, w>>16&1 != 0
	f := d.newImage()
	f.dmask, f.dim = uint8(w>>8&0xf), &imageDims[w>>3&7]
	f.unorm, f.r128, f.lwe = w>>12&1 != 0, w>>15&1 != 0, w>>17&1 != 0
	f.a16, f.d16 = w1>>30&1 != 0, w1>>31&1 != 0
	return d.imageOperands(w1, int(w>>1&3), w1>>21&0x1f)
}

// image11 decodes MIMG of gfx11.
func (d *decoder) image11(w uint32) error {
	w1, err := d.word()
	if err != nil {
		return err
	}
	m := &d.in.mem
	m.slc, m.dlc, m.glc, m.tfe = w>>12&1 != 0, w>>13&1 != 0, w>>14&1 != 0, w1>>21&1 != 0
	f := d.newImage()
	f.dmask, f.dim = uint8(w>>8&0xf), &imageDims[w>>2&7]
	f.unorm, f.r128, f.lwe = w>>7&1 != 0, w>>15&1 != 0, w1>>22&1 != 0
	f.a16, f.d16 = w>>16&1 != 0, w>>17&1 != 0
	return d.imageOperands(w1, int(w&1), w1>>26&0x1f)
}

func (d *decoder) newImage() *imageFields {
	f := &imageFields{shape: d.in.Op.image}
	d.in.image = f
	return f
}

// imageOperands makes the operands of MIMG, whose address is in registers one after the other, or in any, of
// which more dwords name all but the first.
func (d *decoder) imageOperands(w1 uint32, more int, sampler uint32) error {
	f, m := d.in.image, &d.in.mem
	s := f.shape
	nums := []int{int(w1 & 0xff)}
	for range more {
		w, err := d.word()
		if err != nil {
			return err
		}
		for i := 0; i < 32; i += 8 {
			nums = append(nums, int(w>>i&0xff))
		}
	}
	f.listed = more > 0
	f.data = registerRange{int(w1 >> 8 & 0xff), f.dataCount(m.tfe)}
	if s.ray != nil {
		d.rayAddresses(nums)
		f.data.count = s.ray.data
		return d.operand(&f.resource, b128, w1>>16&0x1f<<2)
	}
	if err := d.imageAddresses(nums); err != nil {
		return err
	}
	return d.imageResources(w1>>16&0x1f<<2, sampler<<2)
}

// imageResources makes the descriptors.
func (d *decoder) imageResources(resource, sampler uint32) error {
	f := d.in.image
	if err := d.operand(&f.resource, b256, resource); err != nil {
		return err
	}
	if f.shape.samples {
		if err := d.operand(&f.sampler, b128, sampler); err != nil {
			return err
		}
	}
	for _, o := range []*operand{&f.resource, &f.sampler} {
		if o.kind != noOperand && o.kind != scalarReg && o.reg != regNull {
			return d.fail("a descriptor must be scalar registers")
		}
	}
	return nil
}

// imageAddresses makes the address: of registers one after the other, or of any that are listed. Where
// gfx11 and later list too few, the last is several one after the other. What cannot be as the fields say
// is as LLVM reads it: as little as can be, or of as many registers as are listed.
func (d *decoder) imageAddresses(nums []int) error {
	f, sizes := d.in.image, d.in.image.shape.sizes()
	count, tail := f.shape.addresses(f.dim, f.a16), 0
	fits := f.hasAddress(count) && f.hasData() && f.data.first+f.data.count <= accBase
	switch {
	case !f.listed:
		fits = fits && (count == sizes[0] || nums[0]+count <= accBase)
	case count < 2 && d.isa.Target&gfx12 == 0:
		fits = false
	case count > len(nums) && d.isa.Target&gfx10 != 0:
		fits = false
	case count > len(nums):
		tail = count - len(nums)
		fits = fits && nums[len(nums)-1]+tail < accBase
	}
	if !fits {
		f.data.count, tail, count = f.leastData(), 0, sizes[0]
		for _, n := range sizes {
			if f.listed && n <= len(nums) {
				count = n
			}
		}
	}
	if count-tail > len(nums) && f.listed || len(nums) > 5 && sizes[len(sizes)-1] <= len(nums)-4 {
		return d.fail("%s has no address of %d registers", d.in.Op.display(), len(nums))
	}
	if !f.listed {
		if count > 12 {
			count = 16
		}
		f.addr = []registerRange{{nums[0], count}}
		return nil
	}
	for _, n := range nums[:count-tail] {
		f.addr = append(f.addr, registerRange{n, 1})
	}
	f.addr[count-tail-1].count += tail
	return nil
}

// rayAddresses makes the address of an instruction that intersects rays.
func (d *decoder) rayAddresses(nums []int) {
	f, ray := d.in.image, d.in.image.shape.ray
	count, groups := ray.addresses, ray.groups[:]
	if f.a16 {
		count, groups = count-3, groups[:4]
	}
	switch {
	case !f.listed:
		f.addr = []registerRange{{nums[0], count}}
	case d.isa.Target&gfx11P == 0:
		for _, n := range nums[:min(count, len(nums))] {
			f.addr = append(f.addr, registerRange{n, 1})
		}
	default:
		for i, n := range groups {
			f.addr = append(f.addr, registerRange{nums[i], n})
		}
	}
}

// image12 decodes VIMAGE, sample12 VSAMPLE.
func (d *decoder) image12(w uint32) error {
	w1, w2, err := d.twoWords()
	if err != nil {
		return err
	}
	if d.in.Op.image == nil {
		return d.tensor(w1, w2)
	}
	f := d.commonImage12(w, w1)
	d.in.mem.tfe = w1>>23&1 != 0
	nums := []int{int(w2 & 0xff), int(w2 >> 8 & 0xff), int(w2 >> 16 & 0xff), int(w2 >> 24), int(w1 >> 24)}
	f.data = registerRange{int(w1 & 0xff), f.dataCount(d.in.mem.tfe)}
	if f.shape.ray != nil {
		d.rayAddresses(nums)
		f.data.count = f.shape.ray.data
		return d.operand(&f.resource, b128, w1>>9&0x1ff)
	}
	if err := d.imageAddresses(nums); err != nil {
		return err
	}
	return d.imageResources(w1>>9&0x1ff, 0)
}

func (d *decoder) sample12(w uint32) error {
	w1, w2, err := d.twoWords()
	if err != nil {
		return err
	}
	f := d.commonImage12(w, w1)
	d.in.mem.tfe, f.unorm, f.lwe = w>>3&1 != 0, w>>13&1 != 0, w1>>8&1 != 0
	nums := []int{int(w2 & 0xff), int(w2 >> 8 & 0xff), int(w2 >> 16 & 0xff), int(w2 >> 24)}
	f.data = registerRange{int(w1 & 0xff), f.dataCount(d.in.mem.tfe)}
	if err := d.imageAddresses(nums); err != nil {
		return err
	}
	return d.imageResources(w1>>9&0x1ff, w1>>23)
}

func (d *decoder) twoWords() (w1, w2 uint32, err error) {
	if w1, err = d.word(); err == nil {
		w2, err = d.word()
	}
	return w1, w2, err
}

func (d *decoder) commonImage12(w, w1 uint32) *imageFields {
	d.policy12(w, w1)
	d.in.mem.scaled = false
	f := d.newImage()
	f.listed = true
	f.dim, f.dmask = &imageDims[w&7], uint8(w>>22&0xf)
	f.r128, f.d16, f.a16 = w>>4&1 != 0, w>>5&1 != 0, w>>6&1 != 0
	return f
}

// imageText is the text of an image instruction.
func (in *Inst) imageText() string {
	f, m := in.image, &in.mem
	var addr []string
	for _, r := range f.addr {
		addr = append(addr, r.String())
	}
	list := strings.Join(addr, ", ")
	if f.listed && len(addr) > 1 {
		list = "[" + list + "]"
	}
	operands := []string{f.data.String(), list, f.resource.text()}
	if f.shape.ray != nil {
		return instText(in.Op.display(), operands, when(f.a16, "a16"))
	}
	if f.shape.samples {
		operands = append(operands, f.sampler.text())
	}
	policy := join(when(m.glc, "glc"), when(m.slc, "slc"), when(m.dlc, "dlc"))
	if in.on&gfx12 != 0 {
		policy = in.cachePolicy12()
	}
	return instText(in.Op.display(), operands, when(f.dmask != 0, fmt.Sprintf("dmask:%#x", f.dmask)),
		f.dimText(), when(f.unorm, "unorm"), policy, when(f.r128, "r128"), when(f.a16, "a16"),
		when(m.tfe, "tfe"), when(f.lwe, "lwe"), when(f.layered, "da"), when(f.d16, "d16"))
}

func (f *imageFields) dimText() string {
	if f.dim == nil {
		return ""
	}
	return "dim:SQ_RSRC_IMG_" + f.dim.name
}

// finishImage makes the operands that execution and followers know: the data as a destination or a source,
// and the status that TFE and LWE ask for.
func (d *decoder) finishImage() {
	in, f := d.in, d.in.image
	if in.Op.run == nil {
		return
	}
	for _, r := range f.addr {
		for i := 0; i < r.count && in.on&gfx9 == 0 && len(f.at) < mostAddresses; i++ {
			f.at = append(f.at, uint8(r.first+i))
		}
	}
	n := f.dataCount(false)
	if f.shape.atomic { // whose data are never halves
		n = max(bits.OnesCount8(f.dmask), 1)
	}
	if f.data.first+n > accBase {
		in.past = true
		return
	}
	data := operand{kind: vectorReg, typ: [...]typ{none, b32, b64, b96, b128}[n], reg: uint16(f.data.first)}
	switch {
	case f.shape.stores:
		in.src[1] = data
		return
	case f.shape.atomic:
		if in.src[1] = data; !in.mem.glc {
			return
		}
		if f.shape.compares { // what was there before replaces the first half
			data.typ = [...]typ{none, none, b32, b32, b64}[n]
		}
	}
	in.dst = data
	if in.mem.tfe || f.lwe {
		if f.data.first+n == accBase {
			in.past = true
			return
		}
		in.sdst = operand{kind: vectorReg, typ: b32, reg: uint16(f.data.first + n)}
	}
}

// eachAddress calls f for each register of an address.
func (f *imageFields) eachAddress(with func(o *operand, n int)) {
	for _, r := range f.addr {
		with(&operand{kind: vectorReg, typ: b32, reg: uint16(r.first)}, r.count)
	}
}

// tensor decodes a copy of a part of a tensor (gfx1250), which groups of scalar registers describe: two, or
// four.
func (d *decoder) tensor(w1, w2 uint32) error {
	d.policy12(0, w1)
	d.in.mem.scaled = false
	for i, t := range []typ{b128, b256, b128, b128} {
		n := w2 >> (8 * i) & 0xff
		if n >= srcInlineInt {
			return d.fail("operand %d of %s must be scalar registers", i, d.in.Op.Name)
		}
		if err := d.operand(&d.in.src[i], t, n); err != nil {
			return err
		}
	}
	return nil
}

// tensorText is the text of such a copy.
func (in *Inst) tensorText() string {
	n := len(in.src)
	if in.src[2].reg == regNull && in.src[3].reg == regNull {
		n = 2
	}
	var operands []string
	for i := range n {
		operands = append(operands, in.src[i].text())
	}
	return instText(in.Op.display(), operands, in.cachePolicy12())
}
