package launch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
)

// Arguments and buffers may be named as the kernel's parameters and the shader's bindings are. Which names
// there are is known when the code object has been read: until then a launch keeps what was said of them.

// parameterNames are the names of a kernel's explicit parameters, "" for those that have none: the module's,
// or those that the source is known to have, if they are as many.
func parameterNames(k *loader.Kernel, known []string) []string {
	explicit := k.ExplicitArgs()
	names := make([]string, len(explicit))
	for i := range explicit {
		if names[i] = explicit[i].Name; names[i] == "" && len(known) == len(explicit) {
			names[i] = known[i]
		}
	}
	return names
}

// arrange puts arguments into the order of the parameters: those with names where the names say, the others
// one after the other into the places that are left. Of what has no parameters, as a shader, they are counted
// later.
func arrange(args []Arg, names []string) ([]Arg, error) {
	if len(names) == 0 || !slices.ContainsFunc(args, func(a Arg) bool { return a.Name != "" }) {
		return args, nil
	}
	out, taken := make([]Arg, max(len(args), len(names))), make([]bool, max(len(args), len(names)))
	for _, a := range args {
		if a.Name == "" {
			continue
		}
		i := slices.Index(names, a.Name)
		switch {
		case i < 0:
			return nil, fmt.Errorf("the kernel has no parameter %s%s", printable.Name(a.Name), listed(names))
		case taken[i]:
			return nil, fmt.Errorf("parameter %s is given twice", printable.Name(a.Name))
		}
		out[i], taken[i] = a, true
	}
	next := 0
	for _, a := range args {
		if a.Name != "" {
			continue
		}
		for taken[next] {
			next++
		}
		out[next], taken[next] = a, true
	}
	if i := slices.Index(taken[:min(len(names), len(taken))], false); i >= 0 {
		return nil, fmt.Errorf("nothing is given for parameter %s", parameterLabel(names, i))
	}
	return out[:len(args)], nil
}

// parameterLabel names a parameter for a reader: "2 (y)".
func parameterLabel(names []string, i int) string {
	if names[i] == "" {
		return strconv.Itoa(i)
	}
	return fmt.Sprintf("%d (%s)", i, printable.Name(names[i]))
}

// listed is the end of an error that says which names there are.
func listed(names []string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "" })
	if len(names) == 0 {
		return ""
	}
	return "; it has: " + printable.Names(names)
}

// A bufferKey names a buffer on the command line: "argument 2", or "binding 0.1", or by the name of either.
type bufferKey struct {
	arg  int // -1 if there is a name
	name string
}

func (k bufferKey) String() string {
	if k.arg < 0 {
		return printable.Name(k.name)
	}
	return fmt.Sprintf("argument %d", k.arg)
}

// parseKey reads the number of an argument, or a name.
func parseKey(label string) (bufferKey, error) {
	n, err := strconv.Atoi(label)
	switch {
	case label == "" || err == nil && (n < 0 || n >= maxArgs):
		return bufferKey{}, fmt.Errorf("%q is no number of an argument, counted from 0, and no name", label)
	case err != nil:
		return bufferKey{arg: -1, name: label}, nil
	}
	return bufferKey{arg: n}, nil
}

// parseKeyed reads "N=FILE", or the same with a binding's numbers or a name.
func parseKeyed(text string) (key bufferKey, file string, err error) {
	label, file, ok := strings.Cut(text, "=")
	if !ok || file == "" {
		return key, "", fmt.Errorf("want N=FILE with the number of an argument, counted from 0, or its name")
	}
	key, err = parseKey(label)
	return key, file, err
}

// A result is what the command line wants done with a buffer in the end.
type result struct {
	flag   string // that wants it
	key    bufferKey
	out    *File
	expect *Expect
	print  *Printout
}

// settle says of each buffer what the flags want done with it in the end. names are the kernel's parameters'.
func (s *Spec) settle(names []string) error {
	s.Args, s.Bindings = slices.Clone(s.Args), slices.Clone(s.Bindings)
	for i := range s.results {
		r := &s.results[i]
		out, expect, show, err := s.find(r.key, names)
		if err != nil {
			return fmt.Errorf("%s %s: %w", r.flag, strings.TrimPrefix(r.key.String(), "argument "), err)
		}
		if r.out != nil {
			*out = r.out
		}
		if r.expect != nil {
			*expect = r.expect
		}
		if r.print != nil {
			*show = r.print
		}
	}
	s.results = nil
	return nil
}

// find finds where a buffer has what is to be done with it.
func (s *Spec) find(k bufferKey, names []string) (**File, **Expect, **Printout, error) {
	n := k.arg
	i := slices.IndexFunc(s.Bindings, func(b BindingSpec) bool { return b.named(k) })
	if i >= 0 && (n < 0 || len(s.Args) == 0) {
		b := &s.Bindings[i]
		return &b.Out, &b.Expect, &b.Print, nil
	}
	if n < 0 {
		n = slices.Index(names, k.name)
	}
	switch {
	case n < 0 && len(s.Bindings) > 0:
		return nil, nil, nil, fmt.Errorf("the launch has no such binding%s", s.bindingNames())
	case n < 0:
		return nil, nil, nil, fmt.Errorf("the kernel has no such parameter%s", listed(names))
	case len(s.Args) == 0 && len(s.Bindings) > 0:
		return nil, nil, nil, fmt.Errorf("the launch has no arguments but bindings%s", s.bindingNames())
	case n >= len(s.Args):
		return nil, nil, nil, fmt.Errorf("the launch has %s, counted from 0", count(len(s.Args), "argument"))
	case s.Args[n].Kind == PlainArg:
		return nil, nil, nil,
			fmt.Errorf("argument %d is no buffer but %s; a buffer is given as buf:f32[%d]=iota", n,
				s.Args[n].describe(), templateCount)
	case s.Args[n].Kind != BufferArg && s.Args[n].Kind != ImageArg:
		return nil, nil, nil, fmt.Errorf("argument %d is no buffer but %s", n, s.Args[n].describe())
	}
	a := &s.Args[n]
	return &a.Out, &a.Expect, &a.Print, nil
}

// named reports whether a key names a binding. A number alone is one of set 0, where there are no arguments.
func (b *BindingSpec) named(k bufferKey) bool {
	if k.arg >= 0 {
		return b.Numbered && b.Set == 0 && b.Element == 0 && int64(b.Number) == int64(k.arg)
	}
	return b.label() == k.name || b.Name == k.name
}

// bindingNames are the ends of errors that say which bindings there are.
func (s *Spec) bindingNames() string {
	var names []string
	for i := range s.Bindings {
		names = append(names, s.Bindings[i].label())
	}
	return listed(names)
}
