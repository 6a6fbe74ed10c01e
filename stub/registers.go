package stub

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/facade"
	"simtgdb/stub/threads"
)

// A register is one register of the target description. Those of the facade
// that mean something to the stub, and those of the GPU, have get; the others
// of the facade are there because gdb insists, and read as zero.
type register struct {
	name    string
	bits    int
	typ     string // of the target description
	feature string
	role    facade.Role
	sure    sureness
	get     func(s *Session, w *simt.Wave, lane int, out []byte) error // out has bits/8 bytes, all 0
	set     func(s *Session, w *simt.Wave, lane int, data []byte) error
}

// A sureness says for whom a register's value is known without looking into the machine.
type sureness byte

const (
	unsure     sureness = iota
	sureOfLane          // one lane
	sureOfWave          // all lanes of a wave
)

// gpuFeatures and the name of the family are the feature of the GPU's registers.
const gpuFeatures = "org.simtgdb."

// registersFor lists the registers of the facade and those of the GPU that a
// wave has.
func registersFor(cpu facade.Facade, w *simt.Wave, feature string) []register {
	regs := facadeRegisters(cpu)
	names := map[string]bool{}
	for _, r := range regs {
		names[r.name] = true
	}
	for i, f := range w.Regs.Files() {
		prefix := ""
		if clashes(names, f) {
			prefix = clashPrefix
		}
		add := func(name string, index uint16) {
			regs = append(regs, gpuRegister(prefix+name, f, simt.Reg{File: uint8(i), Index: index}, feature))
		}
		if f.Count == 0 && !f.PerLane {
			add(f.Name, 0)
		}
		for n := range f.Count {
			add(f.NameOf(n), uint16(n))
		}
	}
	return append(append(regs, identity(feature)...), signalRegister(feature))
}

// clashPrefix begins the names of registers of the GPU that gdb would take for
// the facade's, and of the others of their file.
const clashPrefix = "gpu_"

// clashes reports whether the facade has a register of the name of one of a
// file.
func clashes(names map[string]bool, f simt.RegFile) bool {
	if f.Count == 0 {
		return names[f.Name]
	}
	for n := range f.Count {
		if names[f.NameOf(n)] {
			return true
		}
	}
	return false
}

// facadeRegisters are the registers of the CPU that gdb is shown.
func facadeRegisters(cpu facade.Facade) []register {
	var regs []register
	for n, r := range cpu.Registers() {
		reg := register{name: r.Name, bits: r.Bits, typ: r.Type, feature: r.Feature, role: r.Role}
		switch r.Role {
		case facade.PC:
			reg.get, reg.set = (*Session).readPC, (*Session).writePC
		case facade.Handle:
			reg.get, reg.set = (*Session).readSP, refuseFrame
		case facade.Base:
			reg.get, reg.set = (*Session).readBase, refuseFrame
		case facade.Result:
			reg.get = func(s *Session, w *simt.Wave, lane int, out []byte) error {
				copy(out, s.returned(w, lane)[n])
				return nil
			}
		}
		regs = append(regs, reg)
	}
	return regs
}

func (s *Session) readPC(w *simt.Wave, lane int, out []byte) error {
	pc := w.LanePC(lane)
	if p := s.hits.pretended; p.thread == threads.Of(w, lane) {
		pc = p.pc
	}
	binary.LittleEndian.PutUint64(out, pc)
	return nil
}

func (s *Session) readSP(w *simt.Wave, lane int, out []byte) error {
	binary.LittleEndian.PutUint64(out, s.Handle(int(threads.Of(w, lane)), s.frames.Of(w, lane)[0].Depth))
	return nil
}

func (s *Session) readBase(w *simt.Wave, lane int, out []byte) error {
	base, err := s.frames.Base(&s.frames.Of(w, lane)[0])
	binary.LittleEndian.PutUint64(out, base)
	return err
}

// refuseFrame refuses what gdb writes where it takes a frame off, or puts one on.
func refuseFrame(*Session, *simt.Wave, int, []byte) error {
	return rsp.EPERM.Errorf(
		"this register tells frames of a GPU apart: return, and calls from gdb, are not supported; " +
			"finish, until and jump are")
}

// writePC moves a whole wave: its lanes have one program counter.
func (s *Session) writePC(w *simt.Wave, lane int, data []byte) error {
	pc := binary.LittleEndian.Uint64(data)
	if pc == w.LanePC(lane) {
		return nil
	}
	if w.Active()>>lane&1 == 0 {
		return rsp.EPERM.Errorf("lane %d is inactive: its pc is where it was switched off", lane)
	}
	if s.machine.CodeAt(pc) == nil || pc%s.align() != 0 {
		return rsp.EFAULT.Errorf("no instruction is at %#x", pc)
	}
	w.SkipBreak = false
	return w.Regs.SetPC(w, pc)
}

// Registers wider than gdb's widest integer are vectors of 32-bit integers,
// which the description declares by this prefix and how many there are.
const (
	widestInteger = 128
	vectorPrefix  = "uint32x"
	dim3          = "dim3" // a structure of three
)

// gpuRegister is a register of the GPU, in a lane's innermost frame.
func gpuRegister(name string, f simt.RegFile, r simt.Reg, feature string) register {
	typ := f.Type
	switch {
	case typ == "" && f.Bits > widestInteger:
		typ = vectorPrefix + fmt.Sprint(f.Bits/32)
	case typ == "":
		typ = fmt.Sprintf("uint%d", f.Bits)
	}
	return register{name: name, bits: f.Bits, typ: typ, feature: feature,
		get: func(s *Session, w *simt.Wave, lane int, out []byte) error {
			return s.frames.Of(w, lane)[0].Registers.Read(r, lane, out)
		},
		set: func(s *Session, w *simt.Wave, lane int, data []byte) error {
			if f.ReadOnly {
				return rsp.EPERM.Errorf("%s cannot be set", name)
			}
			return s.frames.Of(w, lane)[0].Registers.Write(r, lane, data)
		}}
}

// An axis is what an identity register has of one of its 32-bit numbers.
type axis func(s *Session, w *simt.Wave, lane, i int) uint32

func laneNumber(_ *Session, _ *simt.Wave, lane, _ int) uint32 { return uint32(lane) }

func waveNumber(_ *Session, w *simt.Wave, _, _ int) uint32 { return uint32(w.ID) }

func waveWidth(_ *Session, w *simt.Wave, _, _ int) uint32 { return uint32(w.Size) }

func waveInGroup(_ *Session, w *simt.Wave, _, _ int) uint32 { return uint32(w.Index) }

func workgroup(_ *Session, w *simt.Wave, _, i int) uint32 { return w.Group.ID[i] }

func localID(_ *Session, w *simt.Wave, lane, i int) uint32 { return w.WorkItem(lane)[i] }

func globalID(s *Session, w *simt.Wave, lane, i int) uint32 {
	return w.Group.ID[i]*s.machine.Dispatch.Block[i] + w.WorkItem(lane)[i]
}

func groupSize(s *Session, _ *simt.Wave, _, i int) uint32 { return s.machine.Dispatch.Block[i] }

func groupCount(s *Session, _ *simt.Wave, _, i int) uint32 {
	d := s.machine.Dispatch
	return (d.Grid[i] + d.Block[i] - 1) / d.Block[i]
}

// identities are read-only registers that say where the lane is. Those that begin with an underscore are
// AMD's and Intel's gdbs' convenience variables: $_lane is looked for among the registers first
// (write_dollar_variable, gdb 12 to 18), so it is right in conditions, which a variable that a script sets
// before each prompt is not, and the server evaluates them.
// Those of CUDA's names are structures as there: $threadIdx.x.
var identities = []struct {
	name   string
	value  axis
	first  int // of the numbers that it has
	number int
	typ    string // "" for a number, or a vector of several
	ofWave bool   // it is the same in all lanes of a wave
}{
	{"lane", laneNumber, 0, 1, "", false},
	{"wave", waveNumber, 0, 1, "", true},
	{"workgroup_x", workgroup, 0, 1, "", true},
	{"workgroup_y", workgroup, 1, 1, "", true},
	{"workgroup_z", workgroup, 2, 1, "", true},
	{"workitem_x", localID, 0, 1, "", false},
	{"workitem_y", localID, 1, 1, "", false},
	{"workitem_z", localID, 2, 1, "", false},
	{"_lane", laneNumber, 0, 1, "", false},
	{"_simd_lane", laneNumber, 0, 1, "", false},
	{"_simd_width", waveWidth, 0, 1, "", true},
	{"_thread_workgroup_pos", waveInGroup, 0, 1, "", true},
	{"_thread_workgroup", workgroup, 0, 3, "", true},
	{"_workitem_local_id", localID, 0, 3, "", false},
	{"_workitem_global_id", globalID, 0, 3, "", false},
	{"threadIdx", localID, 0, 3, dim3, false},
	{"blockIdx", workgroup, 0, 3, dim3, true},
	{"blockDim", groupSize, 0, 3, dim3, true},
	{"gridDim", groupCount, 0, 3, dim3, true},
	{"warpSize", waveWidth, 0, 1, "", true},
	{"globalInvocation", globalID, 0, 3, dim3, false},
}

// isIdentity reports whether a register says where the lane is.
func isIdentity(name string) bool {
	for _, id := range identities {
		if id.name == name {
			return true
		}
	}
	return false
}

// identity are the identity registers, of a family's feature.
func identity(feature string) []register {
	regs := make([]register, len(identities))
	for i, id := range identities {
		r := register{name: id.name, bits: 32 * id.number, typ: "uint32", feature: feature, sure: sureOfLane,
			get: func(s *Session, w *simt.Wave, lane int, out []byte) error {
				for n := range id.number {
					binary.LittleEndian.PutUint32(out[4*n:], id.value(s, w, lane, id.first+n))
				}
				return nil
			},
			set: func(*Session, *simt.Wave, int, []byte) error {
				return rsp.EPERM.Errorf("%s says where the lane is and cannot be set", id.name)
			}}
		if id.ofWave {
			r.sure = sureOfWave
		}
		switch {
		case id.typ != "":
			r.typ = id.typ
		case id.number > 1:
			r.typ = vectorPrefix + fmt.Sprint(id.number)
		}
		regs[i] = r
	}
	return regs
}

func le64(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

type (
	xmlField struct {
		Name string `xml:"name,attr"`
		Type string `xml:"type,attr"`
	}
	xmlStruct struct {
		ID     string     `xml:"id,attr"`
		Fields []xmlField `xml:"field"`
	}
)

// targetDescription writes the description of the registers (gdb manual,
// "Target Description Format").
func targetDescription(cpu facade.Facade, regs []register) []byte {
	type xmlReg struct {
		Name string `xml:"name,attr"`
		Bits int    `xml:"bitsize,attr"`
		Type string `xml:"type,attr"`
		Num  int    `xml:"regnum,attr"`
	}
	type xmlVector struct {
		ID    string `xml:"id,attr"`
		Type  string `xml:"type,attr"`
		Count string `xml:"count,attr"`
	}
	type xmlFeature struct {
		Name    string      `xml:"name,attr"`
		Vectors []xmlVector `xml:"vector"`
		Structs []xmlStruct `xml:"struct"`
		Regs    []xmlReg    `xml:"reg"`
	}
	type target struct {
		XMLName  xml.Name     `xml:"target"`
		Version  string       `xml:"version,attr"`
		Arch     string       `xml:"architecture"`
		OSABI    string       `xml:"osabi"`
		Features []xmlFeature `xml:"feature"`
	}
	t := target{Version: "1.0", Arch: cpu.Architecture(), OSABI: "none"}
	for i, r := range regs {
		if n := len(t.Features); n == 0 || t.Features[n-1].Name != r.feature {
			t.Features = append(t.Features, xmlFeature{Name: r.feature})
		}
		f := &t.Features[len(t.Features)-1]
		if n, ok := strings.CutPrefix(r.typ, vectorPrefix); ok {
			v := xmlVector{r.typ, "uint32", n}
			if !slices.Contains(f.Vectors, v) {
				f.Vectors = append(f.Vectors, v)
			}
		}
		if r.typ == dim3 && len(f.Structs) == 0 {
			f.Structs = append([]xmlStruct{{dim3,
				[]xmlField{{"x", "uint32"}, {"y", "uint32"}, {"z", "uint32"}}}},
				signalTypes...)
		}
		f.Regs = append(f.Regs, xmlReg{r.name, r.bits, r.typ, i})
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + `<!DOCTYPE target SYSTEM "gdb-target.dtd">` + "\n")
	if err := xml.NewEncoder(&b).Encode(t); err != nil {
		panic(err) // no value of these types cannot be encoded
	}
	return b.Bytes()
}

// ReadRegister implements rsp.Target.
func (s *Session) ReadRegister(t rsp.ThreadID, n int, out *rsp.RegisterWriter) error {
	w, lane, err := s.view.lane(t)
	if err != nil {
		return err
	}
	if n < 0 || n >= len(s.registers) {
		return rsp.EINVAL.Errorf("no register has number %d", n)
	}
	s.readRegister(w, lane, &s.registers[n], out)
	return nil
}

func (s *Session) readRegister(w *simt.Wave, lane int, r *register, out *rsp.RegisterWriter) {
	if r.get == nil {
		out.Zero(r.bits / 8)
		return
	}
	data, err := s.contentsOf(w, lane, r)
	if err != nil {
		out.Unavailable(r.bits / 8)
		return
	}
	out.Bytes(data)
}

// contentsOf reads a register, into memory that the next call uses again.
func (s *Session) contentsOf(w *simt.Wave, lane int, r *register) ([]byte, error) {
	size := r.bits / 8
	if len(s.contents) < size {
		s.contents = make([]byte, size)
	}
	data := s.contents[:size]
	clear(data)
	if r.get == nil {
		return data, nil
	}
	return data, r.get(s, w, lane, data)
}

// ReadRegisters implements rsp.Target.
func (s *Session) ReadRegisters(t rsp.ThreadID, out *rsp.RegisterWriter) error {
	w, lane, err := s.view.lane(t)
	if err != nil {
		return err
	}
	if s.known.pending == nil {
		s.view.lookAt(t)
	}
	s.keeps(threads.Of(w, lane))
	for i := range s.registers {
		s.readRegister(w, lane, &s.registers[i], out)
	}
	return nil
}

// WriteRegister implements rsp.Target.
func (s *Session) WriteRegister(t rsp.ThreadID, n int, data []byte) error {
	w, lane, err := s.view.lane(t)
	if err != nil {
		return err
	}
	if n < 0 || n >= len(s.registers) {
		return rsp.EINVAL.Errorf("no register has number %d", n)
	}
	if err := s.mayChange(); err != nil {
		return err
	}
	before := w.PC
	if err := s.writeRegister(w, lane, &s.registers[n], data); err != nil {
		return err
	}
	if lanes := bits.OnesCount64(w.Active()); w.PC != before && lanes > 1 {
		s.moved =
			fmt.Sprintf("All %d active lanes of wave %d go on at %#x: a wave has one program counter.\n",
				lanes, w.ID, w.PC)
	}
	s.past.wrote(s, Write{Thread: threads.Of(w, lane), Where: uint64(n), Data: bytes.Clone(data)})
	return nil
}

func (s *Session) writeRegister(w *simt.Wave, lane int, r *register, data []byte) error {
	if len(data) != r.bits/8 {
		return rsp.EINVAL.Errorf("register %s has %d bytes, not %d", r.name, r.bits/8, len(data))
	}
	if r.set == nil && strings.HasPrefix(r.feature, gpuFeatures) {
		return rsp.EPERM.Errorf("register %s cannot be written", r.name)
	} else if r.set == nil {
		return rsp.EPERM.Errorf("%s belongs to the CPU that gdb is shown, not to the GPU: call, print f(x) "+
			"and return are not supported; break in the function, and finish shows what it returns", r.name)
	}
	s.frames.Forget()
	s.changed = s.machine.Started()
	return r.set(s, w, lane, data)
}

// WriteRegisters implements rsp.Target. gdb sends all registers to change a
// few: those that differ are written, after all of them are found writable.
func (s *Session) WriteRegisters(t rsp.ThreadID, data []byte) error {
	w, lane, err := s.view.lane(t)
	if err != nil {
		return err
	}
	if err := s.mayChange(); err != nil {
		return err
	}
	type change struct {
		number int
		data   []byte
	}
	var changes []change
	for i := range s.registers {
		r := &s.registers[i]
		if len(data) < r.bits/8 {
			break
		}
		v := data[:r.bits/8]
		data = data[r.bits/8:]
		old := make([]byte, len(v))
		if r.get != nil {
			if err = r.get(s, w, lane, old); err != nil {
				continue // unavailable: gdb has nothing to write
			}
		}
		if bytes.Equal(old, v) {
			continue
		}
		if r.role == facade.Handle || r.set == nil {
			return s.writeRegister(w, lane, r, v)
		}
		changes = append(changes, change{i, v})
	}
	for _, c := range changes {
		if err := s.WriteRegister(t, c.number, c.data); err != nil {
			return err
		}
	}
	return nil
}
