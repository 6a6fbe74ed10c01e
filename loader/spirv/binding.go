package spirv

// A Variable is OpVariable at module scope.
type Variable struct {
	ID      uint32
	Name    string
	Type    *Type // of what it holds
	Storage StorageClass
	Init    uint32 // id of a constant, or 0
	Word    int
}

func (m *Module) readVariable(in *Inst) error {
	t := m.Types[in.Type]
	if t == nil || t.Kind != Pointer || len(in.Args) < 1 {
		return errorAt(in.Word, "variable %%%d: its type %%%d is no pointer", in.Result, in.Type)
	}
	elem := t.Elem
	if elem == nil {
		if elem = m.Types[m.Def(t.ID).Args[1]]; elem == nil {
			return errorAt(in.Word, "variable %%%d: nothing is known of what %%%d points to", in.Result, t.ID)
		}
	}
	v := &Variable{ID: in.Result, Name: m.Names[in.Result], Type: elem, Storage: StorageClass(in.Args[0]),
		Init: in.Arg(1), Word: in.Word}
	m.Variables = append(m.Variables, v)
	m.variables[v.ID] = v
	return nil
}

// Variable is the variable at module scope with an id, or nil.
func (m *Module) Variable(id uint32) *Variable { return m.variables[id] }

// A Binding is a buffer that the host has to give.
type Binding struct {
	Variable *Variable
	Set      uint32
	Binding  uint32
	Elements uint64 // descriptors: 1, or the length of an array of blocks; 0 for as many as are given
	Block    *Type  // the struct in the buffer
	Size     uint64 // bytes that the fixed part of the block takes
	Tail     uint64 // stride of the runtime array that it ends with, or 0
	Storage  bool   // written and read; otherwise a uniform buffer
	Name     string // of the variable, or of the block's type where that has none
}

// Bindings are the buffers of a module, in the order of their variables.
func (m *Module) Bindings() []Binding {
	var bs []Binding
	for _, v := range m.Variables {
		if v.Storage != Uniform && v.Storage != StorageBuffer {
			continue
		}
		b := Binding{Variable: v, Elements: 1, Block: v.Type, Name: v.Name}
		if v.Type.Kind == Array || v.Type.Kind == RuntimeArray {
			b.Elements, b.Block = v.Type.Len, v.Type.Elem
		}
		_, bufferBlock := m.Decoration(b.Block.ID, DecorationBufferBlock)
		b.Storage = v.Storage == StorageBuffer || bufferBlock
		b.Set = first(m.Decoration(v.ID, DecorationDescriptorSet))
		b.Binding = first(m.Decoration(v.ID, DecorationBinding))
		if b.Name == "" {
			b.Name = m.Names[b.Block.ID]
		}
		b.Size = b.Block.Size
		if n := len(b.Block.Members); n > 0 {
			if last := &b.Block.Members[n-1]; last.Type.Kind == RuntimeArray {
				b.Tail = last.Type.Stride
				b.Size = last.Offset
			}
		}
		bs = append(bs, b)
	}
	return bs
}

// An ImageBinding is an image, a sampled image or a sampler that the host has to give, or an array of such.
type ImageBinding struct {
	Name         string // of the variable
	Set, Binding uint32
	Elements     uint64 // how many descriptors, as of a Binding
	Sampler      bool   // it is a sampler alone
	// Of images, the words of OpTypeImage: its dimensions, whether it is arrayed, its format; and what a
	// texel's component is.
	Dim, Format uint32
	Arrayed     bool
	Sampled     *Type
}

// ImageBindings are those of a module, in the order of their variables.
func (m *Module) ImageBindings() []ImageBinding {
	var all []ImageBinding
	for _, v := range m.Variables {
		if v.Storage != UniformConstant {
			continue
		}
		t, elements := v.Type, uint64(1)
		if t.Kind == Array || t.Kind == RuntimeArray {
			t, elements = t.Elem, t.Len
		}
		if t == nil || t.Kind != Opaque {
			continue
		}
		set, bound := m.Decoration(v.ID, DecorationDescriptorSet)
		def := m.Def(t.ID)
		if !bound || def == nil {
			continue
		}
		b := ImageBinding{Name: v.Name, Set: first(set, bound), Elements: elements,
			Sampler: def.Op == OpTypeSampler, Binding: first(m.Decoration(v.ID, DecorationBinding))}
		if def.Op == OpTypeSampledImage && len(def.Args) > 0 {
			def = m.Def(def.Args[0])
		}
		const words = 7 // sampled type, dimensions, depth, arrayed, multisampled, sampled, format
		if def != nil && def.Op == OpTypeImage && len(def.Args) >= words {
			b.Sampled, b.Dim, b.Arrayed, b.Format =
				m.Types[def.Args[0]], def.Args[1], def.Args[3] == 1, def.Args[6]
		}
		all = append(all, b)
	}
	return all
}

// PushConstant is the block of push constants, or nil.
func (m *Module) PushConstant() *Variable {
	for _, v := range m.Variables {
		if v.Storage == PushConstant {
			return v
		}
	}
	return nil
}

// WorkgroupSize is the size of an entry point's workgroups, with the defaults of what can be specialised: a
// constant with the BuiltIn WorkgroupSize before LocalSizeId and LocalSize (Vulkan, "WorkgroupSize").
// Its ids are those of the three constants where there are such. ok is false where the module leaves the
// size to the host.
func (m *Module) WorkgroupSize(e *Entry) (size [3]uint32, ids [3]uint32, ok bool) {
	for _, id := range m.constantOrder {
		c := m.Constants[id]
		if b, is := m.Decoration(id, DecorationBuiltIn); is && b == builtInWorkgroupSize &&
			len(c.Parts) == 3 {
			copy(ids[:], c.Parts)
		}
	}
	for _, mode := range e.Modes {
		if len(mode.Args) < 3 {
			continue
		}
		switch {
		case mode.Kind == ModeLocalSize:
			size, ok = [3]uint32(mode.Args[:3]), true
		case mode.Kind == ModeLocalSizeID && ids[0] == 0:
			ids = [3]uint32(mode.Args[:3])
		}
	}
	if ids[0] != 0 {
		for i, id := range ids {
			v, known := m.Uint(id)
			if !known {
				return size, ids, ok
			}
			size[i] = uint32(v)
		}
		ok = true
	}
	return size, ids, ok
}
