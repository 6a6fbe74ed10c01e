package launch

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	declared := declarations(src, k)
	var args []string
	for i, a := range k.ExplicitArgs() {
		args = append(args, templateArg(&a, &declared[i]))
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
	named := !slices.ContainsFunc(n.Push, func(v arch.NeedValue) bool { return v.Name == "" })
	for _, v := range n.Push {
		zero := "0"
		if t := elementTypes[v.Type]; t != nil && v.Size > uint64(t.size) {
			zero = "[" + strings.TrimSuffix(strings.Repeat("0, ", int(v.Size)/t.size), ", ") + "]"
		}
		switch {
		case v.Type == bytesType:
			push = append(push, fmt.Sprintf(`{"bytes": %q}`, strings.Repeat("00", int(min(v.Size, maxPush)))))
		default:
			push = append(push, fmt.Sprintf(`%s: {%q: %s}`, quoted(v.Name), v.Type, zero))
		}
	}
	for _, v := range apart(n.Bindings) {
		number := fmt.Sprintf(`"set": %d, "binding": %d`, v.Set, v.Number)
		if v.Element > 0 {
			number += fmt.Sprintf(`, "element": %d`, v.Element)
		}
		if v.Kind == imageBinding || v.Kind == samplerBinding {
			bindings = append(bindings, "{"+number+imageFields(&v)+"}")
			continue
		}
		bindings = append(bindings, fmt.Sprintf(`{%s, "kind": %q, "type": %q, "count": %d, "init": "zero"}`,
			number, v.Kind, v.Type, templateElements(&v)))
	}
	if len(constants) > 0 {
		lines = append(lines, ` "spec": {`+strings.Join(constants, ", ")+"}")
	}
	if named && len(push) > 0 {
		lines = append(lines, ` "push": {`+strings.Join(push, ", ")+"}")
	} else if len(push) > 0 {
		lines = append(lines, ` "push": [`+strings.Join(push, ", ")+"]")
	}
	if len(bindings) > 0 {
		lines = append(lines, listLine("bindings", bindings))
	}
	return lines
}

// apart leaves the largest of the bindings that several variables name: one buffer is there for all of them.
func apart(all []arch.NeedBinding) []arch.NeedBinding {
	size := func(b *arch.NeedBinding) uint64 {
		if t := elementTypes[b.Type]; t != nil {
			return templateElements(b) * uint64(t.size)
		}
		return templateElements(b)
	}
	var kept []arch.NeedBinding
	for _, b := range all {
		same := slices.IndexFunc(kept, func(k arch.NeedBinding) bool {
			return k.Set == b.Set && k.Number == b.Number && k.Element == b.Element
		})
		if same < 0 {
			kept = append(kept, b)
		} else if size(&b) > size(&kept[same]) {
			kept[same] = b
		}
	}
	return kept
}

func templateElements(b *arch.NeedBinding) uint64 { return cmp.Or(b.Count, templateCount) }

// imageFields are those of an image or a sampler, behind the numbers of its binding.
func imageFields(v *arch.NeedBinding) string {
	if v.Kind == samplerBinding {
		return fmt.Sprintf(`, "kind": %q, "filter": "nearest", "address": "clamp"`, v.Kind)
	}
	size := strings.TrimSuffix(strings.Repeat(fmt.Sprint(arch.Side, ", "), max(v.Dimensions, 1)), ", ")
	text := fmt.Sprintf(`, "kind": %q, "format": %q, "size": [%s]`, v.Kind, v.Format, size)
	if v.Layered {
		text += `, "layers": 1`
	}
	if v.Cube {
		text += `, "cube": true`
	}
	return text + `, "init": "zero"`
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always has a form
	return string(b)
}

func dimsText(d Dims) string { return fmt.Sprintf("[%d, %d, %d]", d[0], d[1], d[2]) }

// templateArg is an argument as a launch file has it.
func templateArg(a *loader.Arg, d *declaration) string {
	switch {
	case a.Kind == loader.DynamicSharedPointer:
		return fmt.Sprintf(`{"local": %d}`, templateLocal)
	case a.Kind == loader.GlobalBuffer, a.MayPoint && d.points:
		return fmt.Sprintf(`{"buffer": {"type": %q, "count": %d, "init": "zero"}}`, cmp.Or(d.element, "u8"),
			templateCount)
	}
	if t := elementTypes[d.element]; t != nil && uint64(t.size) == a.Size {
		return fmt.Sprintf(`{%q: 0}`, d.element)
	}
	if s := structureTemplate(d.written); s != "" {
		return s
	}
	return fmt.Sprintf(`{"bytes": %q}`, strings.Repeat("00", int(min(a.Size, maxValue))))
}
