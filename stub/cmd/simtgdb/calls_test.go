package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReportsNameCalls: faults and defects in functions name those who called them, and what is inlined, on
// every machine; and lanes that are not at a barrier stand where they left the others.
func TestReportsNameCalls(t *testing.T) {
	source, err := os.ReadFile(checkObjects + "src/calls.cl")
	if err != nil {
		t.Fatal(err)
	}
	at := func(mark string) string { // the line that has it
		for i, line := range strings.Split(string(source), "\n") {
			if strings.HasSuffix(line, mark) {
				return fmt.Sprintf(`\([^ ]*calls\.cl:%d\)`, i+1)
			}
		}
		t.Fatalf("no line is marked %q", mark)
		return ""
	}
	lines := func(parts ...string) *regexp.Regexp {
		return regexp.MustCompile(strings.Join(parts, `\n(?:.*\n)*? +`))
	}
	fault := lines(`pc +0x[0-9a-f]+ in leaf\+.* `+at("// far_fault")+
		`\n +called from  0x[0-9a-f]+ in \w+\+0x\w+ `+at("p, i) + 1;                   // far_fault by"),
		`(inlined      into|called from  0x[0-9a-f]+ in) outer\+?\w* `+at("// far_fault inlined")+
			`\n +called from  0x[0-9a-f]+ in far_fault\+\w+ `+
			at("outer(in, i + 1);               // far_fault by"))
	some := lines(`pc +0x[0-9a-f]+ in meet\+.* `+at("// some_barrier")+
		`\n +called from  0x[0-9a-f]+ in some_barrier\+\w+ `+at("// some_barrier by"),
		`elsewhere +lane 5 of wave 0, .*: 0x[0-9a-f]+ in some_barrier\+0x\w+ `)
	buffers := []string{"--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=zero", "--grid", "128",
		"--block", "128"}
	for _, object := range []string{"O0.co", "O2.co", "O0.ptx", "O0.spv", "O2.spv", "KERNEL.O0.zebin"} {
		for kernel, want := range map[string]*regexp.Regexp{"far_fault": fault, "some_barrier": some} {
			file := filepath.Join(checkObjects, "calls."+strings.Replace(object, "KERNEL", kernel, 1))
			r := simtgdb(t, append([]string{"run", "--check=barrier", file, "--kernel", kernel},
				buffers...)...)
			if r.status != statusFault || !want.MatchString(r.err) {
				t.Errorf("%s: status %d, want\n%v\ngot\n%s", file, r.status, want, r.err)
			}
			if kernel == "some_barrier" && strings.HasSuffix(object, ".co") &&
				!regexp.MustCompile(`elsewhere +lane 5 .* `+at("// some_barrier elsewhere")).MatchString(
					r.err) {
				t.Errorf("%s: lane 5 is elsewhere than where it left the others:\n%s", file, r.err)
			}
			if kernel == "far_fault" { // without the record that checkers have made
				r := simtgdb(t, append([]string{"run", file, "--kernel", kernel}, buffers...)...)
				if !want.MatchString(r.err) {
					t.Errorf("%s, unchecked: want\n%v\ngot\n%s", file, want, r.err)
				}
			}
		}
	}
}

// TestRacesNameCalls: both parties of a race have the calls that they were in, also the one that has gone on
// since. Where the first waves are called, and where the second of gfx9, says the source; elsewhere both are
// the first.
func TestRacesNameCalls(t *testing.T) {
	source, err := os.ReadFile(checkObjects + "src/calls.cl")
	if err != nil {
		t.Fatal(err)
	}
	line := func(mark string) string {
		before, _, _ := strings.Cut(string(source), mark)
		return fmt.Sprintf(`calls\.cl:%d\)`, strings.Count(before, "\n")+1)
	}
	at, first, others := line("// called_race\n"), line("// called_race by the first"),
		line("// called_race by the others")
	for object, now := range map[string]string{"O0.co": others, "O0.ptx": first, "O0.spv": first,
		"called_race.O0.zebin": first} {
		want := regexp.MustCompile(`pc +0x\w+ in shift\+\w+ \(.*` + at +
			`\n +called from  0x\w+ in called_race\+\w+ \(.*` + now +
			`\n(.*\n)*? +with +write by .* in shift\+\w+ \(.*` + at +
			`\n +called from  0x\w+ in called_race\+\w+ \(.*` +
			first + `\n`)
		r := simtgdb(t, "run", "--check=race", checkObjects+"calls."+object, "--kernel", "called_race",
			"--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=zero", "--grid", "128", "--block", "128")
		if r.status != statusFault || !want.MatchString(r.err) {
			t.Errorf("%s: status %d, want\n%v\ngot\n%s", object, r.status, want, r.err)
		}
	}
}

// TestProfileHasLines: what compilers give no line is a part of the line before it, as gdb shows it.
func TestProfileHasLines(t *testing.T) {
	r := simtgdb(t, "profile", "--json", "-", checkObjects+"defects.O0.co", "--kernel", "count_ok",
		"--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=zero", "--grid", "512", "--block", "128")
	if r.status != 0 || !strings.Contains(r.out, `"line"`) {
		t.Fatalf("status %d:\n%s%s", r.status, r.out, r.err)
	}
	if n := strings.Count(r.out, `"line": 0`) + strings.Count(r.out, `"line":0`); n > 0 {
		t.Errorf("%d instructions without a line", n)
	}
}
