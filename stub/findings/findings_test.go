package findings

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"simtgdb/simt/check"
)

var example = Finding{Kind: "race", Message: "data race", Advice: "Order them.", Kernel: "sum", Lanes: "0x1",
	Place: Place{PC: "0x100", Function: "add", Folder: "/src/my kernels", File: "lib/add:1.h", Line: 7,
		Column: 3},
	Calls: []Place{{Function: "sum", Folder: "/src/my kernels", File: "sum.cl", Line: 20}},
	Others: []Party{{Does: "write", Place: Place{PC: "0x80", Function: "set", File: "lib/set.h", Line: 2}},
		{Lane: Lane{Wave: 3}}}}

// TestFormats: a list is written in both formats, with the fields that section 3 of SARIF demands.
func TestFormats(t *testing.T) {
	var l List
	for _, format := range []Format{JSON, SARIF} {
		var b strings.Builder
		if err := l.Write(&b, format); err != nil || !strings.Contains(b.String(), "[]") {
			t.Errorf("nothing found: %v\n%s", err, b.String())
		}
	}
	l.Add(example)
	fault := Finding{Kind: "fault", Message: "unmapped", Kernel: "sum", Place: Place{PC: "0x4"}}
	l.Add(fault)
	l.Add(fault)

	var b strings.Builder
	if err := l.Write(&b, JSON); err != nil {
		t.Fatal(err)
	}
	var plain struct {
		Version  int
		Findings []Finding
	}
	if err := json.Unmarshal([]byte(b.String()), &plain); err != nil || plain.Version != 1 ||
		len(plain.Findings) != 3 || plain.Findings[0].Place != example.Place ||
		plain.Findings[0].Others[0] != example.Others[0] {
		t.Errorf("%v, %+v", err, plain)
	}

	b.Reset()
	if err := l.Write(&b, SARIF); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if rules := run.Tool.Driver.Rules; len(rules) != 2 || rules[0].ID != "race" || rules[1].Short.Text == "" {
		t.Errorf("rules %+v", rules)
	}
	race, second := run.Results[0], run.Results[2]
	if second.RuleIndex != 1 || second.Locations[0].Physical != nil ||
		second.Locations[0].Logical[0].Name != "sum" {
		t.Errorf("a fault without lines: %+v", second)
	}
	if at := race.Locations[0].Physical; at.Artifact.URI != "file:///src/my%20kernels/lib/add:1.h" ||
		at.Region.StartLine != 7 || at.Region.StartColumn != 3 || race.Locations[0].Logical[0].Name != "add" {
		t.Errorf("%+v", at)
	}
	if len(race.Related) != 1 || race.Related[0].Message.Text != "write" ||
		race.Related[0].Physical.Artifact.URI != "lib/set.h" {
		t.Errorf("related %+v", race.Related)
	}
	if s := race.Stacks; len(s) != 1 || len(s[0].Frames) != 2 ||
		race.Message.Text != "data race. Order them." {
		t.Errorf("stacks %+v, %q", s, race.Message.Text)
	}
	if got := uri("a:b/c d.cl"); got != "a%3Ab/c%20d.cl" {
		t.Errorf("relative: %s", got)
	}
}

// TestRuleTexts: each kind of defect that may be looked for has words in SARIF's list of rules.
func TestRuleTexts(t *testing.T) {
	for name := range strings.SplitSeq(check.KindNames, ", ") {
		if k, err := check.ParseKinds(name); err != nil || ruleTexts[name] == "" &&
			k&^(check.Strict|check.Portable) != check.Race && k != check.All && k != 0 {
			t.Errorf("%s: no text (%v)", name, err)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]Format{"a.json": JSON, "b/c.sarif": SARIF, "x": -1, "x.txt": -1} {
		got, err := FormatOf(name)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func known(kind string) bool { return kind == "race" || kind == "bounds" }

// TestSuppressions: what a finding's place, a call that led there or another party matches is not told.
func TestSuppressions(t *testing.T) {
	for text, want := range map[string]bool{
		"":                          false,
		"# race *":                  false,
		"race *":                    true,
		"* sum.cl # the caller":     true,
		"bounds *":                  false,
		"race add:1.h":              true,
		"race lib/add*":             true,
		"race /src/*/lib/add:1.h":   true,
		"race add.h":                false,
		"race * set":                true,
		"race sum.cl add":           false,
		"\n\nrace x\nrace * a[ad]d": true,
	} {
		var s Suppressions
		if err := s.Read(strings.NewReader(text), "f", known); err != nil {
			t.Fatal(err)
		}
		one := example
		if got := s.Covers(&one); got != want || (len(s.Used()) == 1) != want {
			t.Errorf("%q: %v, %q", text, got, s.Used())
		}
	}
	for text, want := range map[string]string{
		"race":                             "f:1: 1 words",
		"race a b c":                       "f:1: 4 words",
		"#\nrice *":                        "f:2: rice is no kind of check",
		"race [":                           "f:1: [ is no pattern",
		strings.Repeat("race *\n", most+1): "f:10001: more than 10000",
	} {
		var s Suppressions
		if err := s.Read(strings.NewReader(text), "f", known); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

// FuzzSuppressions: no text is a panic, and what is read is asked without one.
func FuzzSuppressions(f *testing.F) {
	f.Add("race *.cl sum_* # yes")
	f.Add("* a\\b [a-z]")
	f.Fuzz(func(t *testing.T, text string) {
		var s Suppressions
		if s.Read(strings.NewReader(text), "f", known) == nil {
			one := example
			s.Covers(&one)
		}
	})
}

// TestWhere: a defect in code without a line is shown at the first call that has one, in the function that is
// there; one without any is in its function, or else in the kernel.
func TestWhere(t *testing.T) {
	var l List
	l.Add(Finding{Kind: "race", Kernel: "k", Place: Place{Function: "inner", File: "x.h"},
		Calls: []Place{{Function: "mid"},
			{Function: "outer", File: "k.cl", Line: 20}, {Function: "k", File: "k.cl", Line: 30}},
		Others: []Party{{Place: Place{Function: "set", File: "y.h", Line: 3}}}})
	l.Add(Finding{Kind: "race", Kernel: "k", Place: Place{File: "x.h", Line: 2},
		Calls: []Place{{File: "k.cl", Line: 20}}})
	l.Add(Finding{Kind: "race", Kernel: "k", Place: Place{Function: "f"}})
	l.Add(Finding{Kind: "race", Kernel: "k", Place: Place{Line: 7}})
	var b strings.Builder
	if err := l.Write(&b, SARIF); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"outer k.cl:20", "k x.h:2", "f", "k"} {
		r := log.Runs[0].Results[i]
		got := r.Locations[0].Logical[0].Name
		if at := r.Locations[0].Physical; at != nil {
			got += fmt.Sprintf(" %s:%d", at.Artifact.URI, at.Region.StartLine)
		}
		if got != want || r.RuleIndex != 0 || r.Level != "error" {
			t.Errorf("%d: %s, want %s; %+v", i, got, want, r)
		}
	}
	first := log.Runs[0].Results[0]
	if len(first.Related) != 1 || first.Related[0].Message.Text != "elsewhere" ||
		first.Related[0].Logical[0].Name != "set" {
		t.Errorf("related %+v", first.Related)
	}
	if f := first.Stacks[0].Frames; len(f) != 4 || f[0].Location.Logical[0].Name != "inner" ||
		f[0].Location.Physical != nil || f[3].Location.Physical.Region.StartLine != 30 {
		t.Errorf("frames %+v", f)
	}
	if d := log.Runs[0].Tool.Driver; len(d.Rules) != 1 || d.Name != "simtgdb" || log.Version != "2.1.0" {
		t.Errorf("%+v", log)
	}
}

// TestMostKept: a list has so many findings, and says how many more there were.
func TestMostKept(t *testing.T) {
	for more, want := range map[int]string{0: "}\n", 2: "\"left_off\": 2\n}\n"} {
		var l List
		for range mostKept + more {
			l.Add(Finding{})
		}
		var b strings.Builder
		if err := l.Write(&b, JSON); err != nil || !strings.HasSuffix(b.String(), want) ||
			strings.Contains(b.String(), "left_off") != (more > 0) || len(l.all) != mostKept {
			t.Errorf("%d more: %v, %d kept", more, err, len(l.all))
		}
	}
}

// TestPaths: files are relative to the folder of the compilation where both are known.
func TestPaths(t *testing.T) {
	for _, c := range []struct {
		p    Place
		want string
	}{{Place{Folder: "/src", File: "a/b.cl"}, "/src/a/b.cl"}, {Place{Folder: "/src", File: "/b.cl"}, "/b.cl"},
		{Place{Folder: "src", File: "b.cl"}, "b.cl"}, {Place{File: "b.cl"}, "b.cl"}, {Place{Folder: "/src"},
			""}} {
		if got := c.p.at(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.p, got, c.want)
		}
	}
}
