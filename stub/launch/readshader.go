package launch

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"simtgdb/loader/printable"
	"simtgdb/stub/arch"
)

// shaderSchema are the fields of a launch file for what shader.go describes.
func (s *Spec) shaderSchema(f File) schema {
	return schema{
		"subgroup_size": func(v value) error {
			n := uint64(0)
			err := numberTo(&n)(v)
			s.Subgroup = int(min(n, 1<<20))
			return err
		},
		"robust":   boolTo(&s.Robust),
		"contract": boolTo(&s.Contract),
		"filter_bits": func(v value) error {
			n := uint64(0)
			if err := numberTo(&n)(v); err != nil {
				return err
			}
			s.FilterBits = int(min(n, maxFilterBits+1))
			return nil
		},
		"spec": func(v value) error { return s.readConstants(v) },
		"push": func(v value) error { return s.readPush(v, f) },
		"bindings": listTo(maxBindings, func(v value) error {
			b, err := readBinding(v, f)
			s.Bindings = append(s.Bindings, b)
			return err
		}),
		"pointers": listTo(maxBindings, func(v value) error {
			var p PointerSpec
			err := v.object(schema{"in": stringTo(&p.In), "to": stringTo(&p.To), "at": numberTo(&p.At),
				"add": numberTo(&p.Add)})
			s.Pointers = append(s.Pointers, p)
			return err
		}),
		"visa_tables": func(v value) error {
			if v.kind() == "a string" {
				return s.readTable(v, f)
			}
			return listTo(maxArgs, func(v value) error { return s.readTable(v, f) })(v)
		},
		"user_data": func(v value) (err error) {
			s.UserData, err = readUserData(v, f, 0)
			return err
		},
	}
}

// listTo reads each element of an array.
func listTo(limit int, read func(value) error) func(value) error {
	return func(v value) error {
		list, err := v.elements(limit)
		for _, e := range list {
			if err := read(e); err != nil {
				return err
			}
		}
		return err
	}
}

func (s *Spec) readTable(v value, f File) error {
	name := ""
	err := stringTo(&name)(v)
	s.VisaTables = append(s.VisaTables, f.beside(name))
	return err
}

// readConstants reads {"0": {"u32": 4}, "2": {"bool": true}}.
func (s *Spec) readConstants(v value) error {
	keys, values, err := v.fields()
	if err != nil {
		return err
	}
	if len(keys) > maxConstants {
		return v.errorf("has more than %d constants", maxConstants)
	}
	for _, k := range keys {
		id, err := parseCount(k)
		if err != nil || id > 1<<32-1 {
			return values[k].errorf("%q is no number of a constant", k)
		}
		typ, literal, err := typedValue(values[k])
		if err != nil {
			return err
		}
		c := arch.Constant{ID: uint32(id)}
		if err = setConstant(&c, typ, literal); err != nil {
			return values[k].errorf("%w", err)
		}
		s.Constants = append(s.Constants, c)
	}
	return nil
}

// typedValue reads an object with one field, whose name is a type.
func typedValue(v value) (typ, literal string, err error) {
	keys, values, err := v.fields()
	if err != nil {
		return "", "", err
	}
	if len(keys) != 1 {
		return "", "", v.errorf("want one value with its type, as {\"u32\": 4}")
	}
	field := values[keys[0]]
	if field.kind() == "a boolean" {
		return keys[0], string(field.text), nil
	}
	err = literalTo(&literal)(field)
	return keys[0], literal, err
}

// A NamedValue is a value, or a vector of values, that a name is given with.
type NamedValue struct {
	Name, Type string // Type is "" if the module says it
	Data       []byte
	Plain      string // without a type: the numbers as they are written
}

// readPush reads push constants: a file, values by their names, or a list of values one after the other.
func (s *Spec) readPush(v value, f File) error {
	if v.kind() == "an object" {
		names, fields, err := v.fields()
		if err != nil {
			return err
		}
		if file, ok := fields["file"]; ok && len(names) == 1 && file.kind() == "a string" {
			name := ""
			err := stringTo(&name)(file)
			s.PushFile = f.beside(name)
			return err
		}
		for _, name := range names {
			var typ, literal string
			read := literalTo(&literal)
			if fields[name].kind() == "an object" {
				read = func(v value) (err error) {
					typ, literal, err = typedValue(v)
					return err
				}
			}
			if err := read(fields[name]); err != nil {
				return err
			}
			if err := s.namePush(name, typ, literal); err != nil {
				return fields[name].errorf("%w", err)
			}
		}
		return nil
	}
	return listTo(maxPush, func(e value) error {
		typ, literal, err := typedValue(e)
		if err != nil {
			return err
		}
		return s.addPush(typ, literal, e.errorf)
	})(v)
}

// namePush gives the push constant of a name its value: numbers with commas between them.
func (s *Spec) namePush(name, typ, literal string) error {
	n := NamedValue{Name: name, Type: typ}
	if typ == "" {
		if n.Plain = literal; !isPlain(literal) {
			return fmt.Errorf("%q is no number", literal)
		}
		s.PushNamed = append(s.PushNamed, n)
		return nil
	}
	for _, number := range strings.Split(literal, ",") {
		b, err := typedBytes(typ, strings.TrimSpace(number))
		if err != nil {
			return err
		}
		if n.Data = append(n.Data, b...); len(n.Data) > maxPush {
			return fmt.Errorf("more than %d bytes of push constants", maxPush)
		}
	}
	s.PushNamed = append(s.PushNamed, n)
	return nil
}

// placePush puts the push constants that have names where the module has them.
func (s *Spec) placePush(needs []arch.NeedValue) error {
	if len(s.PushNamed) == 0 {
		return nil
	}
	if len(s.Push) > 0 || s.PushFile.Path != "" {
		return errors.New("push constants: some have names and some have not: give all one way")
	}
	names := pushNames(needs)
	for _, n := range needs {
		s.Push = append(s.Push, make([]byte, max(int(n.Offset+n.Size)-len(s.Push), 0))...)
	}
	for _, v := range s.PushNamed {
		i := slices.IndexFunc(needs, func(n arch.NeedValue) bool { return n.Name == v.Name })
		switch {
		case i < 0 && !slices.ContainsFunc(needs, func(n arch.NeedValue) bool { return n.Name != "" }):
			return fmt.Errorf("push constant %s: the module has none with names", printable.Name(v.Name))
		case i < 0:
			return fmt.Errorf("push constant %s: the module has %s", printable.Name(v.Name), names)
		}
		data, err := v.bytesFor(needs[i])
		if err != nil {
			return fmt.Errorf("push constant %s%w", printable.Name(v.Name), err)
		}
		copy(s.Push[needs[i].Offset:], data)
	}
	s.PushNamed = nil
	return nil
}

// bytesFor are the bytes of a push constant as the module declares it. The error goes on behind the
// constant's name.
func (v *NamedValue) bytesFor(need arch.NeedValue) ([]byte, error) {
	data, typ := v.Data, v.Type
	if typ == "" {
		t := elementTypes[need.Type]
		if t == nil {
			return nil, fmt.Errorf(" is %s: give all push constants as --push bytes:00ff or --push file:NAME",
				count(int(need.Size), "byte"))
		}
		var err error
		if data, err = parseList(v.Plain, t); err != nil {
			return nil, fmt.Errorf(": %w", err)
		}
		typ = need.Type
	}
	if typ != need.Type || uint64(len(data)) != need.Size {
		return nil, fmt.Errorf(" is %s, not %s", pushType(need),
			pushType(arch.NeedValue{Type: typ, Size: uint64(len(data))}))
	}
	return data, nil
}

// hasPush reports whether there are push constants, in any of the ways that they are given.
func (s *Spec) hasPush() bool {
	return len(s.Push) > 0 || len(s.PushNamed) > 0 || s.PushFile.Path != ""
}

// pushNames are the push constants of a module, in words.
func pushNames(needs []arch.NeedValue) string {
	var names []string
	for _, n := range needs {
		if n.Name != "" {
			names = append(names, fmt.Sprintf("%s (%s)", printable.Name(n.Name), pushType(n)))
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("%d bytes of them", needs[len(needs)-1].Offset+needs[len(needs)-1].Size)
	}
	return strings.Join(names, ", ")
}

// pushExample is how push constants are given, the first few of them.
func pushExample(needs []arch.NeedValue) string {
	const most = 4
	var flags []string
	for _, n := range needs[:min(len(needs), most)] {
		t := elementTypes[n.Type]
		if n.Name == "" || t == nil {
			return "as --push u32:1 or --push file:NAME"
		}
		values := strings.TrimSuffix(strings.Repeat("1,",
			int(min(max(n.Size/uint64(t.size), 1), maxExample))), ",")
		flags = append(flags, fmt.Sprintf("--push %s=%s:%s", printable.Name(n.Name), n.Type, values))
	}
	return "as " + strings.Join(flags, " ")
}

// maxExample bounds how many values an example shows: those of a matrix.
const maxExample = 16

// pushType is the type of a push constant as one writes it.
func pushType(n arch.NeedValue) string {
	t := elementTypes[n.Type]
	if t == nil || n.Size <= uint64(t.size) {
		return n.Type
	}
	return fmt.Sprintf("%s with %d values", n.Type, n.Size/uint64(t.size))
}

// addPush appends a value to the push constants.
func (s *Spec) addPush(typ, literal string, errorf func(string, ...any) error) error {
	b, err := typedBytes(typ, literal)
	if err != nil {
		return errorf("%w", err)
	}
	if s.Push = append(s.Push, b...); len(s.Push) > maxPush {
		return errorf("more than %d bytes of push constants", maxPush)
	}
	return nil
}

func readBinding(v value, f File) (b BindingSpec, err error) {
	var typ, init, kind string
	var n *uint64
	image := &ImageSpec{}
	numbers := map[string]*uint32{"set": &b.Set, "binding": &b.Number, "element": &b.Element}
	fields := schema{"type": stringTo(&typ), "count": countTo(&n), "init": listOrStringTo(&init),
		"kind": stringTo(&kind),
		"memory": func(field value) error {
			b.Part = true
			return field.object(schema{"name": stringTo(&b.Place.Name), "add": numberTo(&b.Place.Add)})
		},
		"size": func(field value) error {
			if field.kind() == "an array" { // of an image
				return image.sizeFrom(field)
			}
			b.Part = true
			return numberTo(&b.Size)(field)
		},
		"name": stringTo(&b.Name), "expect": func(field value) error {
			b.Expect = &Expect{}
			return readExpect(field, f, b.Expect)
		}}
	maps.Copy(fields, image.schema())
	for name, to := range numbers {
		fields[name] = bindingNumberTo(to, &b)
	}
	if err := v.object(fields); err != nil {
		return b, err
	}
	if init == "" {
		init = "zero"
	}
	if b.Kind = kind; kind == "" {
		b.Kind = storageBinding
	}
	if b.Kind == imageBinding || b.Kind == samplerBinding {
		if !b.Numbered && b.Name == "" {
			return b, v.errorf("%s has set and binding, or a name", article(b.Kind))
		}
		b.Image = image
		if err := b.contents(typ, init, f); err != nil {
			return b, v.errorf("%w", err)
		}
		return b, nil
	}
	if !reflect.DeepEqual(*image, ImageSpec{}) {
		return b, v.errorf("format, levels, filter and the like are for the kinds image and sampler")
	}
	if whole, err := b.check(v, typ); err != nil || !whole {
		return b, err
	}
	if b.Buffer, err = makeBuffer(typ, n, init, f.beside); err != nil {
		return b, v.errorf("%w", err)
	}
	return b, nil
}

// bindingNumberTo reads one of the numbers of a binding, which is then known by these.
func bindingNumberTo(to *uint32, b *BindingSpec) func(field value) error {
	return func(field value) error {
		var n uint64
		if err := numberTo(&n)(field); err != nil {
			return err
		}
		if n > 1<<32-1 {
			return field.errorf("%d is no number of a binding", n)
		}
		*to, b.Numbered = uint32(n), true
		return nil
	}
}

// check says what is wrong with a binding of memory whose contents have a type, and whether it has contents
// of its own.
func (b *BindingSpec) check(v value, typ string) (whole bool, err error) {
	switch {
	case !isBindingKind(b.Kind):
		return false, v.errorf("unknown kind %q; the kinds are %s", b.Kind, bindingKinds)
	case b.Kind == memoryBinding && (b.Numbered || b.Name == ""):
		return false, v.errorf("memory has a name and no numbers")
	case b.Kind != memoryBinding && !b.Numbered && b.Name == "":
		return false, v.errorf("has neither set and binding nor a name")
	case !b.Part:
		return true, nil
	case typ != "" || b.Expect != nil || b.Kind == memoryBinding || !b.Numbered:
		return false, v.errorf("a part of memory has set, binding and size, and no contents of its own")
	case b.Place.Name == "" && b.Size != 0:
		return false, v.errorf("a part of %d bytes does not say of which memory", b.Size)
	}
	return false, nil
}

func article(kind string) string {
	if kind == imageBinding {
		return "an " + kind
	}
	return "a " + kind
}

// readUserData reads a list of user data.
func readUserData(v value, f File, depth int) ([]UserDatum, error) {
	if depth == maxUserDepth {
		return nil, v.errorf("tables more than %d deep in each other", maxUserDepth)
	}
	all := []UserDatum{}
	err := listTo(maxArgs, func(e value) error {
		d, err := readDatum(e, f, depth)
		all = append(all, d)
		return err
	})(v)
	return all, err
}

func readDatum(v value, f File, depth int) (d UserDatum, err error) {
	if v.kind() == "a string" {
		word := ""
		if err := stringTo(&word)(v); err != nil {
			return d, err
		}
		if d.Printf = word == "printf"; !d.Printf {
			return d, v.errorf("unknown entry %q; the only word is \"printf\"", word)
		}
		return d, nil
	}
	keys, values, err := v.fields()
	if err != nil {
		return d, err
	}
	if expected := values["expect"]; len(keys) == 2 && slices.Contains(keys, "expect") {
		if !slices.Contains(keys, "buffer") {
			return d, v.errorf("has an expectation but is no buffer")
		}
		d.Expect = &Expect{}
		if err := readExpect(expected, f, d.Expect); err != nil {
			return d, err
		}
		keys = []string{"buffer"}
	}
	if len(keys) != 1 {
		return d, v.errorf("want one of table, buffer, bytes, %s", elementTypeNames)
	}
	field := values[keys[0]]
	switch keys[0] {
	case "table":
		d.Table, err = readUserData(field, f, depth+1)
	case "buffer":
		d.Buffer = &BufferSpec{}
		err = readBuffer(field, f, d.Buffer)
	default:
		if keys[0] != bytesType && elementTypes[keys[0]] == nil {
			return d, field.errorf("unknown kind %q; the kinds are table, buffer, bytes, %s", keys[0],
				elementTypeNames)
		}
		var a Arg
		err = readValue(field, keys[0], &a)
		d.Value = a.Value
	}
	return d, err
}
