package patchtoken

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/loader"
	"simtgdb/loader/zebin"
)

// token makes a token of numbers.
func token(id uint32, v ...uint32) []byte {
	return append(words(id, uint32(8+4*len(v))), words(v...)...)
}

// parts are what a kernel in a device binary consists of.
type parts struct {
	name                              string
	code, general, samplers, surfaces []byte
	unpadded                          uint32 // bytes of the code that are its own
	tokens                            []byte
}

// deviceBinary makes a device binary for a Gen9 of the program's tokens and of kernels.
func deviceBinary(tokens []byte, kernels ...parts) []byte {
	b := append(words(0x494e5443, 1081, 12, 8, uint32(len(kernels)), 0, uint32(len(tokens))), tokens...)
	for _, k := range kernels {
		name := k.name + "\x00\x00"
		b = append(b, words(0, 0, 0, uint32(len(name)), uint32(len(k.tokens)), uint32(len(k.code)),
			uint32(len(k.general)), uint32(len(k.samplers)), uint32(len(k.surfaces)), k.unpadded)...)
		b = slices.Concat(b, []byte(name), k.code, k.general, k.samplers, k.surfaces, k.tokens)
	}
	return b
}

// environment is SPatchExecutionEnvironment of a kernel for 16 lanes, which has more fields of late.
func environment(more int) []byte {
	v := make([]uint32, 33)
	v[0], v[1], v[2], v[3], v[5] = 8, 4, 2, 16, 3
	if v[19], v[20], v[29] = 1, 128, 1; more > 0 {
		v = slices.Concat(v[:19], make([]uint32, more), v[19:])
	}
	return token(tokenEnvironment, v...)
}

// arg is an argument that has a place in the payload.
func arg(kind string, offset, size uint64) zebin.Arg {
	return zebin.Arg{Type: kind, Index: -1, Offset: offset, Size: size}
}

// surface is a pointer whose buffer has a surface state.
func surface(index int, space string) zebin.Arg {
	return zebin.Arg{Type: zebin.ArgPointer, Index: index, Mode: "stateful", Space: space}
}

func stateless(index int, space string, offset uint64) zebin.Arg {
	return zebin.Arg{Type: zebin.ArgPointer, Index: index, Mode: "stateless", Space: space, Offset: offset,
		Size: 8}
}

// parameter is a piece of the payload of a kind, for an argument.
func parameter(kind, index, offset, size, source uint32) []byte {
	return token(tokenParameter, kind, index, offset, size, source, 0, 0xffffffff, 0xffffffff)
}

// TestTokens: what each token says, by the structures of IGC's patch_list.h.
func TestTokens(t *testing.T) {
	const far = 0xffffffff // a location that is none
	implicit := func(kind string, at uint64) []zebin.Arg { return []zebin.Arg{arg(kind, at, 8)} }
	for _, c := range []struct {
		name   string
		tokens []byte
		want   []zebin.Arg
	}{
		{"global memory", token(tokenGlobalMemory, 3, 64, far, far, 0), []zebin.Arg{surface(3, "global")}},
		{"image", token(tokenImage, 3, 4, 64, far, far, 0), []zebin.Arg{surface(3, zebin.SpaceImage)}},
		{"sampler", token(tokenSampler, 3, 1, 64, far, far, 0), []zebin.Arg{surface(3, zebin.SpaceSampler)}},
		{"pointer", token(tokenStatelessGlobal, 3, 64, 32, 8, far, far, 0),
			[]zebin.Arg{surface(3, "global"), stateless(3, "global", 32)}},
		{"constant pointer", token(tokenStatelessConst, 4, 64, 40, 8, far, far, 0),
			[]zebin.Arg{surface(4, "constant"), stateless(4, "constant", 40)}},
		{"printf's buffer", token(tokenPrintf, 1, 2, 48, 8), implicit("printf_buffer", 48)},
		{"variables", token(tokenStatelessGlobals, 1, 2, 56, 8), implicit(zebin.ArgVariables, 56)},
		{"constants", token(tokenStatelessConsts, 1, 2, 64, 8), implicit(zebin.ArgConstants, 64)},
		{"events", token(tokenEventPool, 1, 2, 72, 8), implicit("event_pool", 72)},
		{"default queue", token(tokenDefaultQueue, 1, 80, 8), implicit("default_queue", 80)},
		{"queue", token(tokenQueue, 1, 2, 88, 8, far, far, 0), implicit("queue", 88)},
		{"barrier of all groups", token(tokenSyncBuffer, 1, 96, 8), implicit("sync_buffer", 96)},
		{"private memory", token(tokenPrivate, 1, 104, 8, 0, 0), implicit("private_base_stateless", 104)},
		{"value", parameter(1, 5, 12, 4, 8), []zebin.Arg{{Type: "arg_byvalue", Index: 5, Offset: 12, Size: 4,
			SourceOffset: 8}}},
		{"local memory", parameter(8, 5, 12, 4, 16), []zebin.Arg{{Type: zebin.ArgPointer, Index: 5,
			Offset: 12, Size: 4, Mode: "slm", Space: "local", SLMAlign: 16}}},
		{"offset of a buffer", parameter(42, 5, 12, 4, 0), []zebin.Arg{{
			Type: "buffer_offset", Index: 5, Offset: 12, Size: 4}}},
		{"width of an image", parameter(9, 5, 12, 4, 0), []zebin.Arg{{
			Type: "image_width", Index: 5, Offset: 12, Size: 4}}},
		{"a pointer that is not used", parameter(43, 5, 12, 4, 0), nil},
		{"an unknown parameter", parameter(99, 5, 12, 4, 0),
			[]zebin.Arg{arg("data parameter 99", 12, 4)}},
		{"sizes of three dimensions", slices.Concat(parameter(2, 0, 12, 4, 0),
			parameter(2, 0, 16, 4, 4), parameter(2, 0, 20, 4, 8),
			parameter(2, 0, 40, 4, 8), parameter(3, 0, 44, 4, 4)),
			[]zebin.Arg{arg("local_size", 12, 12), arg("local_size", 40, 4),
				arg("global_size", 44, 4)}},
		{"sizes from the middle on", slices.Concat(parameter(2, 0, 12, 4, 4), parameter(2, 0, 16, 4, 0)),
			[]zebin.Arg{arg("local_size", 12, 4), arg("local_size", 16, 4)}},
		{"sizes of other kinds", slices.Concat(parameter(2, 0, 12, 4, 0), parameter(3, 0, 16, 4, 4)),
			[]zebin.Arg{arg("local_size", 12, 4), arg("global_size", 16, 4)}},
		{"sizes that leave one out", slices.Concat(parameter(2, 0, 12, 4, 0), parameter(2, 0, 20, 4, 8)),
			[]zebin.Arg{arg("local_size", 12, 4), arg("local_size", 20, 4)}},
		{"an unknown token", token(99, 1, 2, 3), nil},
		{"a token without numbers", token(99), nil},
	} {
		m, err := Open(deviceBinary(nil, parts{name: "k", tokens: append(environment(0), c.tokens...)}))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		k := zebin.KernelOf(&m.Kernels[0])
		if d := cmp.Diff(c.want, k.Args); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// TestKernel: what a kernel is, of its header, heaps and tokens.
func TestKernel(t *testing.T) {
	// Samplers' states: the first is an argument's, the second has a filter and a mode of addresses.
	states := words(0, 0, 0, 0, 1<<17, 0, 0, 1<<10|2<<6)
	k := parts{name: "k", code: []byte("0123456789abcdef"), unpadded: 12, general: make([]byte, 12),
		samplers: append(make([]byte, 64), states...), surfaces: words(9, 9, 0, 192, 64, 128)}
	texts := "__global\x00__read_only\x00name\x00image2d_t;8\x00const volatile\x00"
	k.tokens = slices.Concat(token(tokenSamplers, 64, 2), token(tokenBindingTable, 8, 4, 0),
		token(tokenGlobalMemory, 0, 64), token(tokenGlobalMemory, 1, 192), token(tokenImage, 2, 0, 999),
		token(tokenSampler, 3, 1, 64), token(tokenLocalSurface, 0, 4096), token(tokenScratch, 1000, 24),
		token(tokenScratchSlot1, 1000, 23), token(tokenPrivate, 1, 104, 8, 16, 1), environment(0),
		token(tokenPayload, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0),
		words(tokenArgument, uint32(32+len(texts)), 1, 9, 12, 5, 12, 15), []byte(texts),
		words(tokenString, 16+9, 2, 9), []byte(`%d\n\\\q`+"\x00"),
		words(tokenString, 16+3, 1, 3), []byte("ab\\"))
	m, err := Open(deviceBinary(nil, parts{name: "first", tokens: environment(0)}, k,
		parts{name: zebin.NotAKernel, code: []byte("01234567"), unpadded: 99, tokens: environment(0)},
		parts{name: "last", tokens: append(environment(1), token(tokenScratchSlot1, 100, 28)...)}))
	if err != nil {
		t.Fatal(err)
	}
	want := &zebin.Kernel{Name: "k", SIMD: 16, Registers: 128, SLMSize: 4096, Barriers: 3, StackCalls: true,
		BigBuffers: true, RequiredGroup: [3]uint32{8, 4, 2}, Inline: 32, ScratchSize: 1024, PrivateSize: 16,
		PrivatePerSim: true, Bindings: []zebin.Binding{{Entry: 2, Index: 0}, {Entry: 1, Index: 1}},
		Samplers: []zebin.Sampler{{Index: 1, Address: "clamp_edge", Filter: "linear"}},
		Args: []zebin.Arg{surface(0, "global"), surface(1, "global"), surface(2, zebin.SpaceImage),
			surface(3, zebin.SpaceSampler), arg("private_base_stateless", 104, 8)},
		PerThread: []zebin.Arg{arg("local_id", 0, 96)},
		Declared: []zebin.Declared{{Index: 1, Name: "name", Type: "image2d_t", Size: 8, Access: "read_only",
			Qualifiers: "const volatile"}},
		Strings: []string{"", "ab\\", "%d\n\\\\q"}}
	want.Args[1].Access = "readonly"
	if d := cmp.Diff(want, zebin.KernelOf(&m.Kernels[1])); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if len(m.Kernels) != 3 || len(zebin.Of(m).Kernels) != 3 {
		t.Errorf("%d kernels, %d of the object", len(m.Kernels), len(zebin.Of(m).Kernels))
	}
	last := zebin.KernelOf(&m.Kernels[2])
	if !last.BigBuffers || last.Registers != 128 || !last.StackCalls || last.ScratchSize != 128 {
		t.Errorf("the last kernel is %+v", last)
	}
	if len(m.Segments) != 2 || string(m.Segments[0].Data) != "0123456789ab" || !m.Segments[0].Exec ||
		m.Segments[0].Write || string(m.Segments[1].Data) != "01234567" ||
		m.Segments[1].Addr < m.Segments[0].Addr+0x1000 || m.Segments[1].Addr%0x1000 != 0 {
		t.Errorf("segments %+v", m.Segments)
	}
	if m.Target.Name != "gen9" || zebin.Of(m).Version != "tokens 1081" {
		t.Errorf("target %v, version %s", m.Target, zebin.Of(m).Version)
	}
}

// table makes one, of symbols of three numbers and of relocations of two, whose names have eight bytes.
func table(id uint32, names []string, numbers ...uint32) []byte {
	each := len(numbers) / max(len(names), 1)
	body := words(uint32(len(names)))
	for i, name := range names {
		body = append(body, words(numbers[each*i:each*i+each]...)...)
		body = append(body, (name + "\x00\x00\x00\x00\x00\x00\x00\x00")[:8]...)
	}
	return append(words(id, uint32(8+len(body))), body...)
}

// TestSymbols: functions and variables, each with its name once, and what is relocated to them (GenSymType;
// relocations 1 to 3 are those of zebins).
func TestSymbols(t *testing.T) {
	constant := append(words(tokenConstants, 16, 0, 4), 1, 2, 3, 4)
	globals := append(words(tokenGlobals, 20, 0, 0, 4), 5, 6, 7, 8)
	more := append(words(tokenGlobals, 20, 0, 0, 2), 9, 10)
	program := slices.Concat(constant, globals, more, token(99, 7),
		table(tokenSymbols, []string{"cv", "gv", "fn"}, 4, 2, 2, 3, 1, 3, 2, 0, 4))
	k := parts{name: "k", code: make([]byte, 64), unpadded: 64, tokens: slices.Concat(environment(0),
		table(tokenSymbols, []string{"f", "k2", "gv", "none", "odd"},
			2, 16, 8, 6, 0, 64, 2, 24, 8, 0, 0, 0, 9, 0, 0),
		table(tokenRelocations, []string{"gv", "f", "lost"}, 1, 8, 2, 32, 3, 36))}
	m, err := Open(deviceBinary(program, parts{name: "a", code: make([]byte, 8), unpadded: 8,
		tokens: environment(0)}, k))
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]uint64{}
	for _, s := range m.Segments {
		at[s.Name] = s.Addr
		if s.Write != (s.Name == variables) {
			t.Errorf("%s can be written: %v", s.Name, s.Write)
		}
	}
	for _, c := range []loader.Symbol{
		{Name: "cv", Addr: at[constants] + 2, Size: 2, Kind: loader.SymbolObject, Section: ".data.const"},
		{Name: "gv", Addr: at[variables] + 1, Size: 3, Kind: loader.SymbolObject, Section: ".data.global"},
		{Name: "f", Addr: at["k"] + 16, Size: 8, Kind: loader.SymbolFunc, Section: "k"},
		{Name: "k2", Addr: at["k"], Size: 64, Kind: loader.SymbolFunc, Section: "k"},
		{Name: "k", Addr: at["k"], Size: 64, Kind: loader.SymbolFunc, Section: "k"},
		{Name: "a", Addr: at["a"], Size: 8, Kind: loader.SymbolFunc, Section: "a"},
	} {
		c.Global = true
		if got, ok := m.Symbol(c.Name); !ok || !cmp.Equal(c, got) {
			t.Errorf("%s is %+v, want %+v", c.Name, got, c)
		}
	}
	if len(m.Symbols) != 6 {
		t.Errorf("%d symbols, want 6", len(m.Symbols))
	}
	if k := zebin.KernelOf(&m.Kernels[1]); k.Constants != at[constants] || k.Variables != at[variables] {
		t.Errorf("the kernel's constants are at %#x, its variables at %#x", k.Constants, k.Variables)
	}
	if d := cmp.Diff([]byte{5, 6, 7, 8, 9, 10}, m.Segments[3].Data); d != "" {
		t.Errorf("variables (-want +got):\n%s", d)
	}
	type place struct {
		addr, value uint64
		symbol      string
		undefined   bool
		size        int
	}
	want := []place{{at["k"] + 8, at[variables] + 1, "gv", false, 8},
		{at["k"] + 32, at["k"] + 16, "f", false, 4}, {at["k"] + 36, 0, "lost", true, 4}}
	var got []place
	for _, r := range m.Relocs {
		got = append(got, place{r.Addr, r.Value, r.Symbol, r.Undefined, int(r.Rule.Size)})
	}
	if !slices.Equal(want, got) {
		t.Errorf("relocations %+v, want %+v", got, want)
	}
}

// TestLimits: what a kernel may ask for at most, and what is said of one that asks for more.
func TestLimits(t *testing.T) {
	const memory = 1 << 30
	value := func(index, offset, size, source uint32) []byte {
		return parameter(1, index, offset, size, source)
	}
	lanes := func(n uint32) []byte {
		e := environment(0)
		copy(e[8+12:], words(n))
		return e
	}
	for _, c := range []struct {
		most, more []byte
		want       string
	}{
		{lanes(32), lanes(64), "it is compiled for 64 lanes; want 8, 16 or 32"},
		{lanes(8), lanes(0), "it is compiled for 0 lanes"},
		{token(tokenSamplers, 0, 128), token(tokenSamplers, 0, 129), "it has 129 samplers; at most 128"},
		{token(tokenPrivate, 0, 0, 0, memory, 0), token(tokenPrivate, 0, 0, 0, memory+1, 0),
			"it wants 1073741825 bytes of private memory"},
		{token(tokenScratch, memory-1, 1), token(tokenScratch, memory, 1), "1073741825 of scratch"},
		{token(tokenLocalSurface, 0, memory), token(tokenLocalSurface, 0, memory+1), "1073741825 of local"},
		{value(0, 1<<16, 4, 0), value(0, 1<<16+1, 4, 0), "argument 0 has 4 bytes at 0x10001; at most 65536"},
		{value(0, 0, 1<<16, 0), value(0, 0, 1<<16+1, 0), "argument 0 has 65537 bytes at 0x0"},
		{value(1<<10, 0, 4, 0), value(1<<10+1, 0, 4, 0), "argument 1025 has 4 bytes at 0x0; at most 65536"},
		{value(0, 0, 4, 1<<16), value(0, 0, 4, 1<<16+1), "argument 0 has 4 bytes at 0x0"},
		{token(99), words(99, 7), "token 99 says that it has 7 bytes"},
		{token(99), words(99, 9), "token 99 of 1 bytes runs past the end"},
		{token(99), words(99), "a token of 8 bytes runs past the end"},
		{token(tokenScratch, 1, 1), token(tokenScratch, 1), "token 18 of 8 bytes runs past the end"},
		{table(tokenSymbols, nil), append(words(tokenSymbols, 24, 1), make([]byte, 12)...),
			"a table of 1 entries in 12 bytes"},
		{table(tokenRelocations, nil), append(words(tokenRelocations, 28, 2), make([]byte, 16)...),
			"a table of 2 entries in 16 bytes"},
	} {
		for i, tokens := range [][]byte{c.most, c.more} {
			m, err := Open(deviceBinary(nil, parts{name: "k", tokens: append(environment(0), tokens...)}))
			if (err != nil) != (i == 1) || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v, want %q", m, err, c.want)
			}
		}
	}
	if _, err := Open(deviceBinary(nil, parts{tokens: environment(0)})); err == nil ||
		!strings.Contains(err.Error(), "a kernel without a name") {
		t.Errorf("error %v", err)
	}
	// What nothing could be said of is left out.
	many := slices.Concat(environment(0), words(tokenString, 16+2, 1<<10+1, 2), []byte("a\x00"),
		words(tokenArgument, 32, 1<<10+1, 0, 0, 0, 0, 0))
	m, err := Open(deviceBinary(nil, parts{name: "k", tokens: many}))
	if err != nil {
		t.Fatal(err)
	}
	if k := zebin.KernelOf(&m.Kernels[0]); len(k.Strings) != 0 || len(k.Declared) != 0 {
		t.Errorf("strings %q, declared %v", k.Strings, k.Declared)
	}
}

// TestTruncated cuts a binary at every byte, and says of each that it ends too early.
func TestTruncated(t *testing.T) {
	whole := deviceBinary(append(words(tokenConstants, 16, 0, 4), 1, 2, 3, 4), parts{name: "k",
		code: make([]byte, 8), unpadded: 8, general: make([]byte, 4), samplers: make([]byte, 16),
		surfaces: make([]byte, 8),
		tokens:   slices.Concat(environment(0), table(tokenSymbols, []string{"f"}, 2, 0, 8))})
	if _, err := Open(whole); err != nil {
		t.Fatal(err)
	}
	for n := 4; n < len(whole); n++ {
		if _, err := Open(whole[:n]); err == nil || !strings.Contains(err.Error(), "runs past the end") {
			t.Errorf("cut at %d of %d bytes: %v", n, len(whole), err)
		}
	}
}

// TestIs tells a device binary, and ocloc's files that hold one, from others.
func TestIs(t *testing.T) {
	file := read(t, "patch/gen9/groups.bin")
	changed := func(at int, v byte) []byte {
		b := slices.Clone(file)
		b[at] = v
		return b
	}
	for _, c := range []struct {
		what string
		data []byte
		want bool
	}{
		{"a device binary", deviceBinary(nil), true}, {"a file", file, true}, {"nothing", nil, false},
		{"the first type", changed(16, 1), true}, {"before it", changed(16, 0), false},
		{"behind the last", changed(16, 5), false}, {"another machine", changed(18, 62), false},
		{"no ELF file", changed(0, 'x'), false}, {"a file that is cut", file[:20], false},
	} {
		if Is(c.data) != c.want {
			t.Errorf("%s: %v", c.what, !c.want)
		}
	}
}

// TestDebugData reads the debug data of kernels: their names, and a file of each that has one.
func TestDebugData(t *testing.T) {
	kernel := func(name, file, more string) []byte {
		return append(words(uint32(len(name)), uint32(len(file)), uint32(len(more))), name+file+more...)
	}
	data := slices.Concat(words(0x494e5443, 1, 12, 8, 0, 0, 3), kernel("a\x00\x00\x00", "ELF1", "line"),
		kernel("b\x00\x00\x00", "", ""), kernel("c\x00\x00\x00", "ELF22", ""), kernel("d", "not counted", ""))
	got, err := readDebug(data, 100)
	want := []zebin.KernelDebug{{Kernel: "a", ELF: []byte("ELF1")}, {Kernel: "c", ELF: []byte("ELF22")}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	end := len(data) - len(kernel("d", "not counted", ""))
	for n := range end {
		if _, err := readDebug(data[:n], 100); !errors.Is(err, loader.ErrTruncated) {
			t.Errorf("cut at %d of %d bytes: %v", n, end, err)
		}
	}
	data[0] = 'x'
	if _, err := readDebug(data, 100); err == nil || !strings.Contains(err.Error(), "do not begin") {
		t.Errorf("error %v", err)
	}
}

// TestWhere: an error says where in the file it is: of a device binary that lies in ocloc's file.
func TestWhere(t *testing.T) {
	const at = 1000
	e := environment(0)
	short := words(99, 7)
	program := func(id uint32) []byte { return deviceBinary(append(token(99), token(id, 1)...)) }
	one := func(tokens []byte) []byte { return deviceBinary(nil, parts{name: "k", tokens: tokens}) }
	head := len(one(nil))
	for what, c := range map[string]struct {
		data []byte
		want int
	}{
		"header":           {words(0x494e5443, 1), 0},
		"device":           {words(0x494e5443, 1, 99, 8, 0, 0, 0), 8},
		"pointers":         {words(0x494e5443, 1, 12, 4, 0, 0, 0), 12},
		"program's tokens": {words(0x494e5443, 1, 12, 8, 0, 0, 9), 28},
		"program's token":  {program(tokenConstants), 28 + 8 + 8},
		"program's table":  {program(tokenSymbols), 28 + 8 + 8 + 4},
		"kernel's header":  {append(words(0x494e5443, 1, 12, 8, 1, 0, 0), 1, 2), 28},
		"second kernel": {deviceBinary(nil, parts{name: "k", tokens: e}, parts{tokens: e}),
			head + len(e)},
		"kernel's token":           {one(slices.Concat(e, token(99, 1), short)), head + len(e) + 12 + 8},
		"kernel's token, too long": {one(append(token(99), words(99, 100)...)), head + 8 + 8},
		"token with too little":    {one(append(token(99), token(tokenScratch, 1)...)), head + 8 + 8},
	} {
		_, err := openBinary(c.data, at, nil)
		var where *loader.FormatError
		if !errors.As(err, &where) || where.Offset != int64(at+c.want) {
			t.Errorf("%s: %v is at %v, want %d", what, err, where, at+c.want)
		}
	}
}

// TestContainers: ocloc's file has to have a device binary, with debug data or without.
func TestContainers(t *testing.T) {
	whole := read(t, "debug/patch/pair-gen9.bin")
	f, err := elf.NewFile(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	headers := int(binary.LittleEndian.Uint64(whole[40:]))
	as := func(from, to elf.SectionType) []byte {
		b := slices.Clone(whole)
		for i, s := range f.Sections {
			if s.Type == from {
				binary.LittleEndian.PutUint32(b[headers+64*i+4:], uint32(to))
			}
		}
		return b
	}
	m, err := Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	described := map[string]bool{}
	for _, d := range zebin.Of(m).Debug {
		inner, err := elf.NewFile(bytes.NewReader(d.ELF))
		if err != nil {
			t.Fatalf("debug data of %q: %v", d.Kernel, err)
		}
		described[d.Kernel] = inner.Section(".debug_info") != nil
	}
	for _, k := range m.Kernels {
		if !described[k.Name] {
			t.Errorf("%s has no debug data", k.Name)
		}
	}
	if m, err := Open(as(sectionDebug, elf.SHT_PROGBITS)); err != nil || len(zebin.Of(m).Debug) != 0 {
		t.Errorf("without debug data: %v", err)
	}
	if _, err := Open(as(sectionBinary, elf.SHT_PROGBITS)); err == nil ||
		!strings.Contains(err.Error(), "without a device binary") {
		t.Errorf("without a device binary: %v", err)
	}
	other := slices.Clone(whole)
	other[18] = 62 // x86-64
	if _, err := Open(other); !errors.Is(err, loader.ErrWrongMachine) {
		t.Errorf("of another machine: %v", err)
	}
	for n := 4; n < len(whole); n += 997 {
		if _, err := Open(whole[:n]); err == nil {
			t.Errorf("cut at %d of %d bytes: no error", n, len(whole))
		}
	}
}

// TestThreads: threads are given local ids where the payload has any of the three, and what is inline where
// it says so.
func TestThreads(t *testing.T) {
	for i, want := range map[int]bool{0: false, 1: true, 2: true, 3: true, 4: false} {
		v := make([]uint32, 20)
		v[i] = 1
		tokens := append(environment(0), token(tokenPayload, v...)...)
		m, err := Open(deviceBinary(nil, parts{name: "k", tokens: tokens}))
		if err != nil {
			t.Fatal(err)
		}
		if k := zebin.KernelOf(&m.Kernels[0]); (len(k.PerThread) > 0) != want || k.Inline != 0 {
			t.Errorf("field %d: %+v, %d bytes inline", i, k.PerThread, k.Inline)
		}
	}
}

// TestStates: samplers and entries of the binding table that are not there, or not all, are left out.
func TestStates(t *testing.T) {
	states := words(1<<17, 0, 0, 4<<6, 2<<17, 0, 0, 1<<10)
	k := parts{name: "k", samplers: states, surfaces: words(0, 64, 128), tokens: slices.Concat(environment(0),
		token(tokenSampler, 0, 1, 16), token(tokenSampler, 1, 1, 32), token(tokenSamplers, 0, 3),
		token(tokenBindingTable, 4, 99, 0), token(tokenGlobalMemory, 5, 64), token(tokenGlobalMemory, 6, 128),
		token(tokenGlobalMemory, 7, 0))}
	m, err := Open(deviceBinary(nil, k))
	if err != nil {
		t.Fatal(err)
	}
	got := zebin.KernelOf(&m.Kernels[0])
	want := []zebin.Sampler{{Address: "clamp_border", Filter: "linear", Normalized: true}}
	if d := cmp.Diff(want, got.Samplers); d != "" {
		t.Errorf("samplers (-want +got):\n%s", d)
	}
	if got.Args[0].Sampler != 1 || got.Args[1].Sampler != 2 {
		t.Errorf("samplers of arguments: %+v", got.Args[:2])
	}
	bindings := []zebin.Binding{{Entry: 0, Index: 5}, {Entry: 1, Index: 6}}
	if d := cmp.Diff(bindings, got.Bindings); d != "" {
		t.Errorf("bindings (-want +got):\n%s", d)
	}
	k.tokens = slices.Concat(environment(0), token(tokenBindingTable, 4, 1, 0),
		token(tokenGlobalMemory, 5, 64), token(tokenGlobalMemory, 6, 128))
	if m, err = Open(deviceBinary(nil, k)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(bindings[:1], zebin.KernelOf(&m.Kernels[0]).Bindings); d != "" {
		t.Errorf("bindings of a table with one entry (-want +got):\n%s", d)
	}
}
