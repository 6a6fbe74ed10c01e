package launch

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A Keeper keeps a file that a launch file is to name, and gives the name that it is to have there.
type Keeper func(f File) (name string, err error)

// Encode gives the text of the launch file that says the same as the Spec. What to save in the end is left
// out.
func (s *Spec) Encode(keep Keeper) ([]byte, error) {
	e := &encoder{keep: keep}
	all := members{{"code_object", e.file(s.CodeObject)}}
	all.set(s.Target != "", "target", s.Target)
	if len(s.Before) == 0 {
		e.call(&all, s)
	} else {
		all.set(true, "launches", append(each(s.Before, e.launch), e.launch(s)))
	}
	all.set(s.PrintfBuffer != 0, "printf_buffer", s.PrintfBuffer)
	all.set(s.Subgroup != 0, "subgroup_size", s.Subgroup)
	all.set(s.Robust, "robust", true)
	all.set(s.Contract, "contract", true)
	all.set(s.FilterBits != 0, "filter_bits", s.FilterBits)
	all.set(len(s.Constants) > 0, "spec", s.encodedConstants())
	all.set(len(s.Push) > 0, "push", []any{raw(s.Push)})
	if s.PushFile.Path != "" {
		all.set(true, "push", members{{"file", e.file(s.PushFile)}})
	}
	all.set(len(s.Bindings) > 0, "bindings", each(s.Bindings, e.binding))
	all.set(len(s.Pointers) > 0, "pointers", each(s.Pointers, func(q *PointerSpec) any {
		return members{{"in", q.In}, {"at", q.At}, {"to", q.To}, {"add", q.Add}}
	}))
	all.set(len(s.Memory) > 0, "memory", each(s.Memory, e.memory))
	all.set(len(s.Symbols) > 0, "symbols", each(s.Symbols, e.symbol))
	all.set(s.UserData != nil, "user_data", each(s.UserData, e.datum))
	all.set(len(s.VisaTables) > 0, "visa_tables", each(s.VisaTables, func(f *File) any { return e.file(*f) }))
	if e.err != nil {
		return nil, e.err
	}
	text, err := json.MarshalIndent(all, "", " ")
	return append(text, '\n'), err
}

// Members are an object of JSON, whose fields stay in their order.
type members []field

type field struct {
	name  string
	value any
}

// set adds a field, if it is to be there.
func (o *members) set(is bool, name string, value any) {
	if is {
		*o = append(*o, field{name, value})
	}
}

// MarshalJSON implements json.Marshaler.
func (o members) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, f := range o {
		if i > 0 {
			text = append(text, ',')
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		text = append(append(strconv.AppendQuote(text, f.name), ':'), value...)
	}
	return append(text, '}'), nil
}

// An encoder makes JSON of a Spec, and has the files in it kept.
type encoder struct {
	keep Keeper
	err  error
}

// launch gives the fields of one of several launches.
func (e *encoder) launch(s *Spec) any {
	var fields members
	e.call(&fields, s)
	return fields
}

// call adds the fields that say what is launched, how large, with which arguments.
func (e *encoder) call(fields *members, s *Spec) {
	fields.set(s.Kernel != "", "kernel", s.Kernel)
	fields.set(s.Groups.Given(), "groups", s.Groups)
	fields.set(!s.Groups.Given(), "grid", s.Grid)
	fields.set(true, "block", s.Block)
	fields.set(s.Cluster.Given(), "cluster", s.Cluster)
	fields.set(s.Offset != Dims{}, "offset", s.Offset)
	fields.set(s.WorkDim != 0, "work_dim", s.WorkDim)
	fields.set(s.LDS != 0, "lds", s.LDS)
	fields.set(s.Stack != nil, "stack", s.Stack)
	fields.set(s.Together, "together", true)
	fields.set(len(s.Args) > 0, "args", each(s.Args, e.arg))
}

func (e *encoder) memory(m *MemorySpec) any {
	fields := members{{"name", m.Name}}
	fields.set(m.Address != 0, "address", fmt.Sprintf("%#x", m.Address))
	e.buffer(&fields, &m.Buffer)
	fields.set(m.Heap != "", "heap", m.Heap)
	e.expect(&fields, m.Expect)
	return fields
}

func (e *encoder) symbol(s *SymbolSpec) any {
	fields := members{{"name", s.Name}}
	fields.set(s.At != 0, "at", s.At)
	if s.Value != nil {
		fields.set(true, bytesType, hex.EncodeToString(s.Value))
	} else {
		fields.set(true, "file", e.file(s.File))
	}
	e.expect(&fields, s.Expect)
	return fields
}

func each[T any](list []T, f func(*T) any) []any {
	out := make([]any, len(list))
	for i := range list {
		out[i] = f(&list[i])
	}
	return out
}

func raw(b []byte) any { return members{{bytesType, hex.EncodeToString(b)}} }

// file has a file kept, and names it.
func (e *encoder) file(f File) string {
	if e.err != nil {
		return ""
	}
	var name string
	name, e.err = e.keep(f)
	return name
}

// buffer adds the fields of a buffer.
func (e *encoder) buffer(fields *members, b *BufferSpec) {
	init := "zero"
	switch i := &b.Init; i.Kind {
	case InitNone:
		init = "none"
	case InitIota:
		init = "iota"
	case InitRandom:
		init = "random:" + strconv.FormatUint(i.Seed, 10)
	case InitFile:
		init = "file:" + e.file(i.File)
	case InitFill:
		init = e.filled(b)
	case InitList:
		init = e.listed(b)
	}
	*fields = append(*fields, members{{"type", b.Type}, {"count", b.Count}, {"init", init}}...)
}

// filled is fill:VALUE, if the value can be written as a number that reads the same, and else a file.
func (e *encoder) filled(b *BufferSpec) string {
	t := elementTypes[b.Type]
	text, back := string(t.format(b.Init.Element)), make([]byte, t.size)
	if t.parse(back, text) == nil && bytes.Equal(back, b.Init.Element) {
		return "fill:" + text
	}
	return "file:" + e.file(File{Path: "fill", Contents: bytes.Repeat(b.Init.Element, int(b.Count))})
}

// listed are the values, if they can be written as numbers that read the same, and else a file.
func (e *encoder) listed(b *BufferSpec) string {
	t := elementTypes[b.Type]
	var words []string
	for at := 0; at < len(b.Init.List); at += t.size {
		words = append(words, t.format(b.Init.List[at:][:t.size]))
	}
	text := strings.Join(words, ",")
	if back, err := parseList(text, t); err == nil && isList(text) && bytes.Equal(back, b.Init.List) {
		return text
	}
	whole := make([]byte, b.size())
	copy(whole, b.Init.List)
	return "file:" + e.file(File{Path: "list", Contents: whole})
}

func (e *encoder) arg(a *Arg) any {
	switch a.Kind {
	case LocalArg:
		return members{{"local", a.Local}}
	case ValueArg:
		return raw(a.Value)
	case PlainArg:
		return members{{plainField, a.Plain}}
	case MemoryArg:
		return members{{"memory", members{{"name", a.Place.Name}, {"add", a.Place.Add}}}}
	}
	var b members
	kind := "buffer"
	if a.Kind == ImageArg {
		b, kind = a.Image.members(), imageBinding
	}
	e.buffer(&b, &a.Buffer)
	fields := members{{kind, b}}
	e.expect(&fields, a.Expect)
	return fields
}

func (e *encoder) expect(fields *members, x *Expect) {
	if x == nil {
		return
	}
	of := members{{"file", e.file(x.File)}}
	of.set(x.Abs != 0, "abs", x.Abs)
	of.set(x.Rel != 0, "rel", x.Rel)
	fields.set(true, "expect", of)
}

func (e *encoder) binding(b *BindingSpec) any {
	fields := members{{"kind", b.Kind}}
	if b.Numbered {
		fields = append(fields, members{{"set", b.Set}, {"binding", b.Number}, {"element", b.Element}}...)
	} else {
		fields.set(true, "name", b.Name)
	}
	if b.Image != nil {
		fields = append(fields, b.Image.members()...)
	}
	if b.Kind == samplerBinding {
		return fields
	}
	if b.Part {
		fields.set(b.Place.Name != "", "memory", members{{"name", b.Place.Name}, {"add", b.Place.Add}})
		return append(fields, field{"size", b.Size})
	}
	e.buffer(&fields, &b.Buffer)
	e.expect(&fields, b.Expect)
	return fields
}

func (e *encoder) datum(d *UserDatum) any {
	switch {
	case d.Printf:
		return "printf"
	case d.Buffer != nil:
		var b members
		e.buffer(&b, d.Buffer)
		fields := members{{"buffer", b}}
		e.expect(&fields, d.Expect)
		return fields
	case d.isTable():
		return members{{"table", each(d.Table, e.datum)}}
	}
	return raw(d.Value)
}

// encodedConstants are the specialisation constants, as numbers of their types where these write them to the
// bit.
func (s *Spec) encodedConstants() map[string]any {
	all := map[string]any{}
	for _, c := range s.Constants {
		value := raw(c.Value)
		if t := elementTypes[c.Type]; t != nil && t.size == len(c.Value) && c.Type[0] != 'f' {
			value = members{{c.Type, t.format(c.Value)}}
		}
		all[strconv.Itoa(int(c.ID))] = value
	}
	return all
}
