package subscript

import (
	"strings"
	"testing"
)

// TestAt: the place is where the text has a ^; want is the variable and what is done with it.
func TestAt(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"x = ^b[i];", "b r"},
		{"x = a[i] + ^b [i & 31][3] + c[1];", "b r"},
		{"x ^= a[i];", ""},
		{"b[i] ^= a[i];", "b w"},
		{"  b[c[i] + d[1]][2 * (i + 1)] ^= 1;", "b w"},
		{"b[i] ^+= 1;", "b rw"}, {"b[i] ^<<= 1;", "b rw"}, {"b[i]^++;", "b rw"}, {"^--b[i];", "b rw"},
		{"b\n  [i]\n  ^= 1;", "b w"}, {"return ^b[i];", "b r"}, {"if (x) b[i] ^= 1;", "b w"},
		{"x = (int)^b[i];", "b r"}, {"y = 2 * ^b[i];", "b r"}, {"_a1[^_b2[i]]", "_b2 r"},
		// No element of a variable, or not plainly one.
		{"x = ^b;", ""}, {"x = ^f(b[i]);", ""}, {"s.^b[i]", ""}, {"s->^b[i]", ""}, {"N::^b[i]", ""},
		{"s.b[i] ^= 1;", ""}, {"s->b[i] ^= 1;", ""}, {"*b[i] ^= 1;", ""}, {"b[i].x ^= 1;", ""},
		{"f(i)[2] ^= 1;", ""}, {"int ^b[16] = {1};", ""}, {"int b[16] ^= {1};", ""},
		{"b[i] ^== 1", ""}, {"b[i] =^= 1", ""}, {"b[i] <^= 1", ""}, {"b[i] ^< 1", ""},
		{`b['['] ^= 1;`, ""}, {"b[i /* ] */] ^= 1;", ""}, {"(*b)[i] ^= 1;", ""}, {"x + ^1[b]", ""},
		{"s.\n  ^b[i]", ""}, {"] ^= 1;", ""}, {"[i] ^= 1", ""}, {"^", ""}, {"x^", ""}, {"++^b", ""},
	} {
		at := strings.IndexByte(c.text, '^')
		text := c.text[:at] + c.text[at+1:]
		e, ok := At(text, at)
		got := ""
		if ok {
			got = e.Name + " "
			if e.Reads {
				got += "r"
			}
			if e.Writes {
				got += "w"
			}
		}
		if got != c.want && (c.want != "" || ok) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestSubscripts: what stands between the brackets of the element at ^.
func TestSubscripts(t *testing.T) {
	for text, want := range map[string]string{
		"x = ^b[i];": "i", "x = ^b[c[i] + d[1]] [2 * (i + 1)] + e[3];": "c[i] + d[1]|2 * (i + 1)",
		"b[ i ]\n [j][k] ^+= 1;": "i|j|k", "x = ^b[i;": "", "x = ^b[i /* ] */];": "", "x = ^b['[']": "",
		"x = ^b[i // ]\n]": "", "++^b[i]": "i", "^++b[i][0]": "i|0", "x = ^b[i][": "", "x = ^b[a / b]": "a / b",
	} {
		at := strings.IndexByte(text, '^')
		e, _ := At(text[:at]+text[at+1:], at)
		if got := strings.Join(e.Subscripts, "|"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestOffset(t *testing.T) {
	text := "one\ntwo\n\nfour"
	for _, c := range []struct {
		line, column uint32
		at           int
	}{{1, 1, 0}, {1, 3, 2}, {2, 1, 4}, {4, 4, 12}, {1, 4, -1}, {3, 1, -1}, {0, 1, -1}, {1, 0, -1}, {5, 1, -1},
		{4, 5, -1}, {1 << 31, 1, -1}, {1, 1 << 31, -1}} {
		if at, ok := Offset(text, c.line, c.column); ok != (c.at >= 0) || ok && at != c.at {
			t.Errorf("line %d, column %d: %d, %v", c.line, c.column, at, ok)
		}
	}
}

func TestInBraces(t *testing.T) {
	for text, want := range map[string]bool{"": false, "f() {": true, "f() { if (x) { } ": true,
		"f() { } ": false,
		"// {\n":   false, "/* { */": false, "/* } { ": false, `s = "{"; `: false,
		`c = '{'; d = '\'';`: false,
		`extern "C" {`:       false, `extern "C" { f() {`: true, "} {": true, "'{\n{": true} {
		if got := InBraces(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestDeclares(t *testing.T) {
	for line, want := range map[string]bool{"int b[4];": true, "int a[4], b [5];": true, "int ab[4];": false,
		"int b;": false, "": false, "b": false, "bb[1] b[2]": true, "int b2[4]": false} {
		if got := Declares(line, "b"); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestMacro(t *testing.T) {
	text := "#define A 1\n#define AB (A + 1) // two\n#define F(x) x\n#define E\n#define D 1\n#define D 2\n"
	for name, want := range map[string]string{"A": "1", "AB": "(A + 1)", "F": "", "E": "", "D": "", "G": "",
		"": ""} {
		if got := Macro(text, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// FuzzAt: whatever the text, what is found is a name in it.
func FuzzAt(f *testing.F) {
	f.Add("  out[GROUP * SIZE + i] = a[in[i] & 15] + b[in[i] & 31];", 24)
	f.Add("*b[i]++ <<= c->d[*e] /* ] */", 8)
	f.Add("b\n[\n]=", 5)
	f.Fuzz(func(t *testing.T, text string, at int) {
		InBraces(text)
		Macro(text, "b")
		e, ok := At(text, at)
		if ok && (e.Name == "" || !strings.Contains(text, e.Name) || !e.Reads && !e.Writes) {
			t.Errorf("%q at %d: %+v", text, at, e)
		}
		for _, s := range e.Subscripts {
			if !strings.Contains(text, s) {
				t.Errorf("%q at %d: %q", text, at, s)
			}
		}
	})
}
