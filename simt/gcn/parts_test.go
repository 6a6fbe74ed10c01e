package gcn

import "testing"

// TestOrderedParts: the instructions of a pair read before either writes; one after the other they do the
// same in an order in which none reads what the one before it has written.
func TestOrderedParts(t *testing.T) {
	v := func(n uint16) operand { return operand{kind: vectorReg, reg: n, typ: b32} }
	part := func(dst, src uint16) Inst {
		in := Inst{dst: v(dst)}
		in.src[0] = v(src)
		return in
	}
	for name, c := range map[string]struct {
		x, y Inst
		want string
	}{
		"nothing in common":        {part(1, 2), part(3, 4), "xy"},
		"the same source":          {part(1, 2), part(3, 2), "xy"},
		"x reads what y writes":    {part(1, 3), part(3, 4), "xy"},
		"y reads what x writes":    {part(1, 2), part(3, 1), "yx"},
		"each what the other does": {part(1, 3), part(3, 1), ""},
		"each what it writes":      {part(1, 1), part(3, 3), "xy"},
		"both write the same":      {part(1, 2), part(1, 4), ""},
	} {
		in := &Inst{pair: &[2]Inst{c.x, c.y}}
		parts, ok := orderedParts(in)
		got := ""
		for _, p := range parts {
			got += map[*Inst]string{&in.pair[0]: "x", &in.pair[1]: "y"}[p]
		}
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, c.want)
		}
	}
	alone := part(1, 2)
	if parts, ok := orderedParts(&alone); !ok || len(parts) != 1 || parts[0] != &alone {
		t.Errorf("one instruction alone: %v, %v", parts, ok)
	}
}
