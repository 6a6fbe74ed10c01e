package launch

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simtgdb/loader"
	"simtgdb/loader/printable"
)

// Plain numbers are arguments that do not say their type: "8", ".5,1", "true". They become numbers of the
// type that the kernel declares, when that is known.

// isPlain reports whether a text is a number, or a list of them, or a word for a boolean, as some element
// type has them.
func isPlain(text string) bool {
	for _, part := range strings.Split(text, ",") {
		if !isNumber(strings.TrimSpace(part)) {
			return false
		}
	}
	return true
}

func isNumber(text string) bool {
	if text == "true" || text == "false" {
		return true
	}
	_, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		_, err = strconv.ParseUint(text, 0, 64)
	}
	if err != nil {
		_, err = strconv.ParseFloat(text, 64)
	}
	return err == nil
}

// number is the value of the parameter's type that a plain number stands for. If the parameter has no such
// type, or nobody knows which it has, refused says so.
func (p *parameter) number() (made *Arg, refused string) {
	a, d := p.given, &p.declared
	said := fmt.Sprintf("%s is given as %s", p.name(), a.Plain)
	spelling := cmp.Or(d.spelling, p.TypeName)
	if spelling != "" {
		spelling = " (" + printable.Name(spelling) + ")"
	}
	how, known := passings[p.Kind]
	switch {
	case p.Kind == loader.DynamicSharedPointer:
		return nil, fmt.Sprintf("%s, but is memory of the workgroup%s: give its size in bytes, as %slocal:%d",
			said, spelling, p.label(), templateLocal)
	case p.Kind == loader.GlobalBuffer, d.points:
		return nil, fmt.Sprintf("%s, but is a pointer%s: give a buffer, as %s, or an address, as %su64:0",
			said, spelling, p.bufferExample(), p.label())
	case p.Kind == loader.Image:
		return nil, fmt.Sprintf("%s, but is an image%s: as %simage:r32_sfloat[4x4]=iota", said, spelling,
			p.label())
	case p.Kind != loader.ByValue && known:
		return nil, fmt.Sprintf("%s, but is %s", said, how.wants)
	}
	element := cmp.Or(d.element, vectorElement(d.written))
	t := elementTypes[element]
	switch example := structureExample(d.written); {
	case t != nil && p.Size >= uint64(t.size) && !(p.MayPoint && d.implied):
	case example != "":
		return nil, fmt.Sprintf("%s, but is a structure%s: as %s%s", said, spelling, p.label(), example)
	default:
		return nil, fmt.Sprintf("%s, and the file does not say of which type it is%s: give the type, as %s",
			said, spelling, p.typedExamples())
	}
	text := a.Plain
	if element[0] != 'f' {
		text = strings.NewReplacer("true", "1", "false", "0").Replace(text)
	}
	value, err := parseList(text, t)
	if signed := "i" + element[1:]; err != nil && d.implied && element[0] == 'u' { // PTX says .u32 of int too
		element = signed
		value, err = parseList(text, elementTypes[signed])
	}
	if err != nil {
		return nil, fmt.Sprintf("%s%s: %v", p.name(), spelling, err)
	}
	if words := strings.Fields(d.spelling); slices.Contains(words, "bool") &&
		slices.ContainsFunc(value, beyondOne) {
		return nil, fmt.Sprintf("%s, but is%s: true, false, 1 or 0", said, spelling)
	}
	const three, four = 3, 4 // numbers of a vector of three lie as those of one of four do
	if len(value) == three*t.size && p.Size == uint64(four*t.size) {
		value = append(value, make([]byte, t.size)...)
	}
	if uint64(len(value)) != p.Size {
		return nil, fmt.Sprintf("%s, but has %s%s", said, count(int(p.Size)/t.size, "number"), spelling)
	}
	made = &Arg{Name: a.Name, Kind: ValueArg, Type: element, Value: value}
	return made, ""
}

func beyondOne(b byte) bool { return b > 1 }

// label is what stands before an argument on the command line that is given by its name.
func (p *parameter) label() string {
	if p.Name == "" {
		return ""
	}
	return printable.Name(p.Name) + "="
}

// bufferExample is a buffer for the parameter as the command line has it: of the numbers that are given, if
// they are several.
func (p *parameter) bufferExample() string {
	element := p.declared.element
	if element == "" || p.declared.implied {
		element = "f32"
	}
	if strings.Contains(p.given.Plain, ",") {
		if _, err := parseList(p.given.Plain, elementTypes[element]); err == nil {
			return fmt.Sprintf("%sbuf:%s[]=%s", p.label(), element, p.given.Plain)
		}
	}
	return fmt.Sprintf("%sbuf:%s[%d]=iota", p.label(), element, templateCount)
}

// typedExamples are the numbers that are given with the types that they may have.
func (p *parameter) typedExamples() string {
	n := strings.Count(p.given.Plain, ",") + 1
	bits := p.Size * 8 / uint64(n)
	var all []string
	for _, kind := range []string{"i", "f"} {
		t := elementTypes[fmt.Sprint(kind, bits)]
		if t == nil {
			continue
		}
		if _, err := parseList(p.given.Plain, t); err == nil {
			all = append(all, fmt.Sprintf("%s%s:%s", p.label(), t.name, p.given.Plain))
		}
	}
	if p.MayPoint {
		all = append(all, p.bufferExample())
	}
	if all == nil {
		return fmt.Sprintf("%sbytes: and %s in hexadecimal", p.label(), count(int(p.Size), "byte"))
	}
	return strings.Join(all, " or ")
}
