package amdgpu

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/msgpack"
	"simtgdb/loader/printable"
)

// pipelineMetadata is what the metadata note of a PAL pipeline says.
type pipelineMetadata struct {
	Pipeline
	root     msgpack.Value
	stages   map[string]*hardwareStage
	compute  computeRegisters
	warnings []string
}

// hardwareStage is an entry of .hardware_stages. From version 3 on it says what
// registers said before.
type hardwareStage struct {
	symbol, entry       string
	sgprs, vgprs, agprs uint32
	lds, scratch        uint32
	scratchEnabled      bool
	waveSize            int
	workgroup           [3]uint32
	userSGPRs           uint32
	userData            []uint32
	floatMode           uint32
	ieee, fp16Overflow  bool
}

// computeRegisters is .compute_registers of version 3.
type computeRegisters struct {
	workgroupID   [3]bool
	workgroupInfo bool
	localIDs      uint32 // the number of components, less one
	dynamicVGPRs  bool
}

// Bounds of what metadata may list.
const (
	maxUserSGPRs     = 32
	maxFormatStrings = 1 << 16
)

var pipelineRootFields = map[string]setter[pipelineMetadata]{
	"amdpal.version": uintsField(func(m *pipelineMetadata) []int { return m.Version[:] }),
	"amdpal.pipelines": func(m *pipelineMetadata, v msgpack.Value) error {
		return decodeList(v, func(i int, v msgpack.Value) error {
			if i > 0 {
				return &valueError{v.Offset(), "second pipeline, want one"}
			}
			return decodeMap(m, v, pipelineFields)
		})
	},
	"amdpal.format_strings": func(m *pipelineMetadata, v msgpack.Value) error {
		return decodeMap(m, v,
			formatFields)
	},
}

var pipelineFields = map[string]setter[pipelineMetadata]{
	".name":                   stringField(func(m *pipelineMetadata) *string { return &m.Name }),
	".api":                    stringField(func(m *pipelineMetadata) *string { return &m.API }),
	".type":                   stringField(func(m *pipelineMetadata) *string { return &m.Type }),
	".user_data_limit":        uintField(func(m *pipelineMetadata) *uint32 { return &m.UserDataLimit }),
	".spill_threshold":        uintField(func(m *pipelineMetadata) *uint32 { return &m.SpillThreshold }),
	".internal_pipeline_hash": wordsField(func(m *pipelineMetadata) []uint64 { return m.Hash[:] }),
	".compute_registers": func(m *pipelineMetadata, v msgpack.Value) error {
		return decodeMap(&m.compute, v, computeRegisterFields)
	},
	".hardware_stages": func(m *pipelineMetadata, v msgpack.Value) error {
		if v.Kind() != msgpack.Map {
			return wrongKind(v, msgpack.Map)
		}
		for p := range v.Pairs {
			name, err := asString(p.Key)
			if err != nil {
				return err
			}
			s := &hardwareStage{}
			if err := decodeMap(s, p.Value, stageFields); err != nil {
				return &pathError{printable.Name(name), err}
			}
			if m.stages[name] == nil {
				m.Stages = append(m.Stages, name)
			}
			m.stages[name] = s
		}
		return nil
	},
	".registers": func(m *pipelineMetadata, v msgpack.Value) error {
		if v.Kind() != msgpack.Map {
			return wrongKind(v, msgpack.Map)
		}
		for p := range v.Pairs {
			var number, value uint32
			if err := asUint(p.Key, &number); err != nil {
				return err
			}
			if err := asUint(p.Value, &value); err != nil {
				return &pathError{fmt.Sprintf("[%#x]", number), err}
			}
			m.Registers[number] = value
		}
		return nil
	},
}

var computeRegisterFields = map[string]setter[computeRegisters]{
	".tgid_x_en":       boolField(func(c *computeRegisters) *bool { return &c.workgroupID[0] }),
	".tgid_y_en":       boolField(func(c *computeRegisters) *bool { return &c.workgroupID[1] }),
	".tgid_z_en":       boolField(func(c *computeRegisters) *bool { return &c.workgroupID[2] }),
	".tg_size_en":      boolField(func(c *computeRegisters) *bool { return &c.workgroupInfo }),
	".tidig_comp_cnt":  uintField(func(c *computeRegisters) *uint32 { return &c.localIDs }),
	".dynamic_vgpr_en": boolField(func(c *computeRegisters) *bool { return &c.dynamicVGPRs }),
}

var stageFields = map[string]setter[hardwareStage]{
	".entry_point_symbol":     stringField(func(s *hardwareStage) *string { return &s.symbol }),
	".entry_point":            stringField(func(s *hardwareStage) *string { return &s.entry }),
	".sgpr_count":             uintField(func(s *hardwareStage) *uint32 { return &s.sgprs }),
	".vgpr_count":             uintField(func(s *hardwareStage) *uint32 { return &s.vgprs }),
	".agpr_count":             uintField(func(s *hardwareStage) *uint32 { return &s.agprs }),
	".lds_size":               uintField(func(s *hardwareStage) *uint32 { return &s.lds }),
	".scratch_memory_size":    uintField(func(s *hardwareStage) *uint32 { return &s.scratch }),
	".scratch_en":             boolField(func(s *hardwareStage) *bool { return &s.scratchEnabled }),
	".wavefront_size":         uintField(func(s *hardwareStage) *int { return &s.waveSize }),
	".threadgroup_dimensions": uintsField(func(s *hardwareStage) []uint32 { return s.workgroup[:] }),
	".user_sgprs":             uintField(func(s *hardwareStage) *uint32 { return &s.userSGPRs }),
	".float_mode":             uintField(func(s *hardwareStage) *uint32 { return &s.floatMode }),
	".ieee_mode":              boolField(func(s *hardwareStage) *bool { return &s.ieee }),
	".fp16_overflow":          boolField(func(s *hardwareStage) *bool { return &s.fp16Overflow }),
	".user_data_reg_map": func(s *hardwareStage, v msgpack.Value) error {
		if v.Kind() == msgpack.Array && v.Len() > maxUserSGPRs {
			return &valueError{v.Offset(), fmt.Sprintf("array of %d, want at most %d", v.Len(), maxUserSGPRs)}
		}
		s.userData = nil
		return decodeList(v, func(_ int, v msgpack.Value) error {
			var u uint32
			err := asUint(v, &u)
			s.userData = append(s.userData, u)
			return err
		})
	},
}

var formatFields = map[string]setter[pipelineMetadata]{
	".version": uintField(func(m *pipelineMetadata) *int { return &m.FormatVersion }),
	".user_data_offset": func(m *pipelineMetadata, v msgpack.Value) error {
		m.PrintfEntryKnown = true
		return asUint(v, &m.PrintfEntry)
	},
	".strings": func(m *pipelineMetadata, v msgpack.Value) error {
		return decodeList(v, func(i int, v msgpack.Value) error {
			if i >= maxFormatStrings {
				return &valueError{v.Offset(), fmt.Sprintf("more than %d format strings", maxFormatStrings)}
			}
			var s FormatString
			err := decodeMap(&s, v, formatStringFields)
			m.Formats = append(m.Formats, s)
			return err
		})
	},
}

var formatStringFields = map[string]setter[FormatString]{
	".index": func(s *FormatString, v msgpack.Value) error { return asWord(v, &s.Index) },
	".string": func(s *FormatString, v msgpack.Value) error {
		text, err := asString(v)
		s.String = strings.TrimSuffix(text, "\x00") // LLPC keeps the one of C's strings
		return err
	},
	".argument_count": uintField(func(s *FormatString) *uint32 { return &s.Arguments }),
	".64bit_arguments": func(s *FormatString, v msgpack.Value) error {
		s.Wide = nil
		return decodeList(v, func(_ int, v msgpack.Value) error {
			var w uint64
			err := asWord(v, &w)
			s.Wide = append(s.Wide, w)
			return err
		})
	},
}

// asWord stores an integer of 64 bits.
func asWord(v msgpack.Value, dst *uint64) error {
	n, ok := v.Uint()
	if !ok {
		i, isInt := v.Int()
		if !isInt {
			return wrongKind(v, msgpack.Int)
		}
		n = uint64(i)
	}
	*dst = n
	return nil
}

// wordsField stores an array of exactly as many integers of 64 bits as there are
// places.
func wordsField[T any](places func(*T) []uint64) setter[T] {
	return func(dst *T, v msgpack.Value) error {
		to := places(dst)
		if v.Kind() == msgpack.Array && v.Len() != len(to) {
			return &valueError{v.Offset(), fmt.Sprintf("array of %d, want %d", v.Len(), len(to))}
		}
		return decodeList(v, func(i int, v msgpack.Value) error { return asWord(v, &to[i]) })
	}
}

// Versions of amdpal.version that are read: 2, in which registers say how waves
// start, and 3.
const (
	oldestPAL = 2
	newestPAL = 3
)

// readPipelineMetadata finds and decodes the metadata note, which a pipeline must
// have: there are no kernel descriptors.
func readPipelineMetadata(f *loader.ELF) (*pipelineMetadata, error) {
	notes, err := metadataNotes(f)
	if err != nil {
		return nil, err
	}
	if len(notes) == 0 {
		return nil, &loader.FormatError{Offset: -1, What: "AMD PAL object without a metadata note",
			Want: "want one of MessagePack (NT_AMDGPU_METADATA)", Err: loader.ErrUnsupported}
	}
	if len(notes) > 1 {
		return nil, &loader.FormatError{Offset: int64(notes[1].Offset), What: "second metadata note",
			Want: "a pipeline has one"}
	}
	n := notes[0]
	m, err := decodePipelineMetadata(n.Desc)
	if err != nil {
		return nil, &loader.FormatError{Offset: int64(n.Offset), What: "metadata note: " + err.Error(),
			Err: err}
	}
	return m, nil
}

func decodePipelineMetadata(desc []byte) (*pipelineMetadata, error) {
	root, err := msgpack.Decode(desc)
	if err != nil {
		return nil, err
	}
	m := &pipelineMetadata{root: root, stages: map[string]*hardwareStage{}}
	m.Registers, m.SpillThreshold = map[uint32]uint32{}, NoSpill
	if err := decodeMap(m, root, pipelineRootFields); err != nil {
		return nil, err
	}
	// llc writes no version if it is not given one: that is version 2.
	if v := m.Version[0]; v != 0 && (v < oldestPAL || v > newestPAL) {
		return nil, fmt.Errorf("amdpal.version %d.%d, want %d.x or %d.x: %w", m.Version[0], m.Version[1],
			oldestPAL, newestPAL, loader.ErrUnsupported)
	}
	m.checkFormats()
	return m, nil
}

// checkFormats warns of what makes text uncertain.
func (m *pipelineMetadata) checkFormats() {
	const idBits = 48
	seen := map[uint64]int{}
	for i, s := range m.Formats {
		if s.Index>>idBits != 0 {
			m.warnings = append(m.warnings,
				fmt.Sprintf("format string %d: identifier %#x has more than %d bits", i, s.Index, idBits))
		}
		if first, twice := seen[s.Index]; !twice {
			seen[s.Index] = i
		} else if m.Formats[first].String != s.String {
			m.warnings = append(m.warnings,
				fmt.Sprintf("format strings %d and %d have the same identifier %#x", first, i, s.Index))
		}
	}
}

// registersOnly reports whether registers say how waves start.
func (m *pipelineMetadata) registersOnly() bool { return m.Version[0] < newestPAL }

// Registers of version 2 (AMDGPUUsage, "Code Object Metadata" of AMDPAL,
// ".registers").
const (
	regNumThread = 0x2e07 // COMPUTE_NUM_THREAD_X, Y and Z
	regRsrc1     = 0x2e12 // COMPUTE_PGM_RSRC1
	regRsrc2     = 0x2e13 // COMPUTE_PGM_RSRC2
	regUserData  = 0x2e40 // COMPUTE_USER_DATA_0 and those after it
)

// Fields of COMPUTE_PGM_RSRC2 that the words of descriptors leave to others.
const (
	rsrc2LDSShift, rsrc2LDSMask = 15, 0x1ff
	ldsGranule                  = 512 // bytes, from gfx7 on
)

// What says that waves have 32 lanes.
const (
	halfWave   = 32
	waveSize32 = 1 << 10 // ENABLE_WAVEFRONT_SIZE32
)

// descriptor makes the descriptor that a kernel for HSA would have.
func (m *pipelineMetadata) descriptor(s *hardwareStage, t Target) (Descriptor, error) {
	d := Descriptor{GroupSegmentFixedSize: s.lds, PrivateSegmentFixedSize: s.scratch}
	if cmp.Or(s.waveSize, t.WaveSize) == halfWave {
		d.EnableWavefrontSize32, d.CodeProperties = true, waveSize32
	}
	if m.registersOnly() {
		d.Rsrc1, d.Rsrc2 = m.Registers[regRsrc1], m.Registers[regRsrc2]
		if d.GroupSegmentFixedSize == 0 {
			d.GroupSegmentFixedSize = ldsGranule * (d.Rsrc2 >> rsrc2LDSShift & rsrc2LDSMask)
		}
		d.Rsrc2 &^= rsrc2LDSMask << rsrc2LDSShift
	} else if err := m.setWords(&d, s, t); err != nil {
		return d, err
	}
	if t.family()&accFile != 0 { // where the accumulation registers begin: behind the others
		own := max(s.vgprs, s.agprs) - s.agprs
		d.Rsrc3 = min((max(own, 1)+3)/4, 64) - 1
	}
	d.decodeWords(t) // what it finds is the driver's to set
	if t.family()&accFile != 0 && s.agprs == 0 {
		d.ArchVGPRs, d.AccVGPRs = min(d.TotalVGPRs, maxAccVGPRs), 0
	}
	return d, d.check()
}

// setWords makes the words of COMPUTE_PGM_RSRC1 to 3 of what version 3 says in
// names.
func (m *pipelineMetadata) setWords(d *Descriptor, s *hardwareStage, t Target) error {
	fam := t.family()
	vgprGranule, vgprs := uint32(4), max(s.vgprs, 1)
	switch {
	case fam == gfx125 && d.EnableWavefrontSize32:
		vgprGranule = 16
	case fam&(accFile|gfx125) != 0 || d.EnableWavefrontSize32:
		vgprGranule = 8
	}
	const most = 512
	switch {
	case s.vgprs > most || s.agprs > most || s.sgprs > most:
		return fmt.Errorf("%d SGPRs, %d VGPRs and %d AGPRs, want at most %d of each", s.sgprs, s.vgprs,
			s.agprs, most)
	case s.floatMode > math.MaxUint8:
		return fmt.Errorf("floating point mode %#x, want 8 bits", s.floatMode)
	case s.userSGPRs > maxUserSGPRs-1:
		return fmt.Errorf("%d user SGPRs, want at most %d", s.userSGPRs, maxUserSGPRs-1)
	case m.compute.localIDs > 3:
		return fmt.Errorf(".tidig_comp_cnt is %d, want 0 to 2", m.compute.localIDs)
	}
	values := map[string]uint32{
		"GRANULATED_WORKITEM_VGPR_COUNT":  (vgprs+vgprGranule-1)/vgprGranule - 1,
		"GRANULATED_WAVEFRONT_SGPR_COUNT": min((max(s.sgprs, 1)+7)/8-1, 15),
		"FLOAT_ROUND_MODE_32":             s.floatMode & 3,
		"FLOAT_ROUND_MODE_16_64":          s.floatMode >> 2 & 3,
		"FLOAT_DENORM_MODE_32":            s.floatMode >> 4 & 3,
		"FLOAT_DENORM_MODE_16_64":         s.floatMode >> 6 & 3,
		"ENABLE_DX10_CLAMP":               1, // as drivers set it
		"ENABLE_IEEE_MODE":                bit(s.ieee),
		"FP16_OVFL":                       bit(s.fp16Overflow),
		"ENABLE_PRIVATE_SEGMENT":          bit(s.scratchEnabled || s.scratch > 0),
		"USER_SGPR_COUNT":                 s.userSGPRs,
		"ENABLE_SGPR_WORKGROUP_ID_X":      bit(m.compute.workgroupID[0]),
		"ENABLE_SGPR_WORKGROUP_ID_Y":      bit(m.compute.workgroupID[1]),
		"ENABLE_SGPR_WORKGROUP_ID_Z":      bit(m.compute.workgroupID[2]),
		"ENABLE_SGPR_WORKGROUP_INFO":      bit(m.compute.workgroupInfo),
		"ENABLE_VGPR_WORKITEM_ID":         m.compute.localIDs,
		"ENABLE_DYNAMIC_VGPR":             bit(m.compute.dynamicVGPRs),
	}
	for i := range bitFields {
		f := &bitFields[i]
		if v := values[f.name]; f.on&fam != 0 {
			switch f.word {
			case rsrc1:
				d.Rsrc1 |= v << f.shift
			case rsrc2:
				d.Rsrc2 |= v << f.shift
			case rsrc3:
				d.Rsrc3 |= v << f.shift
			}
		}
	}
	return nil
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// userData says what the user SGPRs of a stage hold.
func (m *pipelineMetadata) userData(s *hardwareStage, count int) ([]UserData, error) {
	all := s.userData
	if m.registersOnly() {
		all = make([]uint32, maxUserSGPRs)
		for i := range all {
			v, ok := m.Registers[regUserData+uint32(i)]
			if !ok {
				v = uint32(UserDataUnused)
			}
			all[i] = v
		}
	}
	if count > len(all) {
		return nil, fmt.Errorf("%d user SGPRs, but .user_data_reg_map has %d", count, len(all))
	}
	out := make([]UserData, count)
	for i := range out {
		out[i] = UserData(all[i])
	}
	return out, nil
}
