//go:build linux

package main

import (
	"encoding/binary"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simtgdb/simt/texel"
	"simtgdb/testdata/sweep"
)

const scaleModule, raceModule = hostPrograms + "/scale.spv", hostPrograms + "/race.spv"

// buildVulkanProgram compiles vulkan.c, where a loader and its headers are installed.
func buildVulkanProgram(t *testing.T) string { return buildVulkan(t, "vulkan.c") }

func buildVulkan(t *testing.T, source string, flags ...string) string {
	t.Helper()
	if _, err := os.Stat("/usr/include/vulkan/vulkan.h"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	return sharedProgram(t, "vulkan", "cc", append([]string{"-w", source, "-lvulkan"}, flags...)...)
}

// vulkanOutputs are what the modes of vulkan.c that end well print.
var vulkanOutputs = []struct{ mode, out string }{
	{"plain", "plain: 0 wrong\n"},
	{"queues", "queues: 0 wrong, 0 at first, waits\n"},
	{"pushed", "pushed: 0 wrong\n"},
	{"imported", "imported: 0 wrong, the same\nafterwards: 0 wrong\n"},
	{"robust", "robust: 0 wrong, behind is 0\n"},
	{"printf", "scaling, invocation (5,0,0): data[5] is 16\n"},
	{"floats", "floats: 15 modes, independence 1 and 1\n"},
}

// TestExecVulkan runs a Vulkan program by the loader, and again under the validation layer, where that is
// installed: it has nothing to say.
func TestExecVulkan(t *testing.T) {
	program := buildVulkanProgram(t)
	modes, want := []string{program}, ""
	for _, c := range vulkanOutputs {
		modes, want = append(modes, c.mode), want+c.out
	}
	modes = append(modes, scaleModule)
	underLayers(t, want, modes...)
}

// underLayers runs a program without a layer, and under the validation layer where that is installed.
func underLayers(t *testing.T, want string, program ...string) {
	t.Helper()
	underLayersWith(t, nil, want, program...)
}

func underLayersWith(t *testing.T, flags []string, want string, program ...string) {
	t.Helper()
	layers := []string{""}
	if _, err := os.Stat("/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json"); err == nil {
		layers = append(layers, "VK_LAYER_KHRONOS_validation")
	}
	for _, layer := range layers {
		t.Setenv("VK_INSTANCE_LAYERS", layer)
		if r := execute(t, flags, program...); r.status != 0 || r.out != want || r.err != "" {
			t.Errorf("layer %q: status %d: %s%s", layer, r.status, r.out, r.err)
		}
	}
}

// TestExecVulkanPieces runs pieces of the API, each by itself.
func TestExecVulkanPieces(t *testing.T) {
	underLayers(t, `dynamic offset: 0 wrong
nothing bound: 0 wrong
template: 0 wrong
secondary: 0 wrong
queries: 1 0 0, 1 1 0, 0
reset: 1
events: waits, 0 wrong, reset
semaphores: any 0, all 2
private data: 0 7 0 0, 0 stale
tool: simtgdb
executable: main, subgroups of 32, 2 numbers
cache: 1, 5, ours
`, buildVulkan(t, "vulkan_more.c"), scaleModule)
}

// TestExecVulkanImages samples, stores, clears and copies images, with what lavapipe makes of the same
// program.
func TestExecVulkanImages(t *testing.T) {
	underLayers(t, `halved: ff05c888 ff08c8a8 ff03c8c8 ff06c8e8, ff07e888, aaaaaaaa
copied: ff01f0e0 ff00f0f0 ff070848
second level: 1.00 0.60 0.20 0.40; border 1 1
`, buildVulkan(t, "vulkan_images.c"), hostPrograms+"/halve.spv")
}

// TestExecVulkanTexels: the lanes of a wave take texel buffers of their own out of arrays.
func TestExecVulkanTexels(t *testing.T) {
	underLayers(t, "texel buffers: 0 wrong, behind is -1\n", buildVulkan(t, "vulkan_texels.c"),
		hostPrograms+"/texels.spv")
}

// TestExecVulkanPlanes: colors of luma and chroma are what BT.601 makes of them, each aspect of an image is
// a part of its own, and clears leave what lavapipe's leave, but for what that rounds toward zero (122,
// 97), has not got (2), or rounds twice in the middle between two numbers (1000340000). Depth is copied in
// queues that draw alone.
func TestExecVulkanPlanes(t *testing.T) {
	underLayersWith(t, []string{"--claim-graphics"}, `planes: 0 colors wrong, 0 of parts; most 3f0000000007
format 4: b27c
format 7: e26c
format 8: 593c
format 2: a5d7
format 58: 6cc4cf99
format 64: 7994cecc
format 122: 769a6b9a
format 123: 7f353566
format 43: 73f395da
format 50: 73da95f3
format 97: 37333b3334cd399a
format 78: 26665999
format 1000340000: 7a5d
format 124: 4ccd 0
format 130: 3e99999a 4d
`, buildVulkan(t, "vulkan_planes.c", "-lm"), hostPrograms+"/planes.spv")
}

// TestExecVulkanBlocks: a shader gets of an image of each compressed format what package texel, which
// lavapipe and SwiftShader have judged, makes of its blocks.
func TestExecVulkanBlocks(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "texels")
	r := execute(t, nil, buildVulkan(t, "vulkan_blocks.c"), hostPrograms+"/blocks.spv", out)
	if r.status != 0 || !strings.HasPrefix(r.out, "BC: 1, ETC2: 1\n") {
		t.Fatalf("status %d: %s%s", r.status, r.out, r.err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	word := func() (v uint32) {
		v, data = binary.LittleEndian.Uint32(data), data[4:]
		return v
	}
	formats := 0
	for ; len(data) > 0; formats++ {
		f, count := texel.Formats()[word()], int(word())
		const across, side = 8, 4
		m := texel.NewImage(f, texel.Plane, [3]int{across * side, count / across * side, 1}, 1, 1)
		blocks := data[:count*f.Size]
		data = data[len(blocks):]
		bad := 0
		for i := range count * side * side {
			x, y := i%m.Size[0], i/m.Size[0]
			at, _ := m.Offset(x, y, 0, 0, 0, 0)
			for _, want := range f.DecodePart(blocks[at:], f.Part(x, y)) {
				if got := math.Float32frombits(word()); got != float32(want) && (got == got || want == want) {
					bad++
				}
			}
		}
		if bad > 0 {
			t.Errorf("%s: %d numbers are wrong", f, bad)
		}
	}
	if formats != 26 {
		t.Errorf("%d formats, want 26", formats)
	}
}

// TestExecVulkanMatrices asks for cooperative matrices, of which Debian's validation layer does not know yet,
// and opens the driver more than once.
func TestExecVulkanMatrices(t *testing.T) {
	t.Parallel()
	r := execute(t, nil, buildVulkan(t, "vulkan_more.c"), scaleModule, "matrices")
	want := "matrices: 1 1, stages 32, 3 of 18, 5, 1\n" +
		"tensors: 7 features, at most 1024 lanes and 512 rows, 3 of 63, 5, 2\nopened again\n"
	if r.status != 0 || r.out != want || r.err != "" {
		t.Errorf("status %d: %s%s, want %s", r.status, r.out, r.err, want)
	}
}

// TestExecVulkanChecked: checkers find what is wrong with a shader, by the name of its pipeline, and nothing
// with one that is right.
func TestExecVulkanChecked(t *testing.T) {
	t.Parallel()
	program := buildVulkanProgram(t)
	r := execute(t, []string{"--check", "race"}, program, "pushed", raceModule)
	want := []string{"launch 1, number 1 of kernel scaling: check race: ", "(/spirv/race.comp:10)\n",
		"launch 2, number 2 of kernel scaling: check race: "}
	if missing := inOrder(r.err, want); missing != "" || r.status != statusFault {
		t.Errorf("status %d; no %q in its place in\n%s%s", r.status, missing, r.out, r.err)
	}
	r = execute(t, []string{"--check", "all"}, program, "queues", scaleModule)
	if r.status != 0 || r.out != "queues: 0 wrong, 0 at first, waits\n" || r.err != "" {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecVulkanProfile: a profile counts the dispatches and names lines of the shader.
func TestExecVulkanProfile(t *testing.T) {
	t.Parallel()
	r := execute(t, []string{"--profile", "-"}, buildVulkanProgram(t), "pushed", scaleModule)
	want := []string{"2 launches of 1 kernel\n", "/spirv/scale.comp:13\n"}
	if missing := inOrder(r.err, want); missing != "" || r.status != 0 {
		t.Errorf("status %d; no %q in its place in\n%s%s", r.status, missing, r.out, r.err)
	}
}

// TestExecVulkanHistory: gdb goes back over a store of a shader, to the beginning of the dispatch before, and
// through that to where it began.
func TestExecVulkanHistory(t *testing.T) {
	t.Parallel()
	needGDB(t)
	flags := append(gdbCommands("break 14 if i == 40", "continue", "print data[i]", "reverse-next",
		"print data[i]", "delete", "reverse-continue", "print i", "continue", "continue"),
		"--break", "scaling#2")
	r := execute(t, flags, buildVulkanProgram(t), "pushed", scaleModule)
	want := []string{"hit Breakpoint 1, main () at scale.comp:14\n", "$1 = 364\n",
		"13\t  data[i] = old * params.factor + bias;\n", "$2 = 121\n", "No more reverse-execution history",
		"$3 = 0\n", "pushed: 0 wrong\n", "exited normally]"}
	if missing := inOrder(r.out, want); missing != "" || r.status != 0 {
		t.Errorf("status %d; no %q in its place in\n%s%s", r.status, missing, r.out, r.err)
	}
}

// TestExecVulkanKill kills the service and the program at random moments of an endless row of dispatches.
func TestExecVulkanKill(t *testing.T) {
	program := buildVulkanProgram(t)
	module, err := filepath.Abs(scaleModule)
	if err != nil {
		t.Fatal(err)
	}
	moments := rand.New(rand.NewSource(17))
	for whom, status := range map[string]int{"service": -1, "program": 128 + 9} {
		for range 3 / sweep.Step(3) {
			script := `echo $$ $SIMTGDB_DEVICE >"$0.new"; mv "$0.new" "$0"; exec "$1" forever ` + module
			about := filepath.Join(t.TempDir(), "about")
			kill(t, whom, status, moments.Intn(200), execOn(t, nil, "sh", "-c", script, about, program))
		}
	}
}

// TestExecVulkanClaims: the device does not draw; it says that it does if the user wants that. Images of a
// format that there is not cannot be made.
func TestExecVulkanClaims(t *testing.T) {
	t.Parallel()
	program := buildVulkanProgram(t)
	for _, c := range []struct {
		flags []string
		out   string
	}{
		{nil, "drawing: 0 1 16384 1; sampler 0, image -11\n"},
		{[]string{"--claim-graphics"}, "drawing: 1 1 16384 1; sampler 0, image -11\n"},
	} {
		if r := execute(t, c.flags, program, "drawing", scaleModule); r.status != 0 || r.out != c.out ||
			r.err != "" {
			t.Errorf("%v: status %d: %s%s", c.flags, r.status, r.out, r.err)
		}
	}
}

// TestExecVulkanLost: a fault loses the device, is told of once, and another device works after it.
func TestExecVulkanLost(t *testing.T) {
	r := execute(t, nil, buildVulkanProgram(t), "fault", "plain", scaleModule)
	if r.status != statusFault || r.out != "fault: -4, then -4\nplain: 0 wrong\n" {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
	for _, want := range []string{"simtgdb: in launch 1, number 1 of kernel scaling:\n", "scale.comp:12)\n",
		"read of 4 bytes at 0x2000", "the program ended with status 0, but kernel scaling failed; hardware " +
			"and its drivers let many accesses outside of buffers or LDS pass: " +
			"so does --robust\n"} {
		if n := strings.Count(r.err, want); n != 1 {
			t.Errorf("%q comes %d times in\n%s", want, n, r.err)
		}
	}
}

// TestExecVulkanRobust: the user may say that accesses outside of buffers do no harm.
func TestExecVulkanRobust(t *testing.T) {
	t.Parallel()
	r := execute(t, []string{"--robust"}, buildVulkanProgram(t), "fault", "plain", scaleModule)
	if r.status != 0 || r.out != "fault: 0, then 0\nplain: 0 wrong\n" || r.err != "" {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
}

// TestExecVulkanEarly: a Vulkan program that fails before it launches anything is told of what it may be
// after.
func TestExecVulkanEarly(t *testing.T) {
	t.Parallel()
	const want = "simtgdb exec: the Vulkan device computes and has no queue that draws: a program that " +
		"insists on one, and only computes, runs with --claim-graphics\n"
	source := filepath.Join(t.TempDir(), "early.c")
	const text = "#include <vulkan/vulkan.h>\nint main(void) {\n" +
		"  VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};\n  VkInstance instance;\n  uint32_t n;\n" +
		"  return vkCreateInstance(&info, NULL, &instance) || vkEnumeratePhysicalDevices(instance, &n, " +
		"NULL) ? 1 : 7;\n}\n"
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	program := buildVulkan(t, source)
	if r := execute(t, nil, program); r.status != 7 || !strings.Contains(r.err, want) {
		t.Errorf("status %d: %s%s", r.status, r.out, r.err)
	}
	if r := execute(t, []string{"--claim-graphics"}, program); strings.Contains(r.err, "draws") {
		t.Errorf("it claims to draw, and says: %s", r.err)
	}
}

// TestExecVulkanGDB has gdb in the third dispatch of a pipeline, by the name that the program gave it and by
// its file's, and counts dispatches.
func TestExecVulkanGDB(t *testing.T) {
	t.Parallel()
	needGDB(t)
	program := buildVulkanProgram(t)
	want := []string{"main () at scale.comp:8\n", "hit Breakpoint 1, main () at scale.comp:12\n",
		"$1 = 0\n$2 = 3\n$3 = 4\n", "13\t  data[i] = old * params.factor + bias;\n",
		"hit Breakpoint 2, main () at scale.comp:13\n", "$4 = 40\n$5 = 364\n",
		"plain: 0 wrong\n", "exited normally]"}
	for _, name := range []string{"scaling#3", "scale.comp#3"} {
		flags := append(gdbCommands("break scale.comp:12", "continue", "print i", "print params.factor",
			"print data[i]", "next", "delete 1", "break 13 if i == 40", "continue", "print i", "print old",
			"delete", "continue"), "--break", name)
		r := execute(t, flags, program, "plain", scaleModule)
		if missing := inOrder(r.out, want); missing != "" || r.status != 0 {
			t.Errorf("%s: status %d; no %q in its place in\n%s\n%s", name, r.status, missing, r.out, r.err)
		}
	}
	r := execute(t, []string{"--stats"}, program, "plain", scaleModule)
	if fields := strings.Fields(r.err); len(fields) < 7 || fields[6] != "21" ||
		!strings.HasSuffix(r.err, "  scaling\n") {
		t.Errorf("--stats prints\n%s", r.err)
	}
}

// TestExecVulkanGuide: the session in docs/host-programs.md is what gdb prints, line by line.
func TestExecVulkanGuide(t *testing.T) {
	needGDB(t)
	text, err := os.ReadFile(filepath.Join(root, "docs/host-programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	const command = "$ simtgdb exec --gdb --break scaling#3 -- ./vulkan plain scale.spv\n"
	_, session, _ := strings.Cut(string(text), "```\n"+command)
	session, _, found := strings.Cut(session, "```\n")
	var commands, want []string
	for line := range strings.Lines(session) {
		if c, ok := strings.CutPrefix(line, "(gdb) "); ok {
			commands = append(commands, strings.TrimSpace(c))
		} else {
			want = append(want, line)
		}
	}
	if !found || len(commands) < 8 || len(want) < 8 {
		t.Fatalf("no session behind %q", command)
	}
	flags := append(gdbCommands(commands...), "--break", "scaling#3")
	r := execute(t, flags, buildVulkanProgram(t), "plain", scaleModule)
	if missing := inOrder(r.out, want); missing != "" || r.status != 0 {
		t.Errorf("status %d; no %q in its place in\n%s%s", r.status, missing, r.out, r.err)
	}
}

// TestExecVulkanCapture: a dispatch that was captured is one by itself, with the same results.
func TestExecVulkanCapture(t *testing.T) {
	program := buildVulkanProgram(t)
	dir := filepath.Join(t.TempDir(), "captured")
	if r := execute(t, []string{"--capture", dir}, program, "plain", scaleModule); r.status != 0 ||
		r.err != "" {
		t.Fatalf("status %d: %s%s", r.status, r.out, r.err)
	}
	for _, launch := range []string{"0003-scaling.json", "0006-scaling.json"} { // indirect, and with a base
		r := simtgdb(t, "run", "--launch", filepath.Join(dir, launch))
		if r.status != 0 || !strings.Contains(r.out, "as expected") {
			t.Errorf("%s: status %d: %s%s", launch, r.status, r.out, r.err)
		}
	}
}

// TestExecVulkanShowsImages: gdb is shown the images that a Vulkan program has bound, by the shader's names.
func TestExecVulkanShowsImages(t *testing.T) {
	t.Parallel()
	needGDB(t)
	flags := append(gdbCommands("monitor image", "monitor image half_size", "break 18", "continue",
		"monitor image picture at 2 1", "delete", "continue"), "--break", "halve.comp")
	r := execute(t, flags, buildVulkan(t, "vulkan_images.c"), hostPrograms+"/halve.spv")
	want := []string{"picture (0.0): 16 x 16 texels, r8g8b8a8_unorm, 2 levels, at 0x",
		"half_size (0.1): 8 x 8 texels,", "colors (0.2): a line of 4 texels", "alone (0.4): 16 x 16",
		"half_size: 8 x 8", "   7 00000000 00000000",
		"texel 2,1 of picture: 201003ff, bytes 201003ff\nwatch *(unsigned char (*)[4]) 0x"}
	if missing := inOrder(r.err, want); missing != "" || r.status != 0 {
		t.Errorf("status %d; no %q in its place in\n%s%s", r.status, missing, r.out, r.err)
	}
}
