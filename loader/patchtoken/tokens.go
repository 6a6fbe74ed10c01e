package patchtoken

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/zebin"
)

// The tokens that say something here (patch_list.h, PATCH_TOKEN).
const (
	tokenSamplers         = 5
	tokenBindingTable     = 8
	tokenGlobalMemory     = 11
	tokenImage            = 12
	tokenLocalSurface     = 15
	tokenSampler          = 16
	tokenParameter        = 17
	tokenScratch          = 18
	tokenPayload          = 22
	tokenEnvironment      = 23
	tokenArgument         = 26
	tokenString           = 28
	tokenStatelessGlobal  = 30
	tokenStatelessConst   = 31
	tokenPrintf           = 33
	tokenEventPool        = 36
	tokenPrivate          = 38
	tokenGlobals          = 41
	tokenConstants        = 42
	tokenStatelessGlobals = 43
	tokenStatelessConsts  = 44
	tokenDefaultQueue     = 45
	tokenQueue            = 46
	tokenGlobalPointer    = 47
	tokenConstantPointer  = 48
	tokenSymbols          = 53
	tokenRelocations      = 54
	tokenScratchSlot1     = 55
	tokenSyncBuffer       = 56
)

// kernelTokens are a kernel's while they are read.
type kernelTokens struct {
	*zebin.Kernel
	program  *program
	number   int
	surfaces []byte         // the heap of surface states, with the binding table
	entries  map[uint32]int // of the table, by where the states are that they name
	states   []state
	samplers samplers
	ids      bool // threads are given local ids
}

// A state is where in the heap an argument's surface state is.
type state struct {
	index int
	at    uint32
}

// A tokenReader reads what a token has behind its header.
type tokenReader struct {
	dwords int // that it has at least
	read   func(t *kernelTokens, v []uint32, rest *reader)
}

// readers are by token; others say nothing that matters here.
var readers = map[uint32]tokenReader{
	tokenSamplers: {2, func(t *kernelTokens, v []uint32, _ *reader) {
		t.samplers.at, t.samplers.count = v[0], v[1]
	}},
	tokenBindingTable: {3, (*kernelTokens).bindingTable},
	tokenLocalSurface: {2, func(t *kernelTokens, v []uint32, _ *reader) { t.SLMSize = uint64(v[1]) }},
	tokenScratch: {2, func(t *kernelTokens, v []uint32, _ *reader) {
		t.ScratchSize = max(t.ScratchSize, uint64(v[0])+uint64(v[1]))
	}},
	tokenScratchSlot1: {2, func(t *kernelTokens, v []uint32, _ *reader) {
		t.ScratchSize = max(t.ScratchSize, uint64(v[0])+uint64(v[1]))
	}},
	tokenParameter: {8, (*kernelTokens).parameter},
	tokenGlobalMemory: {2,
		func(t *kernelTokens, v []uint32, _ *reader) { t.surface(v[0], v[1], "global") }},
	tokenStatelessGlobal: {7, func(t *kernelTokens, v []uint32, _ *reader) { t.pointer(v, "global") }},
	tokenStatelessConst:  {7, func(t *kernelTokens, v []uint32, _ *reader) { t.pointer(v, "constant") }},
	tokenImage:           {3, func(t *kernelTokens, v []uint32, _ *reader) { t.image(v[0], v[2]) }},
	tokenSampler:         {3, func(t *kernelTokens, v []uint32, _ *reader) { t.sampler(v[0], v[2]) }},
	tokenPrintf: {4,
		func(t *kernelTokens, v []uint32, _ *reader) { t.base("printf_buffer", v[2], v[3]) }},
	tokenStatelessGlobals: {4, func(t *kernelTokens, v []uint32, _ *reader) {
		t.base(zebin.ArgVariables, v[2], v[3])
	}},
	tokenStatelessConsts: {4, func(t *kernelTokens, v []uint32, _ *reader) {
		t.base(zebin.ArgConstants, v[2], v[3])
	}},
	tokenPrivate: {5, func(t *kernelTokens, v []uint32, _ *reader) {
		t.base("private_base_stateless", v[1], v[2])
		t.PrivateSize, t.PrivatePerSim = uint64(v[3]), v[3] > 0 && v[4] != 0
	}},
	tokenEventPool: {4, func(t *kernelTokens, v []uint32, _ *reader) { t.base("event_pool", v[2], v[3]) }},
	tokenDefaultQueue: {3,
		func(t *kernelTokens, v []uint32, _ *reader) { t.base("default_queue", v[1], v[2]) }},
	tokenQueue:       {7, func(t *kernelTokens, v []uint32, _ *reader) { t.base("queue", v[2], v[3]) }},
	tokenSyncBuffer:  {3, func(t *kernelTokens, v []uint32, _ *reader) { t.base("sync_buffer", v[1], v[2]) }},
	tokenPayload:     {20, (*kernelTokens).payload},
	tokenEnvironment: {31, (*kernelTokens).environment},
	tokenArgument:    {6, (*kernelTokens).declared},
	tokenString:      {2, (*kernelTokens).text},
	tokenSymbols: {0,
		func(t *kernelTokens, _ []uint32, r *reader) { t.program.symbolTable(r, t.number) }},
	tokenRelocations: {0, func(t *kernelTokens, _ []uint32, r *reader) { t.program.relocTable(r, t.number) }},
}

// read reads all tokens of the kernel.
func (t *kernelTokens) read(r *reader) error {
	for r.err == nil && r.at < len(r.b) {
		start := r.off + int64(r.at)
		h := r.dwords(2, "a token")
		if r.err == nil && h[1] < 8 {
			r.fail("token %d says that it has %d bytes", h[0], h[1])
		}
		if r.err != nil {
			break
		}
		body := &reader{b: r.bytes(h[1]-8, fmt.Sprintf("token %d", h[0])), off: start + 8}
		known, ok := readers[h[0]]
		if !ok || r.err != nil {
			continue
		}
		v := body.dwords(known.dwords, fmt.Sprintf("token %d", h[0]))
		if body.err == nil {
			known.read(t, v, body)
		}
		r.err = body.err
	}
	if r.err != nil {
		return r.err
	}
	for _, s := range t.states {
		if entry, ok := t.entries[s.at]; ok {
			t.Bindings = append(t.Bindings, zebin.Binding{Entry: entry, Index: s.index})
		}
	}
	t.nameSamplers()
	if t.ids {
		const dimensions, idBytes = 3, 2
		part := max(t.SIMD*idBytes, t.program.registerBytes)
		t.PerThread = []zebin.Arg{{Type: "local_id", Index: -1, Size: uint64(dimensions * part)}}
	}
	return t.check()
}

// What a kernel may ask for.
const (
	maxPayload = 64 << 10
	maxMemory  = 1 << 30
	maxIndex   = 1 << 10
)

// check says what cannot be.
func (t *kernelTokens) check() error {
	bad := func(format string, args ...any) error {
		return &loader.FormatError{Offset: -1, What: fmt.Sprintf(format, args...)}
	}
	switch {
	case t.SIMD != 8 && t.SIMD != 16 && t.SIMD != 32:
		return bad("it is compiled for %d lanes; want 8, 16 or 32", t.SIMD)
	case t.samplers.count > maxSamplers:
		return bad("it has %d samplers; at most %d are read", t.samplers.count, maxSamplers)
	case t.PrivateSize > maxMemory || t.ScratchSize > maxMemory || t.SLMSize > maxMemory:
		return bad("it wants %d bytes of private memory, %d of scratch and %d of local memory; at most %d "+
			"are read",
			t.PrivateSize, t.ScratchSize, t.SLMSize, maxMemory)
	}
	for _, a := range t.Args {
		if a.Offset > maxPayload || a.Size > maxPayload || a.Index > maxIndex || a.SourceOffset > maxPayload {
			return bad("argument %d has %d bytes at %#x; at most %d bytes and %d arguments are read", a.Index,
				a.Size, a.Offset, maxPayload, maxIndex)
		}
	}
	return nil
}

// bindingTable notes which states the table's entries name.
func (t *kernelTokens) bindingTable(v []uint32, _ *reader) {
	at, n := uint64(v[0]), uint64(v[1])
	for i := uint64(0); i < n && at+4*i+4 <= uint64(len(t.surfaces)); i++ {
		t.entries[binary.LittleEndian.Uint32(t.surfaces[at+4*i:])] = int(i)
	}
}

// surface is an argument whose buffer has a surface state.
func (t *kernelTokens) surface(index, at uint32, space string) {
	t.Args = append(t.Args, zebin.Arg{Type: zebin.ArgPointer, Index: int(index), Mode: "stateful",
		Space: space})
	t.states = append(t.states, state{int(index), at})
}

// pointer is an argument whose address is given, and whose buffer has a surface state besides.
func (t *kernelTokens) pointer(v []uint32, space string) {
	t.surface(v[0], v[1], space)
	t.Args = append(t.Args, zebin.Arg{Type: zebin.ArgPointer, Index: int(v[0]), Mode: "stateless",
		Space: space, Offset: uint64(v[2]), Size: uint64(v[3])})
}

// base is an implicit argument, which most are: the address of something.
func (t *kernelTokens) base(kind string, offset, size uint32) {
	t.Args = append(t.Args, zebin.Arg{Type: kind, Index: -1, Offset: uint64(offset), Size: uint64(size)})
}

// parameters are kinds of data parameters (patch_list.h, DATA_PARAMETER_TOKEN), by what a zebin calls them.
var parameters = map[uint32]string{
	1: "arg_byvalue", 2: "local_size", 3: "global_size", 4: "group_count", 5: "work_dimensions",
	8: zebin.ArgPointer, 16: "global_id_offset", 28: "enqueued_local_size", 42: "buffer_offset",
}

// properties are the parameters that tell of an image or a sampler.
var properties = map[uint32]string{
	9: "image_width", 10: "image_height", 11: "image_depth", 12: "image_channel_data_type",
	13: "image_channel_order", 14: "sampler_address", 15: "sampler_normalized", 18: "image_array_size",
	20: "image_num_samples", 21: "sampler_snap_wa", 27: "image_num_mip_levels",
}

// parameter is a piece of the cross-thread data. Those of three dimensions come one by one.
func (t *kernelTokens) parameter(v []uint32, _ *reader) {
	const value, local, offset, stateful = 1, 8, 42, 43
	a := zebin.Arg{Type: parameters[v[0]], Index: -1, Offset: uint64(v[2]), Size: uint64(v[3])}
	if name := properties[v[0]]; name != "" {
		a.Type, a.Index = name, int(v[1])
		t.Args = append(t.Args, a)
		return
	}
	switch v[0] {
	case stateful: // says of a pointer that has a token of its own that code does not use it
		return
	case value, offset:
		a.Index, a.SourceOffset = int(v[1]), uint64(v[4])
	case local: // the source's offset is how it is to be aligned
		a.Index, a.Mode, a.Space, a.SLMAlign = int(v[1]), "slm", "local", uint64(v[4])
	default:
		if a.Type == "" {
			a.Type = fmt.Sprintf("data parameter %d", v[0])
		}
		if n := len(t.Args) - 1; v[4] > 0 && n >= 0 && t.Args[n].Type == a.Type &&
			t.Args[n].Offset+uint64(v[4]) == a.Offset && t.Args[n].Size == uint64(v[4]) {
			t.Args[n].Size += a.Size
			return
		}
	}
	t.Args = append(t.Args, a)
}

// payload says what a thread is given of its own.
func (t *kernelTokens) payload(v []uint32, _ *reader) {
	const idX, idY, idZ, inline = 1, 2, 3, 14
	if v[idX]|v[idY]|v[idZ] != 0 {
		t.ids = true
	}
	if v[inline] != 0 {
		t.Inline = t.program.registerBytes
	}
}

// environment says how the kernel is compiled. From version 1082 on there is a field more before the last
// ones.
func (t *kernelTokens) environment(v []uint32, r *reader) {
	const simd, barriers, big, registers, stackCalls, bytes = 3, 5, 19, 20, 29, 132
	copy(t.RequiredGroup[:], v)
	t.SIMD, t.Barriers = int(v[simd]), int(v[barriers])
	if len(r.b) > bytes {
		v = v[1:]
	}
	t.BigBuffers, t.Registers, t.StackCalls = v[big] != 0, int(v[registers]), v[stackCalls] != 0
}

// declared is what the source says of an argument: five texts.
func (t *kernelTokens) declared(v []uint32, r *reader) {
	d := zebin.Declared{Index: int(v[0])}
	var texts [5]string
	for i := range texts {
		texts[i] = text(r.bytes(v[1+i], "a text"))
	}
	typ, size, _ := strings.Cut(texts[3], ";")
	d.Name, d.Type, d.Access, d.Qualifiers = texts[2], typ, strings.TrimLeft(texts[1], "_"), texts[4]
	if n, err := strconv.ParseUint(size, 10, 64); err == nil && n <= maxPayload {
		d.Size = n
	}
	if d.Index <= maxIndex {
		t.Declared = append(t.Declared, d)
	}
	for i := range t.Args {
		if a := &t.Args[i]; a.Index == d.Index && a.Type == zebin.ArgPointer &&
			strings.Contains(texts[4], "const") {
			a.Access = "readonly"
		}
	}
}

// text is a string that printf is given: a format, or one that a format prints. It is written as in a source.
func (t *kernelTokens) text(v []uint32, r *reader) {
	s := text(r.bytes(v[1], "a string"))
	if v[0] > maxIndex {
		return
	}
	for uint32(len(t.Strings)) <= v[0] {
		t.Strings = append(t.Strings, "")
	}
	t.Strings[v[0]] = unescape(s)
}

// escapes are those of C that are one character.
var escapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v',
	'\\': '\\', '"': '"', '\'': '\'', '?': '?'}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && escapes[s[i+1]] != 0 {
			i++
			b.WriteByte(escapes[s[i]])
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
