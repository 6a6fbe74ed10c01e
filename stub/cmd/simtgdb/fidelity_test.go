package main

import (
	"cmp"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"simtgdb/testdata/sweep"
)

// A destiny is what the source of a kernel says of inexact results, and what a report says: the lines where
// they come from, and which addresses and branches they reach. Data is whether any are left in memory.
type destiny struct {
	Source, Address, Branch []int
	Data                    bool
}

func (d *destiny) add(what string, line int) {
	var list *[]int
	switch what {
	case "source", "at":
		list = &d.Source
	case "address":
		list = &d.Address
	case "branch", "lanes":
		list = &d.Branch
	case "data":
		d.Data = true
		return
	}
	*list = append(*list, line)
	slices.Sort(*list)
	*list = slices.Compact(*list)
}

// destinies reads the kernels and the marks of testdata/fidelity/src/inexact.cl, for programs of a kind.
func destinies(t *testing.T, kind string) map[string]*destiny {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/fidelity/src/inexact.cl")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*destiny{}
	kernel, mark := regexp.MustCompile(`^KERNEL (\w+)`),
		regexp.MustCompile(`(\w+)_(source|address|branch|data)(?: (co|ptx|spv|zebin))?\b`)
	for i, line := range strings.Split(string(text), "\n") {
		if k := kernel.FindStringSubmatch(line); k != nil {
			all[k[1]] = &destiny{}
			continue
		}
		_, comment, _ := strings.Cut(line, "// ; ")
		for _, m := range mark.FindAllStringSubmatch(comment, -1) {
			if m[3] == "" || m[3] == kind {
				all[m[1]].add(m[2], i+1)
			}
		}
	}
	if kind == "zebin" { // which say no lines where a file has several kernels
		for _, d := range all {
			for _, list := range []*[]int{&d.Source, &d.Address, &d.Branch} {
				if len(*list) > 0 {
					*list = []int{-1}
				}
			}
		}
	}
	if len(all) < 12 {
		t.Fatalf("only %d kernels", len(all))
	}
	return all
}

// followed are the programs of testdata/fidelity, of every machine.
var followed = []string{"O0.co", "O2.co", "gfx1030.O2.co", "gfx1100.O2.co", "gfx1200.O2.co", "gfx1250.O2.co",
	"O0.ptx", "O2.ptx", "O0.spv", "O2.spv", "O0.zebin", "O2.zebin", "tgllp.O2.zebin", "dg2.O2.zebin"}

func inexactLaunch(kernel, object string) []string {
	return []string{"run", "../../../testdata/fidelity/" + object, "--kernel", kernel, "--grid", "128",
		"--block", "64",
		"--arg", "buf:i32[128]=zero", "--arg", "buf:f32[128]=iota", "--arg", "buf:i32[64]=iota", "--fidelity"}
}

// TestFidelity: inexact results are reported where the source says that they come to, and nowhere else, and
// the kernel computes what it computes without --fidelity. Each kernel is run in a third of the programs, the
// next in others, but where tests sweep.
func TestFidelity(t *testing.T) {
	field :=
		regexp.MustCompile(`^  (at|address|branch|lanes|data)  .*?(?:\((?:\S*/)?inexact\.cl:(\d+)\).*)?$`)
	tried := turns(sweep.All())
	for _, suffix := range followed {
		object := "inexact." + suffix
		kind := suffix[strings.LastIndexByte(suffix, '.')+1:]
		for kernel, want := range inOrderOfNames(destinies(t, kind)) {
			if !tried(3) {
				continue
			}
			t.Run(kernel+"/"+object, func(t *testing.T) {
				t.Parallel()
				folder := t.TempDir()
				plain := inexactLaunch(kernel, object)
				plain = append(plain[:len(plain)-1], "--out", "0="+folder+"/plain", "--out",
					"2="+folder+"/table")
				if r := simtgdb(t, plain...); r.status != statusDone || r.err != "" || r.out != "" {
					t.Fatalf("without --fidelity: %+v", r)
				}
				r := simtgdb(t, append(inexactLaunch(kernel, object), "--expect", "0="+folder+"/plain",
					"--expect", "2="+folder+"/table")...)
				if r.status != statusDone || r.err != "" ||
					strings.Count(r.out, "elements are as expected") != 2 {
					t.Fatalf("%+v", r)
				}
				got := &destiny{}
				for line := range strings.Lines(r.out) {
					m := field.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
					if m == nil || strings.HasSuffix(line, "none that is left\n") {
						continue
					}
					number, _ := strconv.Atoi(cmp.Or(m[2], "-1"))
					got.add(m[1], number)
				}
				if d := gocmp.Diff(want, got); d != "" {
					t.Errorf("-want +got:\n%s%s", d, r.out)
				}
			})
		}
	}
}

// TestFidelityText holds the whole report of a kernel, which is the same however often it is made.
func TestFidelityText(t *testing.T) {
	const want = `fidelity: inexact instructions at 1 place, executed 2 times by waves, 128 by lanes
v_exp_f32_e32 v2, v2
  at        PLACE (inexact.cl:15)
  how far   within 1 ulp of the real value, as hardware is
  executed  2 times by waves, 128 by lanes
  address   global_load_dword v3, v2, s[8:9] at PLACE (inexact.cl:16): 128 times by lanes
  data      512 of 512 bytes of argument 0 (out)
`
	place := regexp.MustCompile(`0x[0-9a-f]+ in indexed\+0x[0-9a-f]+`)
	for range 3 {
		r := simtgdb(t, inexactLaunch("indexed", "inexact.O2.co")...)
		if got := place.ReplaceAllString(r.out, "PLACE"); got != want || r.status != statusDone ||
			r.err != "" {
			t.Errorf("status %d, %s\n%s", r.status, r.err, gocmp.Diff(want, got))
		}
	}
	r := simtgdb(t, inexactLaunch("exact", "inexact.O2.co")...)
	if !strings.HasPrefix(r.out, "fidelity: no inexact instruction was executed") || r.status != statusDone {
		t.Errorf("%+v", r)
	}
}
