// Package cudac compiles CUDA C++ to PTX while a program runs, as NVRTC does, with the clang that is installed and
// the headers that take the place of NVIDIA's toolkit. It knows nothing of NVRTC's API and of the service that asks:
// its entry point is [Compile].
package cudac

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"simtgdb/stub/compile"
	"simtgdb/stub/device/openclc"
	"simtgdb/stub/device/transient"
)

// A Request is a program.
type Request struct {
	Processor string // "sm_80", unless the options name another
	Name      string // that the program has for its source
	Source    []byte
	Options   []string // NVRTC's
	Headers   map[string][]byte
	Names     []string // expressions that name kernels or variables: "scale<float>"
	Sources   string   // the folder where sources are kept for debuggers; "" for nowhere
}

// A Result is what came of a request. PTX is nil if there are errors.
type Result struct {
	PTX   []byte
	Log   string
	Names []string // as the PTX has them, in the order of the request's
}

// clangs are compilers, the latest first. SIMTGDB_CLANG names another.
var clangs = []string{"clang-22", "clang", "clang-21", "clang-20", "clang-19"}

// find finds the compiler.
func find() (string, error) {
	names := clangs
	if v := os.Getenv("SIMTGDB_CLANG"); v != "" {
		names = []string{v}
	}
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("no compiler of CUDA: none of %s is installed (Debian: apt-get install clang-22)",
		strings.Join(names, ", "))
}

// Compile compiles a program. An error is that of the system; those of the program are in the result's log.
func Compile(ctx context.Context, r *Request) (*Result, error) {
	clang, err := find()
	if err != nil {
		return &Result{Log: err.Error() + "\n"}, nil
	}
	options, err := translate(r)
	if err != nil {
		return &Result{Log: err.Error() + "\n"}, nil
	}
	folder, err := transient.Make("", "simtgdb-cuda-")
	if err != nil {
		return nil, err
	}
	defer folder.Remove()
	source, err := write(folder.Path, r)
	if err != nil {
		return nil, err
	}
	out := filepath.Join(folder.Path, "out.ptx")
	args := []string{"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only", "-Wno-unknown-cuda-version",
		"-Xclang", "-target-feature", "-Xclang", "+ptx78", "-I", filepath.Join(folder.Path, "include"),
		"-I", filepath.Join(folder.Path, "toolkit", "cuda"), "-include", "cuda_runtime.h",
		"-include", filepath.Join(folder.Path, "prelude.h"), "-g", "-O3",
		"-Xclang", "-debug-info-kind=constructor"} // the driver would have it of lines alone
	text, err := openclc.Command(ctx, folder.Path, clang, append(append(args, options...), "-S", source, "-o", out))
	log := strings.ReplaceAll(string(text), filepath.Dir(source)+string(filepath.Separator), "")
	const most = 1 << 20
	result := &Result{Log: log[:min(len(log), most)]}
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		return result, nil
	}
	if err != nil {
		return nil, err
	}
	if result.PTX, err = os.ReadFile(out); err != nil {
		return nil, err
	}
	result.Names, err = lowered(result.PTX, len(r.Names))
	return result, err
}

// prelude tells a source that it is compiled at run time. NVRTC knows no host: what has no attribute is for the device.
const prelude = "#define __CUDACC_RTC__ 1\n"

// write writes headers and the source, which stays where debuggers find it.
func write(dir string, r *Request) (source string, err error) {
	if err := compile.WriteHeaders(dir, filepath.Join(dir, "toolkit")); err != nil {
		return "", err
	}
	before, after := prelude, ""
	for _, o := range r.Options {
		if o == "-default-device" || o == "--device-as-default-execution-space" {
			before += "#pragma clang force_cuda_host_device begin\n"
			after = "\n#pragma clang force_cuda_host_device end\n"
		}
	}
	files := map[string][]byte{filepath.Join(dir, "prelude.h"): []byte(before)}
	for name, contents := range r.Headers {
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("a header cannot be called %q", name)
		}
		files[filepath.Join(dir, "include", name)] = contents
	}
	folder := dir
	if r.Sources != "" {
		const digits = 6
		sum := sha256.Sum256(r.Source)
		folder = filepath.Join(r.Sources, hex.EncodeToString(sum[:digits]))
	}
	name := filepath.Base(filepath.Clean("/" + r.Name))
	if name == "/" || name == "." || name == "default_program" {
		name = "program.cu"
	}
	source = filepath.Join(folder, name)
	files[source] = bytes.Join([][]byte{r.Source, []byte(after), probes(r.Names)}, nil)
	for path, contents := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", err
		}
		if err := openclc.Keep(dir, path, contents); err != nil {
			return "", err
		}
	}
	return source, nil
}

// probe begins the names of variables that tell how an expression is called.
const probe = "__simtgdb_name_"

// probes are variables that point at what is named, for the compiler to instantiate it and to say what it is called.
func probes(names []string) []byte {
	var b bytes.Buffer
	b.WriteByte('\n')
	for i, n := range names {
		fmt.Fprintf(&b, "extern \"C\" __attribute__((used)) __device__ const void *%s%d = (const void *)&%s;\n",
			probe, i, strings.TrimPrefix(strings.TrimSpace(n), "&"))
	}
	return b.Bytes()
}

// pointsAt is the definition of a probe in PTX.
var pointsAt = regexp.MustCompile(`\b` + probe + `(\d+) = (?:generic\()?([\w$]+)`)

// lowered finds what the first n probes point at.
func lowered(ptx []byte, n int) ([]string, error) {
	names := make([]string, n)
	for _, m := range pointsAt.FindAllSubmatch(ptx, -1) {
		if i, err := strconv.Atoi(string(m[1])); err == nil && i < n {
			names[i] = string(m[2])
		}
	}
	for i, name := range names {
		if name == "" {
			return nil, fmt.Errorf("the compiled program does not say how name %d of it is called", i)
		}
	}
	return names, nil
}
