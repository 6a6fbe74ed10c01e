package launch

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// A packer collects what a launch needs, so that it can be launched elsewhere.
type packer struct {
	files map[string][]byte
	err   error
}

// Pack writes the launch as a launch file, with the contents of all files that it names, by the names that
// it has for them. What to save in the end is left out.
func (p *Program) Pack() (launchFile []byte, files map[string][]byte, err error) {
	s, k := p.Spec, &packer{files: map[string][]byte{}}
	all := map[string]any{"code_object": k.file(s.CodeObject)}
	set := func(is bool, name string, v any) {
		if is {
			all[name] = v
		}
	}
	set(s.Target != "", "target", s.Target)
	if len(s.Before) == 0 {
		k.call(all, s)
	} else {
		all["launches"] = append(each(s.Before, k.launch), k.launch(s))
	}
	set(s.PrintfBuffer != 0, "printf_buffer", s.PrintfBuffer)
	set(s.Together, "together", true)
	set(s.Subgroup != 0, "subgroup_size", s.Subgroup)
	set(s.Robust, "robust", true)
	set(s.Contract, "contract", true)
	set(len(s.Constants) > 0, "spec", s.packedConstants())
	set(len(s.Push) > 0, "push", []any{raw(s.Push)})
	if s.PushFile.Path != "" {
		all["push"] = map[string]any{"file": k.file(s.PushFile)}
	}
	set(len(s.Bindings) > 0, "bindings", each(s.Bindings, k.binding))
	set(len(s.Pointers) > 0, "pointers", each(s.Pointers, func(q *PointerSpec) any {
		return map[string]any{"in": q.In, "at": q.At, "to": q.To, "add": q.Add}
	}))
	set(len(s.Memory) > 0, "memory", each(s.Memory, k.memory))
	set(len(s.Symbols) > 0, "symbols", each(s.Symbols, k.symbol))
	set(s.UserData != nil, "user_data", each(s.UserData, k.datum))
	tables := s.VisaTables
	if len(tables) == 0 {
		tables = p.tablesBeside()
	}
	set(len(tables) > 0, "visa_tables", each(tables, func(f *File) any { return k.file(*f) }))
	if k.err != nil {
		return nil, nil, k.err
	}
	launchFile, err = json.MarshalIndent(all, "", " ")
	return launchFile, k.files, err
}

// launch gives the fields of one of several launches.
func (k *packer) launch(s *Spec) any {
	fields := map[string]any{}
	k.call(fields, s)
	return fields
}

// call adds the fields that say what is launched, how large, with which arguments.
func (k *packer) call(fields map[string]any, s *Spec) {
	set := func(is bool, name string, v any) {
		if is {
			fields[name] = v
		}
	}
	set(s.Kernel != "", "kernel", s.Kernel)
	set(s.Groups.Given(), "groups", s.Groups)
	set(!s.Groups.Given(), "grid", s.Grid)
	set(true, "block", s.Block)
	set(s.Offset != Dims{}, "offset", s.Offset)
	set(s.LDS != 0, "lds", s.LDS)
	set(s.Stack != nil, "stack", s.Stack)
	set(len(s.Args) > 0, "args", each(s.Args, k.arg))
}

func (k *packer) memory(m *MemorySpec) any {
	fields := k.buffer(&m.Buffer)
	fields["name"] = m.Name
	if m.Address != 0 {
		fields["address"] = m.Address
	}
	k.expect(fields, m.Expect)
	return fields
}

func (k *packer) symbol(s *SymbolSpec) any {
	fields := map[string]any{"name": s.Name, "at": s.At}
	if s.Value != nil {
		fields[bytesType] = hex.EncodeToString(s.Value)
	} else {
		fields["file"] = k.file(s.File)
	}
	k.expect(fields, s.Expect)
	return fields
}

func each[T any](list []T, f func(*T) any) []any {
	out := make([]any, len(list))
	for i := range list {
		out[i] = f(&list[i])
	}
	return out
}

func raw(b []byte) any { return map[string]any{bytesType: hex.EncodeToString(b)} }

// file keeps the contents of a file and names it.
func (k *packer) file(f File) string {
	if k.err != nil {
		return ""
	}
	data, err := f.Read()
	if err != nil {
		k.err = err
		return ""
	}
	return k.keep(filepath.Base(f.Path), data)
}

// keep keeps contents under a name that is like the given one.
func (k *packer) keep(name string, data []byte) string {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune("._-", r) || r < 0x80 && (r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, name)
	at := fmt.Sprintf("files/%d-%s", len(k.files), plain[max(len(plain)-64, 0):])
	k.files[at] = data
	return at
}

// buffer gives the fields of a buffer.
func (k *packer) buffer(b *BufferSpec) map[string]any {
	init := "zero"
	switch i := &b.Init; i.Kind {
	case InitNone:
		init = "none"
	case InitIota:
		init = "iota"
	case InitRandom:
		init = "random:" + strconv.FormatUint(i.Seed, 10)
	case InitFile:
		init = "file:" + k.file(i.File)
	case InitFill:
		init = k.filled(b)
	}
	return map[string]any{"type": b.Type, "count": b.Count, "init": init}
}

// filled is fill:VALUE, if the value can be written as a number that reads the same, and else a file.
func (k *packer) filled(b *BufferSpec) string {
	t := elementTypes[b.Type]
	text, back := string(t.format(b.Init.Element)), make([]byte, t.size)
	if t.parse(back, text) == nil && bytes.Equal(back, b.Init.Element) {
		return "fill:" + text
	}
	return "file:" + k.keep("fill", bytes.Repeat(b.Init.Element, int(b.Count)))
}

func (k *packer) arg(a *Arg) any {
	switch a.Kind {
	case LocalArg:
		return map[string]any{"local": a.Local}
	case ValueArg:
		return raw(a.Value)
	case MemoryArg:
		return map[string]any{"memory": map[string]any{"name": a.Place.Name, "add": a.Place.Add}}
	}
	fields := map[string]any{"buffer": k.buffer(&a.Buffer)}
	k.expect(fields, a.Expect)
	return fields
}

func (k *packer) expect(fields map[string]any, e *Expect) {
	if e != nil {
		fields["expect"] = map[string]any{"file": k.file(e.File), "abs": e.Abs, "rel": e.Rel}
	}
}

func (k *packer) binding(b *BindingSpec) any {
	fields := k.buffer(&b.Buffer)
	fields["kind"] = b.Kind
	if b.Numbered {
		fields["set"], fields["binding"], fields["element"] = b.Set, b.Number, b.Element
	} else {
		fields["name"] = b.Name
	}
	k.expect(fields, b.Expect)
	return fields
}

func (k *packer) datum(d *UserDatum) any {
	switch {
	case d.Printf:
		return "printf"
	case d.Buffer != nil:
		return map[string]any{"buffer": k.buffer(d.Buffer)}
	case d.isTable():
		return map[string]any{"table": each(d.Table, k.datum)}
	}
	return raw(d.Value)
}

// packedConstants are the specialisation constants, as unsigned numbers of their sizes.
func (s *Spec) packedConstants() map[string]any {
	all := map[string]any{}
	for _, c := range s.Constants {
		wide := make([]byte, 8)
		copy(wide, c.Value)
		all[strconv.Itoa(int(c.ID))] = map[string]any{
			fmt.Sprintf("u%d", 8*len(c.Value)): binary.LittleEndian.Uint64(wide)}
	}
	return all
}
