package amdgpu

import (
	"fmt"
	"strings"

	"simtgdb/loader"
)

// Feature is the setting of a target feature that a processor may run with or
// without (AMDGPUUsage, "Target Features").
type Feature uint8

// The numbers are those of the two-bit fields in e_flags (EF_AMDGPU_FEATURE_*_V4).
const (
	FeatureUnsupported Feature = iota // the processor does not have it
	FeatureAny                        // the code runs with either setting
	FeatureOff
	FeatureOn
)

func (f Feature) String() string {
	return [...]string{"unsupported", "any", "off", "on"}[f&3]
}

// Arch is the ISA version of a processor: gfx90a is 9.0.10.
type Arch struct{ Major, Minor, Stepping uint8 }

func (a Arch) String() string { return fmt.Sprintf("%d.%d.%d", a.Major, a.Minor, a.Stepping) }

// Target is what code was compiled for.
type Target struct {
	Name string // processor: "gfx90a", "gfx9-generic"
	Arch Arch   // of a generic target: the lowest version it covers
	// wavefront size compilers choose by default; a kernel's own is loader.Kernel.WavefrontSize
	WaveSize          int
	Xnack             Feature
	SramECC           Feature
	CodeObjectVersion int  // 4, 5 or 6
	Generic           bool // runs on a whole family of processors
	GenericVersion    int  // version of a generic target, else 0
	Mach              uint8
	PAL               bool // for AMD's PAL (graphics drivers) rather than for HSA
}

const targetTriple, palTriple = "amdgcn-amd-amdhsa--", "amdgcn-amd-amdpal--"

// String gives the canonical target ID with its triple:
// "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-".
func (t Target) String() string {
	if t.PAL {
		return palTriple + t.ID()
	}
	return targetTriple + t.ID()
}

// ID gives the canonical target ID: "gfx90a:sramecc+:xnack-".
func (t Target) ID() string { return targetID{t.Name, t.SramECC, t.Xnack}.String() }

// processor is one EF_AMDGPU_MACH_AMDGCN_* value.
type processor struct {
	name    string
	arch    Arch
	generic bool
}

// processors lists e_flags' EF_AMDGPU_MACH values (AMDGPUUsage, "ELF Header",
// table "AMDGPU ELF header e_flags for EF_AMDGPU_MACH").
var processors = map[uint8]processor{
	0x20: {name: "gfx600", arch: Arch{6, 0, 0}},
	0x21: {name: "gfx601", arch: Arch{6, 0, 1}},
	0x22: {name: "gfx700", arch: Arch{7, 0, 0}},
	0x23: {name: "gfx701", arch: Arch{7, 0, 1}},
	0x24: {name: "gfx702", arch: Arch{7, 0, 2}},
	0x25: {name: "gfx703", arch: Arch{7, 0, 3}},
	0x26: {name: "gfx704", arch: Arch{7, 0, 4}},
	0x28: {name: "gfx801", arch: Arch{8, 0, 1}},
	0x29: {name: "gfx802", arch: Arch{8, 0, 2}},
	0x2a: {name: "gfx803", arch: Arch{8, 0, 3}},
	0x2b: {name: "gfx810", arch: Arch{8, 1, 0}},
	0x2c: {name: "gfx900", arch: Arch{9, 0, 0}},
	0x2d: {name: "gfx902", arch: Arch{9, 0, 2}},
	0x2e: {name: "gfx904", arch: Arch{9, 0, 4}},
	0x2f: {name: "gfx906", arch: Arch{9, 0, 6}},
	0x30: {name: "gfx908", arch: Arch{9, 0, 8}},
	0x31: {name: "gfx909", arch: Arch{9, 0, 9}},
	0x32: {name: "gfx90c", arch: Arch{9, 0, 12}},
	0x33: {name: "gfx1010", arch: Arch{10, 1, 0}},
	0x34: {name: "gfx1011", arch: Arch{10, 1, 1}},
	0x35: {name: "gfx1012", arch: Arch{10, 1, 2}},
	0x36: {name: "gfx1030", arch: Arch{10, 3, 0}},
	0x37: {name: "gfx1031", arch: Arch{10, 3, 1}},
	0x38: {name: "gfx1032", arch: Arch{10, 3, 2}},
	0x39: {name: "gfx1033", arch: Arch{10, 3, 3}},
	0x3a: {name: "gfx602", arch: Arch{6, 0, 2}},
	0x3b: {name: "gfx705", arch: Arch{7, 0, 5}},
	0x3c: {name: "gfx805", arch: Arch{8, 0, 5}},
	0x3d: {name: "gfx1035", arch: Arch{10, 3, 5}},
	0x3e: {name: "gfx1034", arch: Arch{10, 3, 4}},
	0x3f: {name: "gfx90a", arch: Arch{9, 0, 10}},
	0x40: {name: "gfx940", arch: Arch{9, 4, 0}},
	0x41: {name: "gfx1100", arch: Arch{11, 0, 0}},
	0x42: {name: "gfx1013", arch: Arch{10, 1, 3}},
	0x43: {name: "gfx1150", arch: Arch{11, 5, 0}},
	0x44: {name: "gfx1103", arch: Arch{11, 0, 3}},
	0x45: {name: "gfx1036", arch: Arch{10, 3, 6}},
	0x46: {name: "gfx1101", arch: Arch{11, 0, 1}},
	0x47: {name: "gfx1102", arch: Arch{11, 0, 2}},
	0x48: {name: "gfx1200", arch: Arch{12, 0, 0}},
	0x49: {name: "gfx1250", arch: Arch{12, 5, 0}},
	0x4a: {name: "gfx1151", arch: Arch{11, 5, 1}},
	0x4b: {name: "gfx941", arch: Arch{9, 4, 1}},
	0x4c: {name: "gfx942", arch: Arch{9, 4, 2}},
	0x4e: {name: "gfx1201", arch: Arch{12, 0, 1}},
	0x4f: {name: "gfx950", arch: Arch{9, 5, 0}},
	0x51: {name: "gfx9-generic", arch: Arch{9, 0, 0}, generic: true},
	0x52: {name: "gfx10-1-generic", arch: Arch{10, 1, 0}, generic: true},
	0x53: {name: "gfx10-3-generic", arch: Arch{10, 3, 0}, generic: true},
	0x54: {name: "gfx11-generic", arch: Arch{11, 0, 0}, generic: true},
	0x55: {name: "gfx1152", arch: Arch{11, 5, 2}},
	0x58: {name: "gfx1153", arch: Arch{11, 5, 3}},
	0x59: {name: "gfx12-generic", arch: Arch{12, 0, 0}, generic: true},
	0x5a: {name: "gfx1251", arch: Arch{12, 5, 1}},
	0x5f: {name: "gfx9-4-generic", arch: Arch{9, 4, 0}, generic: true},
}

// Fields of e_flags (AMDGPUUsage, "AMDGPU ELF header e_flags").
const (
	flagMach         = 0x0000_00ff
	flagXnackShift   = 8
	flagSramECCShift = 10
	flagGenericShift = 24
	flagsKnown       = 0xff00_0fff
)

// Values of EF_AMDGPU_MACH up to this one are of the R600 architecture.
const machR600 = 0x1f

// genericCodeObject is the code object version that generic targets came with.
const genericCodeObject = 6

// Settings in e_flags of PAL's objects, which have one bit each
// (EF_AMDGPU_FEATURE_*_V3).
const (
	flagXnackV3   = 0x100
	flagSramECCV3 = 0x200
)

// palTargetFromFlags decodes e_flags of an object for PAL. A bit that is set says
// that the code is for processors with the feature.
func palTargetFromFlags(flags uint32) (Target, error) {
	if unknown := flags &^ (flagMach | flagXnackV3 | flagSramECCV3); unknown != 0 {
		return Target{}, &loader.FormatError{Offset: loader.FlagsOffset,
			What: fmt.Sprintf("unknown bits %#x in e_flags %#x", unknown, flags),
			Err:  loader.ErrUnsupported}
	}
	const version = 0 // PAL's objects have none
	t, err := targetFromFlags(flags&flagMach, version)
	t.PAL = true
	for _, f := range []struct {
		flag uint32
		to   *Feature
	}{{flagXnackV3, &t.Xnack}, {flagSramECCV3, &t.SramECC}} {
		if flags&f.flag != 0 {
			*f.to = FeatureAny
		}
	}
	return t, err
}

// targetFromFlags decodes e_flags of a code object of the given version.
func targetFromFlags(flags uint32, version int) (Target, error) {
	fail := func(want, format string, args ...any) (Target, error) {
		return Target{}, &loader.FormatError{Offset: loader.FlagsOffset, What: fmt.Sprintf(format, args...),
			Want: want, Err: loader.ErrUnsupported}
	}
	mach := uint8(flags & flagMach)
	p, ok := processors[mach]
	switch {
	case mach == 0:
		return fail("compile for a processor (-mcpu or --offload-arch)",
			"the code object names no processor (e_flags %#x)", flags)
	case mach <= machR600:
		return fail("only amdgcn processors are read",
			"code for an R600-architecture processor (EF_AMDGPU_MACH %#x)", mach)
	case !ok:
		return fail("", "unknown processor: EF_AMDGPU_MACH %#x", mach)
	case flags&^flagsKnown != 0:
		return fail("", "unknown bits %#x in e_flags %#x", flags&^flagsKnown, flags)
	}
	t := Target{
		Name: p.name, Arch: p.arch, Generic: p.generic, Mach: mach,
		WaveSize:          64,
		Xnack:             Feature(flags >> flagXnackShift & 3),
		SramECC:           Feature(flags >> flagSramECCShift & 3),
		CodeObjectVersion: version,
		GenericVersion:    int(flags >> flagGenericShift),
	}
	if p.arch.Major >= 10 {
		t.WaveSize = 32
	}
	if t.Generic != (t.GenericVersion != 0) || t.Generic && version < genericCodeObject {
		return fail("generic targets have a version above 0 and code object version 6, others have none",
			"%s in a code object of version %d with generic version %d", t.Name, version, t.GenericVersion)
	}
	return t, nil
}

// targetID is a processor with feature settings, as written in file names,
// bundle entries and metadata (AMDGPUUsage, "Target ID").
type targetID struct {
	processor      string
	sramECC, xnack Feature // FeatureAny if the ID does not say
}

// parseTargetID reads "gfx90a:sramecc+:xnack-".
func parseTargetID(s string) (targetID, error) {
	parts := strings.Split(s, ":")
	id := targetID{processor: parts[0], sramECC: FeatureAny, xnack: FeatureAny}
	if !strings.HasPrefix(id.processor, "gfx") {
		return id, fmt.Errorf("target ID %.100q does not begin with a gfx processor", s)
	}
	for _, part := range parts[1:] {
		name, setting := part, FeatureAny
		if n := len(part) - 1; n > 0 {
			switch name = part[:n]; part[n] {
			case '+':
				setting = FeatureOn
			case '-':
				setting = FeatureOff
			}
		}
		switch {
		case setting == FeatureAny:
			return id, fmt.Errorf("target ID %.100q: feature %.100q does not end in + or -", s, part)
		case name == "xnack":
			id.xnack = setting
		case name == "sramecc":
			id.sramECC = setting
		default:
			return id, fmt.Errorf("target ID %.100q: unknown feature %.100q", s, name)
		}
	}
	return id, nil
}

// parseTargetTriple reads a target ID with a triple before it:
// "amdgcn-amd-amdhsa--gfx90a:xnack+". The environment (fourth part) is ignored.
func parseTargetTriple(s string) (targetID, error) {
	parts := strings.SplitN(s, "-", 5)
	if len(parts) != 5 || parts[0] != "amdgcn" || parts[2] != "amdhsa" {
		return targetID{}, fmt.Errorf("target %.100q is not amdgcn-amd-amdhsa--PROCESSOR", s)
	}
	return parseTargetID(parts[4])
}

func (id targetID) String() string {
	s := id.processor
	for _, f := range []struct {
		name    string
		setting Feature
	}{{"sramecc", id.sramECC}, {"xnack", id.xnack}} {
		switch f.setting {
		case FeatureOn:
			s += ":" + f.name + "+"
		case FeatureOff:
			s += ":" + f.name + "-"
		}
	}
	return s
}

// settingIs reports whether a setting from e_flags is the one an ID spells, which
// has the same spelling for "any" and "unsupported".
func settingIs(flags, id Feature) bool {
	return flags == id || flags == FeatureUnsupported && id == FeatureAny
}

// is reports whether the metadata's target ID and the target of e_flags agree.
func (t Target) is(id targetID) bool {
	return t.Name == id.processor && settingIs(t.Xnack, id.xnack) && settingIs(t.SramECC, id.sramECC)
}

// satisfies reports whether code with this ID is what a user who asked for want
// meant: what want leaves open may be anything, and code that runs with either
// setting of a feature runs with the one that is wanted.
func (id targetID) satisfies(want targetID) bool {
	fits := func(want, have Feature) bool { return want == FeatureAny || have == FeatureAny || want == have }
	return id.processor == want.processor && fits(want.xnack, id.xnack) && fits(want.sramECC, id.sramECC)
}
