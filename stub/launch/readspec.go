package launch

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
)

// names lists the fields of a schema.
func names(s schema) string { return strings.Join(slices.Sorted(maps.Keys(s)), ", ") }

// ReadSpec reads a launch file. The names in it are relative to it. Errors in
// its text are *FileError.
func ReadSpec(f File) (*Spec, error) {
	text, err := f.read(maxLaunchFile)
	if err != nil {
		return nil, err
	}
	return parseSpec(text, f)
}

// parseSpec reads the text of launch file f.
func parseSpec(text []byte, f File) (*Spec, error) {
	s := &Spec{}
	if err := s.parse(text, f); err != nil {
		return nil, locate(f.Path, text, err)
	}
	return s, nil
}

func (s *Spec) parse(text []byte, f File) error {
	all := value{text: text}
	d := json.NewDecoder(bytes.NewReader(text))
	whole, err := all.next(d, "")
	if err != nil {
		return err
	}
	if more := bytes.TrimLeft(text[d.InputOffset():], " \t\r\n"); len(more) > 0 {
		return &valueError{int64(len(text) - len(more)), errors.New("there is more text after the launch")}
	}
	name := ""
	fields := s.shaderSchema(f)
	maps.Copy(fields, s.callSchema(f))
	maps.Copy(fields, schema{
		"code_object": func(v value) error {
			err := stringTo(&name)(v)
			s.CodeObject = f.beside(name)
			return err
		},
		"target":        stringTo(&s.Target),
		"printf_buffer": numberTo(&s.PrintfBuffer),
		"memory": listTo(maxMemory, func(v value) error {
			m, err := readMemory(v, f)
			s.Memory = append(s.Memory, m)
			return err
		}),
		"symbols": listTo(maxSymbols, func(v value) error {
			one, err := readSymbol(v, f)
			s.Symbols = append(s.Symbols, one)
			return err
		}),
		"launches": func(v value) error { return s.readLaunches(v, f) },
	})
	return whole.object(fields)
}

// callSchema are the fields that say what is launched, how large, with which arguments.
func (s *Spec) callSchema(f File) schema {
	return schema{
		"kernel":  stringTo(&s.Kernel),
		"grid":    dimsTo(&s.Grid),
		"groups":  dimsTo(&s.Groups),
		"cluster": dimsTo(&s.Cluster),
		"block":   dimsTo(&s.Block),
		"offset":  offsetTo(&s.Offset),
		"lds":     numberTo(&s.LDS),
		"work_dim": func(v value) error {
			n := uint64(0)
			if err := numberTo(&n)(v); err != nil {
				return err
			}
			if n < 1 || n > uint64(len(s.Grid)) {
				return v.errorf("%d dimensions, want 1 to %d", n, len(s.Grid))
			}
			s.WorkDim = int(n)
			return nil
		},
		"together": boolTo(&s.Together),
		"stack": func(v value) error {
			s.Stack = new(uint64)
			return numberTo(s.Stack)(v)
		},
		"args": func(v value) error {
			list, err := v.elements(maxArgs)
			for _, e := range list {
				a, err := readArg(e, f)
				if err != nil {
					return err
				}
				s.Args = append(s.Args, a)
			}
			return err
		},
	}
}

// offsetTo reads an offset: unlike sizes, its numbers may be 0.
func offsetTo(to *Dims) func(value) error {
	return func(v value) error {
		list, err := v.elements(len(to))
		if err != nil {
			return err
		}
		for i, e := range list {
			n := uint64(0)
			if err := numberTo(&n)(e); err != nil {
				return err
			}
			if n > math.MaxUint32 {
				return e.errorf("%d is more than 2^32", n)
			}
			to[i] = uint32(n)
		}
		return nil
	}
}

func dimsTo(to *Dims) func(value) error {
	return func(v value) error {
		list, err := v.elements(len(to))
		if err != nil {
			return err
		}
		sizes := make([]uint64, len(list))
		for i, e := range list {
			if err := numberTo(&sizes[i])(e); err != nil {
				return err
			}
		}
		if *to, err = makeDims(sizes); err != nil {
			return v.errorf("%w", err)
		}
		return nil
	}
}

// readArg reads an argument: an object with its kind as a field and, for a
// buffer, what to expect of it.
func readArg(v value, f File) (Arg, error) {
	var a Arg
	kind := ""
	one := func(read func(value) error) func(value) error {
		return func(field value) error {
			_, this, _ := cutLast(field.path)
			if kind != "" {
				return v.errorf("is %s and %s at once", kind, this)
			}
			kind = this
			return read(field)
		}
	}
	if k := v.kind(); k != "an object" {
		return a, readPlain(v, &a)
	}
	fields := schema{
		"buffer": one(func(field value) error {
			a.Kind = BufferArg
			return readBuffer(field, f, &a.Buffer)
		}),
		imageBinding: one(func(field value) error {
			a.Kind = ImageArg
			return readImage(field, f, &a)
		}),
		"local": one(func(field value) error {
			a.Kind = LocalArg
			return numberTo(&a.Local)(field)
		}),
		bytesType:  one(func(field value) error { return readValue(field, bytesType, &a) }),
		structType: one(func(field value) error { return readStruct(field, &a) }),
		plainField: one(func(field value) error { return readPlain(field, &a) }),
		"name":     stringTo(&a.Name),
		"memory": one(func(field value) error {
			a.Kind = MemoryArg
			if field.kind() == "a string" {
				return stringTo(&a.Place.Name)(field)
			}
			return field.object(schema{"name": stringTo(&a.Place.Name), "add": numberTo(&a.Place.Add)})
		}),
		"expect": func(field value) error {
			a.Expect = &Expect{}
			return readExpect(field, f, a.Expect)
		},
	}
	for typ := range elementTypes {
		fields[typ] = one(func(field value) error { return readValue(field, typ, &a) })
	}
	if err := v.object(fields); err != nil {
		return a, err
	}
	switch {
	case kind == "":
		return a, v.errorf("has no kind; the kinds are %s", argKinds)
	case a.Expect != nil && kind != "buffer" && kind != imageBinding:
		return a, v.errorf("has an expectation but is no buffer")
	}
	return a, nil
}

// cutLast splits a path before its last component.
func cutLast(path string) (before, last string, found bool) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:], i >= 0
}

func readBuffer(v value, f File, b *BufferSpec) error {
	var typ, init string
	var n *uint64
	err := v.object(schema{"type": stringTo(&typ), "count": countTo(&n), "init": listOrStringTo(&init)})
	if err != nil {
		return err
	}
	if init == "" {
		init = "zero"
	}
	if *b, err = makeBuffer(typ, n, init, f.beside); err != nil {
		return v.errorf("%w", err)
	}
	return nil
}

// readValue reads a number or an array of them, each of which may also be a string: JSON has no
// hexadecimal numbers and no infinities.
func readValue(v value, typ string, a *Arg) error {
	text := ""
	read := literalTo(&text)
	if typ == bytesType {
		read = stringTo(&text)
	}
	if err := read(v); err != nil {
		return err
	}
	made, err := makeValue(typ, text)
	if err != nil {
		return v.errorf("%w", err)
	}
	a.become(made)
	return nil
}

// plainField is the field of arguments that are numbers of the type that the kernel declares.
const plainField = "value"

// readPlain reads numbers whose type the kernel says.
func readPlain(v value, a *Arg) error {
	a.Kind = PlainArg
	if v.kind() == "a boolean" {
		a.Plain = string(v.text)
		return nil
	}
	if err := literalTo(&a.Plain)(v); err != nil {
		return err
	}
	if !isPlain(a.Plain) {
		return v.errorf("%q is no number", a.Plain)
	}
	return nil
}

// become makes the argument a value that was read, beside which its other fields stay.
func (a *Arg) become(made Arg) {
	made.Name, made.Expect = a.Name, a.Expect
	*a = made
}

// readStruct reads the fields of a structure, [{"i32": 1}, {"f32": [2, 3]}].
func readStruct(v value, a *Arg) error {
	list, err := v.elements(maxArgs)
	if err != nil {
		return err
	}
	var fields []string
	for _, e := range list {
		typ, literal, err := typedValue(e)
		if err != nil {
			return err
		}
		fields = append(fields, typ+":"+strings.ReplaceAll(literal, " ", ""))
	}
	made, err := parseStruct("{" + strings.Join(fields, " ") + "}")
	if err != nil {
		return v.errorf("%w", err)
	}
	a.become(made)
	return nil
}

// literalTo reads a number, or a string with one, or an array of those, as a list with commas.
func literalTo(to *string) func(value) error {
	return func(v value) error {
		switch v.kind() {
		case "a string":
			return stringTo(to)(v)
		case "an array":
			list, err := v.elements(maxListed)
			words := make([]string, len(list))
			for i, e := range list {
				if e.kind() == "an array" {
					return e.errorf("want a number, not an array")
				}
				if err := literalTo(&words[i])(e); err != nil {
					return err
				}
			}
			*to = strings.Join(words, ",")
			return err
		case "a number":
			*to = string(v.text)
			return nil
		}
		return v.want("a number")
	}
}

// listOrStringTo reads first contents: the words for them, or an array of numbers.
func listOrStringTo(to *string) func(value) error {
	return func(v value) error {
		if v.kind() == "an array" {
			return literalTo(to)(v)
		}
		return stringTo(to)(v)
	}
}

// countTo reads a count that may be left out.
func countTo(to **uint64) func(value) error {
	return func(v value) error {
		*to = new(uint64)
		return numberTo(*to)(v)
	}
}

func readExpect(v value, f File, e *Expect) error {
	name := ""
	err := v.object(schema{"file": stringTo(&name), "abs": numberTo(&e.Abs), "rel": numberTo(&e.Rel)})
	if err != nil {
		return err
	}
	if name == "" {
		return v.errorf("names no file")
	}
	if e.Abs < 0 || e.Rel < 0 {
		return v.errorf("a tolerance is negative")
	}
	e.File = f.beside(name)
	return nil
}
