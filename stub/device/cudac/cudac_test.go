package cudac

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simtgdb/stub/device/buildcache"
	"simtgdb/stub/device/rtc"

	"github.com/google/go-cmp/cmp"
)

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		given []string
		want  []string
		error string
	}{
		{nil, []string{"--cuda-gpu-arch=sm_80"}, ""},
		{[]string{"-arch=sm_90a", "-I/here", "-I", "/there", "--include-path=/and/here"},
			[]string{"--cuda-gpu-arch=sm_90a", "-I/here", "-I/there", "-I/and/here"}, ""},
		{[]string{"--gpu-architecture", "compute_75", "-DX=1=2", "-D Y", "--undefine-macro=Z", " ",
			"-std=c++14"}, []string{"--cuda-gpu-arch=sm_75", "-DX=1=2", "-DY", "-UZ", "-std=c++14"}, ""},
		{[]string{"-G", "-lineinfo", "--fmad=false", "--ftz=true", "-fmad=true", "--use_fast_math", "-w",
			"--maxrregcount=32", "-pre-include"}, nil, `unrecognized option "-pre-include"`},
		{[]string{"-G", "-lineinfo", "--fmad=false", "--ftz=true", "-fmad=true", "--use_fast_math", "-w",
			"--maxrregcount=32"}, []string{"--cuda-gpu-arch=sm_80", "-g", "-O0", "-ffp-contract=off",
			"-fgpu-flush-denormals-to-zero", "-ffast-math", "-w"}, ""},
		{[]string{"--std"}, nil, `"--std" has no value`},
		{[]string{"-o", "file"}, nil, `unrecognized option "-o"`},
	} {
		got, err := translate(&Request{Options: c.given})
		if (err == nil) != (c.error == "") || err != nil && !strings.Contains(err.Error(), c.error) {
			t.Errorf("%q: %v, want %s", c.given, err, c.error)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.given, diff)
		}
	}
}

// Names are found, headers are the program's, a program for the device alone needs no attributes, what is
// left out of the host's library is there where it has use for that, and what is wrong is told with the
// program's own file name.
func TestCompile(t *testing.T) {
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	r, err := Compile(context.Background(),
		&Request{Name: "../x/mine.cu", Options: []string{"-default-device"},
			Source: []byte("#include \"a/b.h\"\nint twice(int v) { return v * TWO; }\n#pragma clang " +
				"force_cuda_host_device end\ninline double of_host(double x) { return " +
				"std::beta(x, x); }\n#pragma clang force_cuda_host_device begin\n__global__ void " +
				"k(int *p) { *p = twice(*p); }\n"),
			Headers: map[string][]byte{"a/b.h": []byte("#define TWO 2\n")}, Names: []string{"k", "&k"}})
	if err != nil || r.PTX == nil {
		t.Fatalf("%v %+v", err, r)
	}
	if diff := cmp.Diff([]string{"_Z1kPi", "_Z1kPi"}, r.Names); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(r.PTX), ".entry _Z1kPi") {
		t.Errorf("no kernel in\n%s", r.PTX)
	}
	r, err = Compile(context.Background(),
		&Request{Name: "mine.cu", Source: []byte("\n__global__ void k() { what; }\n")})
	if err != nil || r.PTX != nil || !strings.Contains(r.Log, "mine.cu:2:23: error: ") {
		t.Errorf("%v %+v", err, r)
	}
	if _, err = Compile(context.Background(),
		&Request{Headers: map[string][]byte{"../up.h": nil}}); err == nil {
		t.Error("a header was written beside its folder")
	}
}

// TestCache: what was compiled is not compiled again until something of what it was made of has changed.
func TestCache(t *testing.T) {
	if _, err := exec.LookPath("clang-22"); err != nil {
		t.Skipf("skipped: %v", err)
	}
	dir := t.TempDir()
	header := filepath.Join(dir, "by.h")
	write := func(text string) {
		if err := os.WriteFile(header, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache := &buildcache.Cache{Dir: filepath.Join(dir, "cache")}
	compiled := func(source string, options ...string) string {
		r := &Request{Name: "k.cu", Source: []byte(source), Options: append(options, "-I"+dir),
			Names: []string{"k"}, Cache: cache, Sources: filepath.Join(dir, "sources")}
		result, err := Compile(context.Background(), r)
		if err != nil || result.PTX == nil || len(result.Names) != 1 || result.Names[0] != "_Z1kPi" {
			t.Fatalf("%v: %+v", err, result)
		}
		return string(result.PTX)
	}
	entries := func() int {
		files, _ := filepath.Glob(filepath.Join(dir, "cache", "*"))
		return len(files)
	}
	const source = "#include \"by.h\"\n__global__ void k(int *p) { *p = BY; }"
	write("#define BY 1234567\n")
	first := compiled(source)
	if entries() != 1 {
		t.Fatalf("%d entries, want 1", entries())
	}
	if compiled(source) != first || entries() != 1 {
		t.Error("the same source is another")
	}
	if compiled(source, "-arch=sm_90") == first || entries() != 2 {
		t.Errorf("another processor: %d entries, want 2", entries())
	}
	write("#define BY 7654321\n")
	if again := compiled(source); !strings.Contains(again, "7654321") {
		t.Error("a changed header makes no difference")
	}
}

// TestWords: an option that has a value by NVRTC's documentation ("Supported Compile Options") takes the next
// word for it where it has none in its own, and no other option takes a word.
func TestWords(t *testing.T) {
	for _, names := range []string{"--device-c -dc", "--device-w -dw", "--extensible-whole-program -ewp",
		"--device-debug -G", "--generate-line-info -lineinfo", "--use_fast_math -use_fast_math",
		"--extra-device-vectorization -extra-device-vectorization", "--dlink-time-opt -dlto",
		"--no-cache -no-cache", "--no-source-include -no-source-include", "--disable-warnings -w",
		"--restrict -restrict", "--device-as-default-execution-space -default-device",
		"--display-error-number -err-no", "--no-display-error-number -no-err-no", "--minimal -minimal"} {
		for _, name := range strings.Fields(names) {
			if args, err := translate(&Request{Options: []string{name, "-DX"}}); err != nil ||
				args[len(args)-1] != "-DX" {
				t.Errorf("%s takes the next word: %q, %v", name, args, err)
			}
		}
	}
	for _, names := range []string{"--gpu-architecture -arch", "--relocatable-device-code -rdc",
		"--dopt -dopt", "--ptxas-options -Xptxas", "--maxrregcount -maxrregcount", "--ftz -ftz",
		"--prec-sqrt -prec-sqrt", "--prec-div -prec-div", "--fmad -fmad",
		"--modify-stack-limit -modify-stack-limit", "--jump-table-density -jtd",
		"--frandom-seed -frandom-seed", "--define-macro -D", "--undefine-macro -U", "--include-path -I",
		"--pre-include -include", "--std -std", "--builtin-move-forward -builtin-move-forward",
		"--builtin-initializer-list -builtin-initializer-list", "--optimization-info -opt-info",
		"--diag-error -diag-error", "--diag-suppress -diag-suppress", "--diag-warn -diag-warn",
		"--brief-diagnostics -brief-diag", "--time -time", "--split-compile -split-compile"} {
		for _, name := range strings.Fields(names) {
			args, err := translate(&Request{Options: []string{name, "-G"}})
			if err != nil || slices.Contains(args, "-O0") {
				t.Errorf("%s does not take the next word: %q, %v", name, args, err)
			}
			if _, err := translate(&Request{Options: []string{name}}); err == nil {
				t.Errorf("%s without a value is none of an error", name)
			}
		}
	}
}

// TestWrite: a program without a name of its own, which NVRTC calls default_program, is called program.cu.
func TestWrite(t *testing.T) {
	for given, want := range map[string]string{"": "program.cu", "default_program": "program.cu",
		"/src/mine.cu": "mine.cu"} {
		source, err := write(t.TempDir(), &Request{Name: given, Source: []byte("static __constant__ int c;"),
			Options: []string{"-default-device"}})
		if err != nil || filepath.Base(source) != want {
			t.Errorf("%q is called %s, %v, want %s", given, source, err, want)
		}
		const text = "       __constant__ int c;\n#pragma clang force_cuda_host_device end\n"
		if b, err := os.ReadFile(source); !strings.HasPrefix(string(b), text) {
			t.Errorf("the source is %q, %v", b, err)
		}
	}
}

// TestKeys: what was made for one request is not taken for another's.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	cache := &buildcache.Cache{Dir: filepath.Join(dir, "cache")}
	kept := func(r Request, processor, source string) *rtc.Keeper {
		r.Cache = cache
		return keepIn("/bin/true", &r, []string{processor}, source)
	}
	first := kept(Request{}, "--cuda-gpu-arch=sm_80", "x.cu")
	args := first.Arguments(dir)
	at := slices.Index(args, "-dependency-file")
	if at < 0 {
		t.Fatalf("nothing is kept: %q", args)
	}
	if err := os.WriteFile(args[at+2], []byte("it: \n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first.Put(dir, []byte("ptx"), "")
	if kept(Request{}, "--cuda-gpu-arch=sm_80", "x.cu").Entry() == nil {
		t.Error("the same request is another")
	}
	for what, other := range map[string]*rtc.Keeper{
		"an option that is none of clang's": kept(Request{Options: []string{"-default-device"}},
			"--cuda-gpu-arch=sm_80", "x.cu"),
		"another processor": kept(Request{}, "--cuda-gpu-arch=sm_90", "x.cu"),
		"another file":      kept(Request{}, "--cuda-gpu-arch=sm_80", "y.cu"),
		"another name":      kept(Request{Name: "x"}, "--cuda-gpu-arch=sm_80", "x.cu"),
		"other names":       kept(Request{Names: []string{"k"}}, "--cuda-gpu-arch=sm_80", "x.cu"),
		"another source":    kept(Request{Source: []byte("int i;")}, "--cuda-gpu-arch=sm_80", "x.cu"),
	} {
		if other.Entry() != nil {
			t.Errorf("%s makes no difference", what)
		}
	}
}
