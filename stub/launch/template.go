package launch

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
	"simtgdb/loader"
	"simtgdb/stub/arch"
	"simtgdb/stub/source"
)

// What a template gives for what the file does not say.
const (
	templateGroup = 64   // work-items per workgroup
	templateCount = 1024 // elements of a buffer
	templateLocal = 1024 // bytes of LDS of an argument
)

// Template writes a launch file for a kernel, to be filled in: the arguments are of the kernel's types, as
// far as its metadata or debugging information has them, and hold zeroes. codeObject is the name of the
// file as the launch file is to have it.
func Template(src *source.Map, k *loader.Kernel, codeObject string) string {
	block := Dims(k.ReqdWorkgroupSize)
	if !block.Given() {
		block = Dims{templateGroup, 1, 1}
		if k.MaxFlatWorkgroupSize > 0 {
			block[0] = min(block[0], k.MaxFlatWorkgroupSize)
		}
	}
	lines := []string{fmt.Sprintf(`{"code_object": %s, "kernel": %s`, quoted(codeObject), quoted(k.Name))}
	var needs arch.Needs
	if d, ok := arch.Of(src.Module).(arch.Describer); ok {
		needs = d.Needs(src.Module, k)
	}
	if len(needs.Bindings) > 0 {
		lines = append(lines, ` "groups": [1, 1, 1]`)
	} else {
		lines = append(lines, fmt.Sprintf(` "grid": %s, "block": %s`, dimsText(block), dimsText(block)))
	}
	lines = append(lines, needsLines(&needs)...)
	params := parameterTypes(src, k)
	var args []string
	for i, a := range k.ExplicitArgs() {
		args = append(args, templateArg(&a, params[i]))
	}
	if len(args) > 0 || len(needs.Bindings) == 0 {
		lines = append(lines, listLine("args", args))
	}
	return strings.Join(lines, ",\n") + "}\n"
}

// listLine is a field that is a list, each element in a line of its own.
func listLine(name string, elements []string) string {
	start := fmt.Sprintf(" %q: [", name)
	return start + strings.Join(elements, ",\n"+strings.Repeat(" ", len(start))) + "]"
}

// needsLines are the fields for what a kernel wants besides arguments.
func needsLines(n *arch.Needs) []string {
	var lines, constants, push, bindings []string
	slices.SortFunc(n.Constants, func(a, b arch.NeedConstant) int { return cmp.Compare(a.ID, b.ID) })
	for _, c := range n.Constants {
		value := []byte(nil)
		if t := elementTypes[c.Type]; t != nil {
			value = append(value, t.format(binary.LittleEndian.AppendUint64(nil, c.Value)[:t.size])...)
		} else {
			value = strconv.AppendBool(value, c.Value != 0)
		}
		if c.Type[0] == 'f' { // also what is no number to JSON
			value = []byte(quoted(string(value)))
		}
		constants = append(constants, fmt.Sprintf(`"%d": {%q: %s}`, c.ID, c.Type, value))
	}
	for _, v := range n.Push {
		if v.Type == bytesType {
			push = append(push, fmt.Sprintf(`{"bytes": %q}`, strings.Repeat("00", int(min(v.Size, maxPush)))))
		} else {
			push = append(push, fmt.Sprintf(`{%q: 0}`, v.Type))
		}
	}
	for _, v := range n.Bindings {
		number := fmt.Sprintf(`"set": %d, "binding": %d`, v.Set, v.Number)
		if v.Element > 0 {
			number += fmt.Sprintf(`, "element": %d`, v.Element)
		}
		elements := v.Count
		if elements == 0 {
			elements = templateCount
		}
		bindings = append(bindings, fmt.Sprintf(`{%s, "kind": %q, "type": %q, "count": %d, "init": "zero"}`,
			number, v.Kind, v.Type, elements))
	}
	if len(constants) > 0 {
		lines = append(lines, ` "spec": {`+strings.Join(constants, ", ")+"}")
	}
	if len(push) > 0 {
		lines = append(lines, ` "push": [`+strings.Join(push, ", ")+"]")
	}
	if len(bindings) > 0 {
		lines = append(lines, listLine("bindings", bindings))
	}
	return lines
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always has a form
	return string(b)
}

func dimsText(d Dims) string { return fmt.Sprintf("[%d, %d, %d]", d[0], d[1], d[2]) }

// parameterTypes are the types of the explicit arguments, nil where they are not known.
func parameterTypes(src *source.Map, k *loader.Kernel) []*dwarf.DIE {
	out := make([]*dwarf.DIE, len(k.ExplicitArgs()))
	if src.Data == nil {
		return out
	}
	u := src.Data.UnitAt(k.Entry)
	if u == nil {
		return out
	}
	f := u.FunctionAt(k.Entry)
	if f == nil {
		return out
	}
	var found []*dwarf.DIE
	for _, c := range f.Children {
		if c.Tag == dwarf.TagFormalParameter {
			found = append(found, types.Strip(c.TypeDIE()))
		}
	}
	if len(found) != len(out) { // the function is another than the kernel
		return out
	}
	return found
}

// templateArg is an argument as a launch file has it.
func templateArg(a *loader.Arg, typ *dwarf.DIE) string {
	points := a.MayPoint && typ != nil && typ.Tag == dwarf.TagPointerType
	switch {
	case a.Kind == loader.DynamicSharedPointer:
		return fmt.Sprintf(`{"local": %d}`, templateLocal)
	case a.Kind == loader.GlobalBuffer, points:
		element := elementNamed(strings.TrimRight(a.TypeName, "* "))
		if typ != nil {
			element = elementOf(typ.TypeDIE())
		}
		if element == "" {
			element = "u8"
		}
		return fmt.Sprintf(`{"buffer": {"type": %q, "count": %d, "init": "zero"}}`, element, templateCount)
	}
	element := elementNamed(a.TypeName)
	if typ != nil && !types.IsVector(typ) {
		element = elementOf(typ)
	}
	if t := elementTypes[element]; t != nil && uint64(t.size) == a.Size {
		return fmt.Sprintf(`{%q: 0}`, element)
	}
	return fmt.Sprintf(`{"bytes": %q}`, strings.Repeat("00", int(min(a.Size, maxValue))))
}

// elementOf is the element type of a base type, or of a vector or array of one; "" for any other type.
func elementOf(d *dwarf.DIE) string {
	d = types.Strip(d)
	for depth := 0; d != nil && d.Tag == dwarf.TagArrayType && depth < 8; depth++ {
		d = types.Strip(d.TypeDIE())
	}
	kinds := map[uint64]string{
		dwarf.ATEFloat: "f", dwarf.ATESigned: "i", dwarf.ATESignedChar: "i",
		dwarf.ATEUnsigned: "u", dwarf.ATEUnsignedChar: "u", dwarf.ATEBoolean: "u",
	}
	if kind := kinds[types.Encoding(d)]; kind != "" {
		name := fmt.Sprintf("%s%d", kind, 8*types.Model{}.Size(d))
		if elementTypes[name] != nil {
			return name
		}
	}
	return ""
}

// openCLNames are OpenCL C's names of the element types (OpenCL C 2.0, section 6.1.1).
var openCLNames = map[string][]string{
	"i8": {"char"}, "u8": {"uchar", "unsigned char", "bool"},
	"i16": {"short"}, "u16": {"ushort", "unsigned short"},
	"i32": {"int"}, "u32": {"uint", "unsigned int"},
	"i64": {"long"}, "u64": {"ulong", "unsigned long"},
	"f16": {"half"}, "f32": {"float"}, "f64": {"double"},
}

// elementNamed is the element type of OpenCL C's name for it.
func elementNamed(name string) string {
	for element, names := range openCLNames {
		if slices.Contains(names, name) {
			return element
		}
	}
	return ""
}
