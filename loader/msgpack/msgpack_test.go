package msgpack

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes a value in a notation of its own, with the kind of everything.
func show(v Value) string {
	switch v.Kind() {
	case Bool:
		b, _ := v.Bool()
		return fmt.Sprint(b)
	case Int:
		if n, ok := v.Uint(); ok {
			return fmt.Sprint(n)
		}
		n, _ := v.Int()
		return fmt.Sprint(n)
	case Float:
		f, _ := v.Float()
		return fmt.Sprintf("%gf", f)
	case String:
		s, _ := v.Str()
		return fmt.Sprintf("%q", s)
	case Binary:
		b, _ := v.Bytes()
		return fmt.Sprintf("<% x>", b)
	case Extension:
		b, _ := v.Bytes()
		t, _ := v.ExtensionType()
		return fmt.Sprintf("ext%d<% x>", t, b)
	case Array:
		elems, _ := v.Array()
		parts := make([]string, len(elems))
		for i, e := range elems {
			parts[i] = show(e)
		}
		return "[" + strings.Join(parts, " ") + "]"
	case Map:
		var parts []string
		for p := range v.Pairs {
			parts = append(parts, show(p.Key)+":"+show(p.Value))
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	return "nil"
}

// TestDecode has each format of the specification's table, at the borders of
// what it can hold.
func TestDecode(t *testing.T) {
	long := strings.Repeat("x", 300)
	tests := []struct{ in, want string }{
		{"\xc0", "nil"},
		{"\xc2", "false"},
		{"\xc3", "true"},
		{"\x00", "0"},
		{"\x7f", "127"},
		{"\xff", "-1"},
		{"\xe0", "-32"},
		{"\xcc\x80", "128"},
		{"\xcd\x01\x00", "256"},
		{"\xce\xff\xff\xff\xff", "4294967295"},
		{"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615"},
		{"\xd0\x80", "-128"},
		{"\xd0\x7f", "127"},
		{"\xd1\x80\x00", "-32768"},
		{"\xd2\x80\x00\x00\x00", "-2147483648"},
		{"\xd3\x80\x00\x00\x00\x00\x00\x00\x00", "-9223372036854775808"},
		{"\xd3\x00\x00\x00\x00\x00\x00\x00\x05", "5"},
		{"\xca\x3f\xc0\x00\x00", "1.5f"},
		{"\xcb\xbf\xf8\x00\x00\x00\x00\x00\x00", "-1.5f"},
		{"\xa0", `""`},
		{"\xa3abc", `"abc"`},
		{"\xd9\x02hi", `"hi"`},
		{"\xda\x01\x2c" + long, `"` + long + `"`},
		{"\xdb\x00\x00\x00\x01z", `"z"`},
		{"\xc4\x02\x01\x02", "<01 02>"},
		{"\xc5\x00\x01\xff", "<ff>"},
		{"\xc6\x00\x00\x00\x00", "<>"},
		{"\xd4\x05a", "ext5<61>"},
		{"\xd5\xffab", "ext-1<61 62>"},
		{"\xd6\x01abcd", "ext1<61 62 63 64>"},
		{"\xd7\x01abcdefgh", "ext1<61 62 63 64 65 66 67 68>"},
		{"\xd8\x01abcdefghabcdefgh", "ext1<61 62 63 64 65 66 67 68 61 62 63 64 65 66 67 68>"},
		{"\xc7\x02\x09ab", "ext9<61 62>"},
		{"\xc8\x00\x00\x09", "ext9<>"},
		{"\xc9\x00\x00\x00\x01\x09a", "ext9<61>"},
		{"\x90", "[]"},
		{"\x93\x01\xc0\x91\x02", "[1 nil [2]]"},
		{"\xdc\x00\x02\x01\x02", "[1 2]"},
		{"\xdd\x00\x00\x00\x01\xa1a", `["a"]`},
		{"\x80", "{}"},
		{"\x82\xa1b\x01\xa1a\x02", `{"b":1 "a":2}`}, // in input order
		{"\xde\x00\x01\x01\x02", "{1:2}"},
		{"\xdf\x00\x00\x00\x01\xc0\xc3", "{nil:true}"},
	}
	for _, tt := range tests {
		v, err := Decode([]byte(tt.in))
		if err != nil {
			t.Errorf("Decode(% x): %v", tt.in, err)
			continue
		}
		if got := show(v); got != tt.want {
			t.Errorf("Decode(% x) = %s, want %s", tt.in, got, tt.want)
		}
		for n := range len(tt.in) {
			if _, err := Decode([]byte(tt.in[:n])); err == nil {
				t.Errorf("the first %d bytes of % x were decoded", n, tt.in)
			}
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		in     string
		offset int
		part   string
	}{
		{"", 0, "a value needs 1 bytes, 0 are left"},
		{"\xc1", 0, "begins no value"},
		{"\x01\x02", 1, "1 bytes after the end"},
		{"\x92\x01", 0, "array of 2 values, only 1 bytes are left"},
		{"\x81\x01", 0, "map of 2 values"},
		{"\xdd\xff\xff\xff\xff", 0, "array of 4294967295 values"},
		{"\xdf\xff\xff\xff\xff", 0, "map of 8589934590 values"},
		{"\x91\xa5ab", 2, "string needs 5 bytes, 2 are left"},
		{"\xc6\xff\xff\xff\xff", 5, "binary needs 4294967295 bytes"},
		{"\xcf\x01", 1, "integer needs 8 bytes"},
		{strings.Repeat("\x91", MaxDepth+1) + "\x01", MaxDepth, "nest deeper"},
	}
	for _, tt := range tests {
		_, err := Decode([]byte(tt.in))
		var e *Error
		if !errors.As(err, &e) || e.Offset != tt.offset || !strings.Contains(err.Error(), tt.part) {
			t.Errorf("Decode(% x): error %v, want %q at %d", tt.in, err, tt.part, tt.offset)
		}
	}
	if _, err := Decode([]byte(strings.Repeat("\x91", MaxDepth) + "\x01")); err != nil {
		t.Errorf("nesting as deep as allowed: %v", err)
	}
}

func TestAccessors(t *testing.T) {
	v, err := Decode([]byte("\x83\xa1a\x05\xa1b\x92\xff\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xa1a\xa1z"))
	if err != nil {
		t.Fatal(err)
	}
	a, ok := v.Get("a")
	if n, isInt := a.Int(); !ok || !isInt || n != 5 || a.Offset() != 3 {
		t.Errorf("a = %s at %d, want the first entry, 5 at 3", show(a), a.Offset())
	}
	if _, ok := v.Get("c"); ok {
		t.Error("c is found")
	}
	b, _ := v.Get("b")
	elems, ok := b.Array()
	if !ok || len(elems) != 2 || b.Len() != 2 || v.Len() != 3 {
		t.Fatalf("b = %s, lengths %d and %d", show(b), b.Len(), v.Len())
	}
	if n, ok := elems[0].Int(); !ok || n != -1 {
		t.Errorf("Int of -1 = %d, %v", n, ok)
	}
	if n, ok := elems[0].Uint(); ok {
		t.Errorf("Uint of -1 = %d", n)
	}
	if n, ok := elems[1].Uint(); !ok || n != math.MaxUint64 {
		t.Errorf("Uint of 2^64-1 = %d, %v", n, ok)
	}
	if n, ok := elems[1].Int(); ok {
		t.Errorf("Int of 2^64-1 = %d", n)
	}
}

// TestAnswers: a value answers to what asks for its kind, and to nothing else.
func TestAnswers(t *testing.T) {
	type answers struct{ Bool, Int, Uint, Float, Str, Bytes, Ext, Array bool }
	for in, want := range map[string]answers{
		"\xc0":                                 {},
		"\xc2":                                 {Bool: true},
		"\x05":                                 {Int: true, Uint: true},
		"\xd0\x00":                             {Int: true, Uint: true},
		"\xff":                                 {Int: true},
		"\xcf\x7f\xff\xff\xff\xff\xff\xff\xff": {Int: true, Uint: true},
		"\xcf\x80\x00\x00\x00\x00\x00\x00\x00": {Uint: true},
		"\xca\x3f\xc0\x00\x00":                 {Float: true},
		"\xa1a":                                {Str: true},
		"\xc4\x01a":                            {Bytes: true},
		"\xd4\x05a":                            {Bytes: true, Ext: true},
		"\x92\x01\x02":                         {Array: true},
		"\x81\x01\x02":                         {},
	} {
		v, err := Decode([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		var got answers
		_, got.Bool = v.Bool()
		_, got.Int = v.Int()
		_, got.Uint = v.Uint()
		_, got.Float = v.Float()
		_, got.Str = v.Str()
		_, got.Bytes = v.Bytes()
		_, got.Ext = v.ExtensionType()
		_, got.Array = v.Array()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("% x (%s) answers to:\n%s", in, show(v), diff)
		}
		entries := 0
		for range v.Pairs {
			entries++
		}
		if isMap := v.Kind() == Map; (entries == 1) != isMap {
			t.Errorf("% x has %d entries", in, entries)
		}
	}
	v, err := Decode([]byte("\x82\xc4\x01a\x01\xa1a\x02"))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := v.Get("a")
	if n, _ := a.Int(); n != 2 {
		t.Errorf("of the key \"a\" is told %s, which a binary value has that is spelled so", show(a))
	}
}

func TestKindString(t *testing.T) {
	if s := Extension.String(); s != "extension" {
		t.Errorf("Extension is %q", s)
	}
	if s := (Extension + 1).String(); s != "kind(9)" {
		t.Errorf("Kind(9) is %q", s)
	}
}

func FuzzMsgpack(f *testing.F) {
	for _, s := range []string{"\x82\xa1b\x01\xa1a\x02", "\xdd\x00\x00\x00\x01\xa1a",
		"\xcb\xbf\xf8\x00\x00\x00\x00\x00\x00", "\x93\x01\xc0\x91\x02", "\xc7\x02\x09ab"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Decode(data)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(data) {
				t.Fatalf("error %v for %d bytes", err, len(data))
			}
			return
		}
		checkTree(t, v, data)
	})
}

// checkTree sees that values lie in the input one after the other, and that
// strings are what the input has.
func checkTree(t *testing.T, v Value, data []byte) {
	last := v.Offset()
	for _, item := range v.items {
		if item.Offset() <= last {
			t.Fatalf("value at %d is not after %d", item.Offset(), last)
		}
		last = item.Offset()
		checkTree(t, item, data)
	}
	if v.Kind() == String && !bytes.Contains(data[v.Offset():], v.bytes) {
		t.Fatalf("string %q is not at %d", v.bytes, v.Offset())
	}
}
