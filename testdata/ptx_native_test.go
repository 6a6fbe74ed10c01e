package testdata

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"simtgdb/testdata/built"
)

var updateNative = flag.Bool("update-native", false, "write what the host computes into ptx/want")

// nativeKernels is what ptx/native.json says.
type nativeKernels struct {
	Grid, N int
	Kernels map[string][2]int
}

func readNative(t *testing.T) (k nativeKernels) {
	t.Helper()
	text, err := os.ReadFile("ptx/native.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &k); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestPTXNative compiles kernels of ptx/src for the host: what they compute there is what ptx/want has,
// with which the kernels in PTX are compared.
func TestPTXNative(t *testing.T) {
	if err := exec.Command(clang, "--version").Run(); err != nil {
		t.Skipf("skipped: %s does not run: %v", clang, err)
	}
	if !compilesForHost(t) {
		t.Skipf("skipped: %s finds no C++ library of the host", clang)
	}
	k := readNative(t)
	made := built.Of(t, "native PTX", []string{clang}, "ptx/native.json", "ptx/host/*", "ptx/src/*",
		"ptx/want/*", "host/*")
	if !*updateNative && made.Known() {
		return
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "program")
	if out, err := exec.Command("sh", "ptx/host/build.sh", program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	words, err := os.ReadFile("ptx/want/in.bin")
	if err != nil {
		t.Fatal(err)
	}
	for name, shape := range k.Kernels {
		in, file := filepath.Join(folder, name+".in"), filepath.Join(folder, name+".out")
		for path, data := range map[string][]byte{in: words, file: make([]byte, 4*shape[0]*k.Grid)} {
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(program, fmt.Sprint(k.Grid), "1", "1", fmt.Sprint(shape[1]), "1", "1",
			"buffer:"+in, "buffer:"+file, fmt.Sprintf("value:%02x000000", k.N))
		cmd.Env = append(os.Environ(), "KERNEL="+name)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("ptx/want", name+".bin")
		if *updateNative {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the host computes: %v", path, err)
		}
	}
	made.Keep()
}
