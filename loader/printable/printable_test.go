package printable

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestName(t *testing.T) {
	long := strings.Repeat("a", 1<<20) + "end"
	for in, want := range map[string]string{
		"":                        "",
		"_Z6vecaddPKfPfi":         "_Z6vecaddPKfPfi",
		"größe":                   "größe",
		"a\nb":                    `a\nb`,
		"\x1b[31mred":             `\x1b[31mred`,
		"bad\xff":                 `bad\xff`,
		"bell\a\u202e":            `bell\a\u202e`,
		"no-break\u00a0space":     `no-break\u00a0space`,
		long:                      strings.Repeat("a", 89) + "…" + strings.Repeat("a", 27) + "end",
		strings.Repeat("x", 120):  strings.Repeat("x", 120),
		strings.Repeat("\n", 500): strings.Repeat(`\n`, 89) + "…" + strings.Repeat(`\n`, 30),
	} {
		if got := Name(in); got != want {
			t.Errorf("Name(%.50q) = %q, want %q", in, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	if got := Names([]string{"a", "b\n"}); got != `a, b\n` {
		t.Errorf("%q", got)
	}
	if got := Names(nil); got != "" {
		t.Errorf("%q", got)
	}
	many := strings.Split(strings.Repeat("k ", 1000), " ")[:1000]
	if got, want := Names(many), strings.Repeat("k, ", MaxNames)+"and 984 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLine: a whole message is one line, whatever has come into it, and no shorter.
func TestLine(t *testing.T) {
	long := strings.Repeat("a", 1000)
	for in, want := range map[string]string{"": "", "a b": "a b", "one\ntwo\r\n": `one\ntwo\r\n`,
		"\x1b[2J": `\x1b[2J`, "größe\x00": `größe\x00`, "\xc3(": `\xc3(`, long: long, "\t": `\t`,
		`"q"`: `"q"`, `\n`: `\n`, "\"\n": `"\n`} {
		if got := Line(in); got != want {
			t.Errorf("Line(%.50q) = %q, want %q", in, got, want)
		}
	}
}

// TestNameBounds: names and lists up to the bounds are as they are, counted in characters.
func TestNameBounds(t *testing.T) {
	whole := strings.Repeat("ä", MaxName)
	if got := Name(whole); got != whole {
		t.Errorf("%d characters are %q", MaxName, got)
	}
	if got, want := Name("b"+whole), "b"+whole[:2*88]+"…"+whole[:2*30]; got != want {
		t.Errorf("one more is %q, want %q", got, want)
	}
	list := strings.Split(strings.Repeat("k ", MaxNames+1), " ")
	if got, want := Names(list[:MaxNames]), strings.Repeat("k, ", MaxNames-1)+"k"; got != want {
		t.Errorf("%d names are %q", MaxNames, got)
	}
	if got, want := Names(list[:MaxNames+1]), strings.Repeat("k, ", MaxNames)+"and 1 more"; got != want {
		t.Errorf("one more is %q", got)
	}
}

func FuzzName(f *testing.F) {
	f.Add("vecadd")
	f.Add("\x00\xff\n" + strings.Repeat("ä", 200))
	f.Fuzz(func(t *testing.T, s string) {
		got := Name(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\x1b\x00") || len(got) > 16*MaxName {
			t.Errorf("Name(%q) = %q", s, got)
		}
	})
}
