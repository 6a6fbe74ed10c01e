package launch

import (
	"errors"
	"fmt"
	"strings"
)

// Literals are first contents and values written out: "1,2,3" for the elements of a buffer, a vector or a
// matrix, and "{i32:1 f32:2,3,4}" for a structure.

// isList reports whether a text begins as a number does.
func isList(text string) bool {
	t := strings.TrimLeft(text, "+-")
	return t != "" && (t[0] >= '0' && t[0] <= '9' || t[0] == '.' ||
		strings.HasPrefix(strings.ToLower(t), "inf") || strings.HasPrefix(strings.ToLower(t), "nan"))
}

// parseList reads numbers with commas between them and gives their bytes, one after the other.
func parseList(text string, t *elementType) ([]byte, error) {
	parts := strings.Split(text, ",")
	all := make([]byte, len(parts)*t.size)
	for i, p := range parts {
		if err := t.parse(all[i*t.size:][:t.size], strings.TrimSpace(p)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// parseStruct reads "{i32:1 f32:2,3,4}": fields in the order of C, each as far in as its elements want to be
// aligned. A field of several elements is an array. What is aligned to more than its elements, as OpenCL's
// float4 is, takes a field that fills the gap where no debugging information tells (laidOut).
func parseStruct(text string) (Arg, error) {
	inner, closed := strings.CutSuffix(strings.TrimPrefix(text, "{"), "}")
	if !closed {
		return Arg{}, errors.New("the structure has no closing brace")
	}
	a := Arg{Kind: ValueArg, Type: structType}
	align := 1
	for _, field := range strings.Fields(inner) {
		typ, literal, ok := strings.Cut(field, ":")
		t := elementTypes[typ]
		if !ok || t == nil {
			return a, fmt.Errorf("field %q of the structure: want TYPE:VALUE[,VALUE…]; the types are %s",
				field, elementTypeNames)
		}
		value, err := parseList(literal, t)
		if err != nil && strings.Contains(literal, ":") {
			return a, fmt.Errorf("field %q of the structure: blanks stand between fields: {f32:2,3 i32:1}",
				field)
		}
		if err != nil {
			return a, fmt.Errorf("field %q of the structure: %w", field, err)
		}
		align = max(align, t.size)
		a.Value = padded(a.Value, t.size)
		for at := 0; at < len(value); at += t.size {
			a.Fields = append(a.Fields, Field{typ, len(a.Value) + at})
		}
		a.Value = append(a.Value, value...)
	}
	a.Value = padded(a.Value, align)
	switch {
	case len(a.Value) == 0:
		return a, errors.New("the structure has no fields; want {TYPE:VALUE …}")
	case len(a.Value) > maxValue:
		return a, fmt.Errorf("the structure has %d bytes, at most %d", len(a.Value), maxValue)
	}
	return a, nil
}

// padded fills up to an alignment with zeros.
func padded(b []byte, align int) []byte {
	for len(b)%align != 0 {
		b = append(b, 0)
	}
	return b
}
