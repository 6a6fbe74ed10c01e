package main

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simtgdb/testdata/sweep"
)

// checkObjects is where the kernels with defects are.
const checkObjects = "../../../testdata/check/"

// defectObjects are the programs with defects, and whether their debugging information has lines:
// IGC writes it only for programs with one kernel.
var defectObjects = map[string]bool{"co": true, "gfx1100.co": true, "ptx": true, "spv": true, "zebin": false,
	"xe-hpg.zebin": false}

// machinesOf are the machines that a source is compiled for, where it is not all: only SPIR-V says all orders
// and scopes of OpenCL, and has its asynchronous copies; lanes of the others go in step.
var machinesOf = map[string][]string{"marks": {"co"}, "halves": {"co", "gfx1100.co"},
	"branches": {"ptx", "spv"}, "scopes": {"spv"}, "copies": {"spv"}}

// A marked is what the source of a kernel with a defect says: the lines where it is reported, and
// of the others.
type marked struct{ at, other []int }

// defects reads the kernels and the marks of a source in testdata/check/src.
func defects(t *testing.T, source string) map[string]*marked {
	t.Helper()
	text, err := os.ReadFile(checkObjects + "src/" + source)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*marked{}
	of := func(name string) *marked {
		if all[name] == nil {
			all[name] = &marked{}
		}
		return all[name]
	}
	kernel := regexp.MustCompile(`^(?:__kernel void|\tkernel|\.visible \.entry) (\w+)`)
	mark := regexp.MustCompile(`(\w+_(?:race|uninit|barrier|wait|bounds|undefined|nan))( other)?\b`)
	for i, line := range strings.Split(string(text), "\n") {
		if k := kernel.FindStringSubmatch(line); k != nil {
			of(k[1])
		}
		_, comment, _ := strings.Cut(strings.Replace(line, "//", ";;", 1), "; ")
		for _, m := range mark.FindAllStringSubmatch(comment, -1) {
			if m[2] != "" {
				of(m[1]).other = append(of(m[1]).other, i+1)
			} else {
				of(m[1]).at = append(of(m[1]).at, i+1)
			}
		}
	}
	if len(all) < 3 {
		t.Fatalf("%s: only %d kernels", source, len(all))
	}
	return all
}

var (
	reported  = regexp.MustCompile(`check (\w+): (.*)\n((?:  .*\n)*)`)
	lineOfPC  = regexp.MustCompile(`  pc .*\.(?:cl|s|comp):(\d+)\)`)
	lineOther = regexp.MustCompile(`  (?:with|elsewhere|from) .*\.(?:cl|s):(\d+)\)`)
)

// TestDefects: what has a defect is reported, on all machines, and what only looks like it is not. Of a
// kernel that is there for many machines some objects are run, those of the next kernel for other machines,
// unless all are for the table of what is found.
func TestDefects(t *testing.T) {
	all := sweep.All() || *updateDocs
	var corpus corpus
	t.Cleanup(func() {
		if all {
			corpus.compare(t)
		}
	})
	tried, kernels := turns(all), 0
	testDefect := func(t *testing.T, kernel string, want *marked, lines bool, object string) {
		t.Helper()
		kinds, _, _ := strings.Cut(object, ".")
		if kinds = kindsOf[kinds]; kinds == "" {
			kinds = "all"
		}
		corpus.count(kernel, kinds, object, testDefect(t, kinds, kernel, want, lines, object))
	}
	for _, source := range []string{"registers", "scalars"} {
		for kernel, want := range defects(t, source+".s") {
			t.Run(kernel, func(t *testing.T) {
				t.Parallel()
				testDefect(t, kernel, want, true, source+".co")
			})
		}
	}
	for _, source := range []string{"barriers", "scopes", "copies"} {
		for kernel, want := range defects(t, source+".ptx") {
			t.Run(kernel, func(t *testing.T) {
				t.Parallel()
				testDefect(t, kernel, want, false, "src/"+source+".ptx")
			})
		}
	}
	for kernel, want := range inOrderOfNames(defects(t, "exchange.cl")) {
		for _, processor := range []string{"gfx942", "gfx950", "gfx1030", "gfx1200", "gfx90a-mtgsplit",
			"gfx1100-mcumode"} {
			for _, level := range opts {
				if !tried(7) {
					continue
				}
				t.Run(kernel+"/"+processor+"/"+level, func(t *testing.T) {
					t.Parallel()
					testDefect(t, kernel, want, true, fmt.Sprintf("exchange.%s.%s.co", processor, level))
				})
			}
		}
	}
	for kernel, want := range defects(t, "undef.cl") {
		for _, kind := range []string{"ptx", "zebin"} {
			t.Run(kernel+"/"+kind, func(t *testing.T) {
				t.Parallel()
				testDefect(t, kernel, want, defectObjects[kind], "undef.O2."+kind)
			})
		}
	}
	for _, source := range []string{"defects", "arrays", "rows", "members", "values", "held", "orders",
		"exchange", "parts", "masked", "merged", "halves", "scopes", "copies", "branches", "marks", "more",
		"mixed", "lanes", "finite", "calls"} {
		for kernel, want := range inOrderOfNames(defects(t, source+".cl")) {
			kernels++
			for kind, lines := range inOrderOfNames(defectObjects) {
				if only := machinesOf[source]; only != nil && !slices.Contains(only, kind) ||
					strings.HasSuffix(kernel, "_fault") {
					continue
				}
				if source == "lanes" && strings.HasSuffix(kernel, "_ok") && !lanesMeet[kind] {
					continue // what a barrier before the defect orders comes first where nothing tells of it
				}
				for i, level := range opts {
					object, lines, ok := objectOf(source, kernel, level, kind, lines)
					if only := machinesOf[source]; only == nil {
						ok = ok && tried(11)
					} else { // at one level for each machine, with the next kernel at the other
						ok = ok && (all || (kernels+slices.Index(only, kind)+i)%2 == 0)
					}
					if !ok {
						continue
					}
					t.Run(fmt.Sprintf("%s/%s/%s/%s", source, kernel, kind, level), func(t *testing.T) {
						t.Parallel()
						testDefect(t, kernel, want, lines, object)
					})
				}
			}
		}
	}
}

// turns gives a function that reports whether it is asked for an nth time, or always, where all are tried.
// With an n that does not divide how many objects a kernel has, each machine has its turn.
func turns(all bool) func(n int) bool {
	asked := 0
	return func(n int) bool {
		asked++
		return all || asked%n == 0
	}
}

// inOrderOfNames goes through a map in the order of its keys.
func inOrderOfNames[V any](of map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if !yield(name, of[name]) {
				return
			}
		}
	}
}

// kindsOf are the kinds that are looked for in a source's kernels, where they are not all.
var kindsOf = map[string]string{"lanes": "race-strict", "branches": "race", "finite": "nan"}

// lanesMeet are the machines whose code has barriers of a wave.
var lanesMeet = map[string]bool{"ptx": true, "spv": true}

// objectOf is the object of a kernel, and whether its debugging information has lines: one with it alone
// where there is one; false if there is none.
func objectOf(source, kernel, level, kind string, lines bool) (object string, has, ok bool) {
	object = fmt.Sprintf("%s.%s.%s.%s", source, kernel, level, kind)
	if _, err := os.Stat(checkObjects + object); err == nil {
		return object, kernel != "table_bounds" && kernel != "entry_bounds", true
	}
	object = fmt.Sprintf("%s.%s.%s", source, level, kind)
	_, err := os.Stat(checkObjects + object)
	switch {
	case kind == "xe-hpg.zebin" && strings.HasPrefix(kernel, "wide_"):
		return object, false, false // it has no doubles
	case kind == "xe-hpg.zebin" && strings.HasPrefix(kernel, "spill_") && level == "O0":
		return object, false, false // IGC calls a function for 8 lanes from code for 16
	case kind == "gfx1100.co" && kernel == "late_race" && level == "O2":
		lines = false // a clause has the line of its first store
	}
	return object, lines && source != "lanes" || lines && lanesMeet[kind], err == nil
}

// TestUndefinedPhi: what a phi has of OpUndef is reported where it decides, and not where it is only moved.
func TestUndefinedPhi(t *testing.T) {
	for _, kernel := range []string{"phi_uninit", "phi_ok"} {
		r := simtgdb(t, "run", "--check=all", "--source", checkObjects+"src",
			"--launch", checkObjects+"src/phi.json",
			"--code-object", checkObjects+"phi."+kernel+".spv")
		judgeDefect(t, r, kernel, &marked{at: []int{18}}, true)
	}
}

// TestLanesOfWave: lanes of a wave that execute together go in step for race; all says so, once, where
// nothing is left of a wave's barriers in the code, as of gfx9 and Gen9. For race-strict they race, which
// TestDefects shows.
func TestLanesOfWave(t *testing.T) {
	for kernel := range defects(t, "lanes.cl") {
		for kind := range defectObjects {
			for _, level := range sweep.Some(2, opts...) {
				t.Run(fmt.Sprintf("%s/%s/%s", kernel, kind, level), func(t *testing.T) {
					t.Parallel()
					object := fmt.Sprintf("lanes.%s.%s", level, kind)
					if r := runDefect(t, "race", kernel, object, "8"); r.status != statusDone || r.err != "" {
						t.Errorf("race: status %d\n%s", r.status, r.err)
					}
					r := runDefect(t, "all", kernel, object, "8")
					if n := strings.Count(r.err, "they are taken to go in step"); n != 1 && !lanesMeet[kind] {
						t.Errorf("all says %d times that lanes are taken to go in step\n%s", n, r.err)
					}
				})
			}
		}
	}
}

// TestPortable: judged as if waves had one lane, lanes of a wave race on every machine unless a barrier of
// the workgroup lies between, and nothing else is reported of what is right. Each kernel is run by one
// machine or two, the next by others, but where tests sweep.
func TestPortable(t *testing.T) {
	tried := turns(sweep.All())
	for _, c := range []struct{ source, block string }{{"lanes", "8"}, {"defects", "128"},
		{"exchange", "128"}} {
		for kernel, want := range inOrderOfNames(defects(t, c.source+".cl")) {
			if _, kind, _ := strings.Cut(kernel, "_"); kind != "race" &&
				(kind != "ok" || c.source == "lanes") {
				continue // barriers of a wave order nothing for it
			}
			for kind, lines := range inOrderOfNames(defectObjects) {
				if !tried(5) {
					continue
				}
				t.Run(kernel+"/"+kind, func(t *testing.T) {
					t.Parallel()
					object := c.source + ".O0." + kind
					judgeDefect(t, runDefect(t, "portable", kernel, object, c.block), kernel, want, lines)
				})
			}
		}
	}
}

// runDefect runs a kernel of testdata/check with checkers.
func runDefect(t *testing.T, kinds, kernel, object, block string) result {
	t.Helper()
	init := "zero"
	if strings.HasPrefix(kernel, "output") {
		init = "none"
	}
	r := simtgdb(t, "run", "--check="+kinds, "--source", checkObjects+"src",
		checkObjects+object, "--kernel", kernel,
		"--grid", gridOf(kernel, block), "--block", block,
		"--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]="+init)
	r.err = strings.NewReplacer(unknownBounds("arrays that the source names"), "",
		unknownBounds("members and rows of arrays"), "").Replace(r.err)
	return r
}

// gridOf is how many work-items run a kernel in workgroups of some size: as many as the buffers have elements
// where tests sweep, and where those of the first groups do not meet each other, but of the ones behind.
func gridOf(kernel, block string) string {
	switch name, _, _ := strings.Cut(kernel, "_"); {
	case sweep.All() || slices.Contains([]string{"wide", "reset", "mixed"}, name):
		return "512"
	case block == "8":
		return "64"
	}
	return "256"
}

// unknownBounds is what is said of a kernel of which nothing says what source it is of.
func unknownBounds(what string) string {
	return "simtgdb run: check: bounds of " + what + " are not looked at, for the kernel " +
		"has no debugging information: compilers write it with -g\n"
}

// testDefect holds what is reported of a kernel, where some kinds are looked for, against its marks. It
// reports whether a defect of the kind that its name has, or any in one that is right, was found.
func testDefect(t *testing.T, kinds, kernel string, want *marked, lines bool, object string) (found bool) {
	t.Helper()
	block := "128"
	if strings.HasPrefix(object, "lanes.") {
		block = "8"
	}
	r := runDefect(t, kinds, kernel, object, block)
	_, kind, _ := strings.Cut(kernel, "_")
	found = strings.Contains(r.err, "check "+kind+": ") || kind == "ok" && r.status != statusDone
	if takenAway.of(kernel, object) != nil {
		if r.status != statusDone {
			t.Errorf("status %d: it is said to be without a defect\n%s", r.status, r.err)
		}
		return found
	}
	if missed.of(kernel, object) != nil {
		if found {
			t.Errorf("it is seen now\n%s", r.err)
		}
		return found
	}
	judgeDefect(t, r, kernel, want, lines)
	return found
}

// TestDefectStatus: the exit statuses of a checked run are the numbers that scripts are told of.
func TestDefectStatus(t *testing.T) {
	for kernel, want := range map[string]int{"tile_ok": 0, "tile_race": 3} {
		if r := runDefect(t, "race", kernel, "defects.O0.co", "128"); r.status != want {
			t.Errorf("%s: status %d, want %d\n%s", kernel, r.status, want, r.err)
		}
	}
}

// judgeDefect holds reports against what a kernel's name and marks say.
func judgeDefect(t *testing.T, r result, kernel string, want *marked, lines bool) {
	t.Helper()
	_, kind, _ := strings.Cut(kernel, "_")
	if kind == "ok" {
		if r.status != statusDone || r.err != "" {
			t.Errorf("status %d\n%s", r.status, r.err)
		}
		return
	}
	if r.status != statusFault {
		t.Errorf("status %d\n%s", r.status, r.err)
	}
	at, found := false, false
	for _, m := range reported.FindAllStringSubmatch(r.err, -1) {
		if m[1] != kind {
			continue
		}
		found = true
		here := !lines || slices.Contains(want.at, lineIn(lineOfPC, m[3])) ||
			slices.Contains(want.other, lineIn(lineOfPC, m[3]))
		with := !lines || len(want.other) == 0 || slices.Contains(want.other, lineIn(lineOther, m[3])) ||
			slices.Contains(want.at, lineIn(lineOther, m[3]))
		at = at || here && with
	}
	switch {
	case !found:
		t.Errorf("no report of kind %s:\n%s", kind, r.err)
	case !at:
		t.Errorf("no report at lines %v with %v:\n%s", want.at, want.other, r.err)
	}
}

// lineIn is the line that a report names; 0 if it names none.
func lineIn(r *regexp.Regexp, report string) (n int) {
	if m := r.FindStringSubmatch(report); m != nil {
		fmt.Sscan(m[1], &n)
	}
	return n
}

// A swept is one correct program: a launch file, and the object in the place of its own.
type swept struct{ launch, object string }

// sweeps are the correct programs of testdata, at every level and for every machine, but for those
// of Gen9, which TestKernels of stub/arch/intelgt checks.
func sweeps(t *testing.T) []swept {
	t.Helper()
	const data = "../../../testdata/"
	var all []swept
	glob := func(pattern string) []string {
		found, err := filepath.Glob(data + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		return found
	}
	for _, folder := range []string{"launch", "asm", "igc/debug", "pal/launch", "printf/launch",
		"spirv/launch"} {
		for _, file := range glob(folder + "/*.json") {
			all = append(all, swept{launch: file})
		}
	}
	for _, pattern := range []string{"co/*.co", "ptx/co/*.ptx", "spirv/*.spv"} {
		folder := data + "launch/"
		if strings.HasPrefix(pattern, "spirv") {
			folder = data + "spirv/launch/"
		}
		for _, object := range glob(pattern) {
			name, _, _ := strings.Cut(filepath.Base(object), ".")
			if _, err := os.Stat(folder + name + ".json"); err == nil {
				all = append(all, swept{folder + name + ".json", object})
			}
		}
	}
	return all
}

// sourceFolders are where the sources of the programs of testdata are.
var sourceFolders = []string{"src", "debug", "ptx/src", "igc/debug/src", "igc/src", "pal/src", "printf/src",
	"spirv/src"}

// notSwept are a program that ends with a fault, one that reads texels outside of its image, for which
// Vulkan promises nothing, one whose lane 3 writes to the list that lanes after it read, which race, and a
// launch that PTX cannot have: its workgroups are whole.
var notSwept = regexp.MustCompile(`/(fails\.json|(sobel|nodes)\.(json|\w+\.spv)|saxpy\.\w+\.ptx)$`)

// TestNothingFound: no correct program of testdata gets a report.
func TestNothingFound(t *testing.T) {
	programs := sweeps(t)
	var sources []string
	for _, folder := range sourceFolders {
		sources = append(sources, "--source", "../../../testdata/"+folder)
	}
	if len(programs) < 200 {
		t.Fatalf("only %d programs", len(programs))
	}
	for _, s := range sweep.Some(7, programs...) {
		args, name := append([]string{"run", "--check=all", "--launch", s.launch}, sources...), s.launch
		if s.object != "" {
			args, name = append(args, "--code-object", s.object), s.object
		}
		if notSwept.MatchString(name) {
			continue
		}
		t.Run(strings.TrimPrefix(name, "../../../testdata/"), func(t *testing.T) {
			t.Parallel()
			if r := simtgdb(t, args...); r.status != statusDone || strings.Contains(r.err, "check ") {
				t.Errorf("status %d\n%s", r.status, r.err)
			}
		})
	}
}

// TestBoundsUnknown: where the text of the source is not found that is said once, with what helps.
func TestBoundsUnknown(t *testing.T) {
	args := []string{"run", checkObjects + "arrays.O0.co", "--kernel", "before_ok", "--grid", "128",
		"--block", "128",
		"--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=zero"}
	want := "simtgdb run: check: bounds of arrays that the source names are not looked at, for the text of " +
		"arrays.cl is not found, or is not what was compiled: --source FOLDER says where it is\n"
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--check=bounds"}, want},
		{[]string{"--check=all,-bounds"}, ""},
		{[]string{"--check=bounds", "--source", checkObjects + "src"}, ""},
		{[]string{"--check=bounds", "--source", t.TempDir()}, want},
	} {
		if r := simtgdb(t, append(args, c.flags...)...); r.status != statusDone || r.err != c.want {
			t.Errorf("%q: status %d: %q, want %q", c.flags, r.status, r.err, c.want)
		}
	}
}

// TestBoundsWithoutLines: so is that a program does not say what
// its source is, unless its language has bounds.
func TestBoundsWithoutLines(t *testing.T) {
	for _, c := range []struct{ object, kernel, what string }{
		{"defects.O0.zebin", "tile_ok", "arrays that the source names"},
		{"defects.O2.xe-hpg.zebin", "tile_ok", "arrays that the source names"},
		{"src/barriers.ptx", "halves_ok", "members and rows of arrays"},
		{"defects.O0.co", "tile_ok", ""}, {"defects.O0.ptx", "tile_ok", ""},
		{"defects.O2.spv", "tile_ok", ""},
	} {
		for _, kinds := range []string{"bounds", "all,-bounds"} {
			want := ""
			if c.what != "" && kinds == "bounds" {
				want = unknownBounds(c.what)
			}
			r := simtgdb(t, "run", checkObjects+c.object, "--kernel", c.kernel, "--grid", "128",
				"--block", "128",
				"--arg", "buf:i32[512]=iota", "--arg", "buf:i32[512]=zero", "--source", checkObjects+"src",
				"--check="+kinds)
			if r.status != statusDone || r.err != want {
				t.Errorf("%s, %s: status %d: %q, want %q", c.object, kinds, r.status, r.err, want)
			}
		}
	}
}

// TestCheckMemory: a run whose checkers may take less memory than they need says so once and goes on.
// A kernel without barriers, all of whose waves do alike, needs next to none.
func TestCheckMemory(t *testing.T) {
	args := []string{"run", "--check=race", checkObjects + "defects.O2.co", "--kernel", "tile_ok",
		"--grid", "524288", "--block", "128", "--arg", "buf:i32[524288]=iota", "--arg",
		"buf:i32[524288]=zero"}
	if r := simtgdb(t, args...); r.status != statusDone || r.err != "" {
		t.Errorf("status %d: %q", r.status, r.err)
	}
	r := simtgdb(t, append(args, "--check-memory", "1MiB")...)
	want := "simtgdb run: check: what is known of memory takes more than 1 MiB: from here on no race is " +
		"looked for (--check-memory is how much it may take)\n"
	if r.status != statusDone || r.err != want {
		t.Errorf("status %d: %q, want %q", r.status, r.err, want)
	}
	for _, size := range []string{"off", "on", "1KiB", "much"} {
		if r := simtgdb(t, append(args, "--check-memory", size)...); r.status == statusDone ||
			!strings.Contains(r.err, "-check-memory") {
			t.Errorf("--check-memory %s: status %d: %q", size, r.status, r.err)
		}
	}
}
