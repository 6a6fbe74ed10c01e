package cexpr

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"simtgdb/dwarf"
	"simtgdb/dwarf/types"
)

// maxElements bounds what is written of an array, maxNested how deep objects are written.
const (
	maxElements = 16
	maxNested   = 4
)

// Formats are the letters that Text takes, as gdb's print has them: hexadecimal, decimal, unsigned, the float
// with these bits, binary.
const Formats = "xduft"

// Text writes a value: as its type says, or its numbers in one of the formats.
func (v Value) Text(env Env, format byte) (string, error) {
	if v.field != nil {
		n, err := v.number(env)
		if err != nil {
			return "", err
		}
		b := n.value()
		return text(env, b.Type, b.Data, format, 0), nil
	}
	b, err := v.bytes(env)
	if err != nil {
		return "", err
	}
	return text(env, v.Type, b, format, 0), nil
}

// text writes an object of a type.
func text(env Env, t *dwarf.DIE, b []byte, format byte, depth int) string {
	t = types.Strip(t)
	switch {
	case t == nil || depth > maxNested:
		return "{...}"
	case types.IsRecord(t):
		return recordText(env, t, b, format, depth)
	case t.Tag == dwarf.TagArrayType:
		var parts []string
		e := elementOf(t)
		size := env.Model().Size(e)
		for i := uint64(0); size > 0 && (i+1)*size <= uint64(len(b)); i++ {
			if i == maxElements {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, text(env, e, b[i*size:][:size], format, depth+1))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case types.IsPointer(t) && format == 0:
		return "0x" + strconv.FormatUint(env.Pointer(t, littleEndian(b)), 16)
	case t.Tag == dwarf.TagEnumerationType && format == 0:
		return enumText(env, t, b)
	}
	return scalarText(b, types.Encoding(t), isBrain(t), format)
}

func recordText(env Env, t *dwarf.DIE, b []byte, format byte, depth int) string {
	var parts []string
	for c := range types.Members(t) {
		whole := Value{Type: t, Data: b}
		part, err := whole.part(env, c.TypeDIE(), memberAt(env.Model(), c))
		if err != nil {
			continue
		}
		name := c.Name() + " = "
		if c.Name() == "" {
			name = ""
		}
		if _, ok := c.Uint(dwarf.AttrBitSize); ok {
			part.field = c
			if s, err := part.Text(env, format); err == nil {
				parts = append(parts, name+s)
			}
			continue
		}
		parts = append(parts, name+text(env, part.Type, part.Data, format, depth+1))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// enumText writes the name of an enumerator, or the number.
func enumText(env Env, t *dwarf.DIE, b []byte) string {
	n, err := Value{Type: t, Data: b}.number(env)
	if err != nil {
		return hexText(b)
	}
	for _, c := range t.Children {
		if v, ok := c.Int(dwarf.AttrConstValue); ok && c.Tag == dwarf.TagEnumerator && uint64(v) == n.i {
			if types.IsScoped(t) {
				return qualifiedName(c)
			}
			return qualifiedName(t.Parent, c.Name())
		}
	}
	if n.signed {
		return strconv.FormatInt(int64(n.i), 10)
	}
	return strconv.FormatUint(n.i, 10)
}

// qualifiedName writes names with the namespaces and classes around the first entry, as gdb does.
func qualifiedName(d *dwarf.DIE, rest ...string) string {
	names := rest
	for depth := 0; d != nil && d.Parent != nil && depth < maxBases; d, depth = d.Parent, depth+1 {
		switch name := d.Name(); {
		case d.Tag == dwarf.TagSubprogram || d.Tag == dwarf.TagLexicalBlock:
			continue
		case name == "" && d.Tag == dwarf.TagNamespace:
			names = append([]string{"(anonymous namespace)"}, names...)
		case name != "":
			names = append([]string{name}, names...)
		}
	}
	return strings.Join(names, "::")
}

// naturalFormats are the formats of base types.
var naturalFormats = map[uint64]byte{dwarf.ATEFloat: 'f', dwarf.ATESigned: 'd', dwarf.ATESignedChar: 'd'}

// scalarText writes a number: in a format, or else as its encoding says.
func scalarText(b []byte, encoding uint64, brain bool, format byte) string {
	if len(b) > 8 {
		return hexText(b)
	}
	bits := 8 * len(b)
	n := num{bits: bits, i: littleEndian(b)}.wrapped()
	if format == 0 {
		if encoding == dwarf.ATEBoolean && n.i <= 1 {
			return strconv.FormatBool(n.i == 1)
		}
		format = naturalFormats[encoding]
	}
	switch {
	case format == 'f' && (bits == 16 || bits == 32 || bits == 64):
		return strconv.FormatFloat(floatBits(n.i, bits, brain).f, 'g', -1, max(bits, 32))
	case format == 'd':
		n.signed = true
		return strconv.FormatInt(int64(n.wrapped().i), 10)
	case format == 't':
		return strconv.FormatUint(n.i, 2)
	case format == 'x':
		return "0x" + strconv.FormatUint(n.i, 16)
	}
	return strconv.FormatUint(n.i, 10)
}

func hexText(b []byte) string {
	b = slices.Clone(b)
	slices.Reverse(b)
	return "0x" + hex.EncodeToString(b)
}
