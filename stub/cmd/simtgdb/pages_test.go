package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSessionPage: the page of a session shows lanes beside the source while gdb stands, and asks browsers to
// look again; in the end it has what the launch costs, and asks no more.
func TestSessionPage(t *testing.T) {
	folder := t.TempDir()
	file, during := filepath.Join(folder, "page.html"), filepath.Join(folder, "during.html")
	r := simtgdb(t, "gdb", "--html", file, "--demo", "--", "-nx", "-batch", "-ex", "break weigh", "-ex",
		"continue", "-ex", "next", "-ex", "next", "-ex", "shell cp "+file+" "+during, "-ex", "reverse-next",
		"-ex", "kill")
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatalf("%v: %+v", err, r)
		}
		return string(b)
	}
	page, last := read(during), read(file)
	if !strings.Contains(page, `http-equiv="refresh"`) || strings.Contains(last, `http-equiv="refresh"`) {
		t.Error("a page is looked at again while its session goes on")
	}
	here :=
		regexp.MustCompile(`> 22</td><td class="num">9</td><td class="text"> *total &#43;= value \* k;</td>`)
	if !here.MatchString(page) {
		t.Errorf("22 lanes stand at line 9, not in\n%.3000s", page)
	}
	if before := regexp.MustCompile(`> 22</td><td class="num">8</td>`); !before.MatchString(last) {
		t.Errorf("one step back they stood at line 8, not in\n%.3000s", last)
	}
	for _, want := range []string{"from beginning to end", "Hottest lines", "timeline of waves"} {
		if !strings.Contains(last, want) {
			t.Errorf("no %q", want)
		}
	}
	if r := simtgdb(t, "serve", "--stdio", "--html", filepath.Join(folder, "none", "page.html"),
		"--demo"); r.status != statusInput || !strings.Contains(r.err, "no folder") {
		t.Errorf("%+v", r)
	}
}

// TestSessionPageNonStop: in non-stop mode the page is written, too, when a lane stops while others run.
func TestSessionPageNonStop(t *testing.T) {
	folder := t.TempDir()
	file, during := filepath.Join(folder, "page.html"), filepath.Join(folder, "during.html")
	r := simtgdb(t, "gdb", "--html", file, "--demo", "--", "-nx", "-batch", "-iex", "set non-stop on", "-ex",
		"tbreak weigh if $lane == 3", "-ex", "continue -a", "-ex", "shell cp "+file+" "+during, "-ex", "kill")
	page, err := os.ReadFile(during)
	if err != nil || !strings.Contains(r.out, "weigh (value=") {
		t.Fatalf("%v: %+v", err, r)
	}
	looks := regexp.MustCompile(`gdb looks at thread (\d+), wave \d+ lane `).FindStringSubmatch(string(page))
	hit := regexp.MustCompile(`Thread (\d+) "wave \d+ lane 3" hit`).FindStringSubmatch(r.out)
	if looks == nil || hit == nil || looks[1] != hit[1] {
		t.Errorf("the page looks at %q, gdb at %q: %s", looks, hit, r.out)
	}
}
