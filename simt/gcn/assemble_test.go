package gcn

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// What LLVM's assembler makes of the instructions that tests execute is kept
// in testdata/assembled, a file for each processor with a line for each
// instruction: its bytes, a tab, its text. The tests need no assembler; where
// there is one it is asked as well.

var updateAssembled = flag.Bool("update-assembled", false,
	"rewrite testdata/assembled with the installed llvm-mc-22")

var assembled struct {
	sync.Mutex
	files map[string]map[string]string // by processor and text: bytes in hexadecimal
	fresh map[string]map[string]string // what this run has assembled
	asked map[[2]string]bool           // what this run has asked LLVM for
}

func assembledPath(processor string) string {
	return filepath.Join("testdata", "assembled", processor+".txt")
}

// assembledFor reads a processor's file.
func assembledFor(t testing.TB, processor string) map[string]string {
	t.Helper()
	if assembled.files == nil {
		assembled.files, assembled.fresh = map[string]map[string]string{}, map[string]map[string]string{}
		assembled.asked = map[[2]string]bool{}
	}
	if m, ok := assembled.files[processor]; ok {
		return m
	}
	m := map[string]string{}
	data, err := os.ReadFile(assembledPath(processor))
	if err != nil && !*updateAssembled {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		code, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		m[text] = code
	}
	assembled.files[processor], assembled.fresh[processor] = m, map[string]string{}
	return m
}

// llvmAssemble gives the encoding of each instruction. LLVM is asked once for each: a test that needs many
// begins with all of them together.
func llvmAssemble(t testing.TB, processor string, asm []string) [][]byte {
	t.Helper()
	assembled.Lock()
	defer assembled.Unlock()
	kept := assembledFor(t, processor)
	var now [][]byte
	known := func(text string) bool { return assembled.asked[[2]string{processor, text}] }
	if path, err := exec.LookPath("llvm-mc-22"); err == nil &&
		slices.ContainsFunc(asm, func(text string) bool { return !known(text) }) {
		now = runAssembler(t, path, processor, asm)
		for _, text := range asm {
			assembled.asked[[2]string{processor, text}] = true
		}
	}
	var codes [][]byte
	for i, text := range asm {
		if *updateAssembled && now != nil {
			kept[text] = hex.EncodeToString(now[i])
			assembled.fresh[processor][text] = kept[text]
		}
		code, err := hex.DecodeString(kept[text])
		if err != nil || len(code) == 0 {
			t.Fatalf("%q is not in %s; -update-assembled writes it there", text, assembledPath(processor))
		}
		if now != nil && !bytes.Equal(now[i], code) {
			t.Errorf("%s has % x for %q; llvm-mc-22 makes % x", assembledPath(processor), code, text, now[i])
		}
		codes = append(codes, code)
	}
	return codes
}

// writeAssembled writes what this run has assembled and nothing else.
func writeAssembled() error {
	for processor, m := range assembled.fresh {
		var b strings.Builder
		for _, text := range slices.Sorted(maps.Keys(m)) {
			fmt.Fprintf(&b, "%s\t%s\n", m[text], text)
		}
		if err := os.MkdirAll(filepath.Dir(assembledPath(processor)), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(assembledPath(processor), []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

func runAssembler(t testing.TB, path, processor string, asm []string) [][]byte {
	t.Helper()
	cmd := exec.Command(path, "--show-encoding", "-triple=amdgcn", "-mcpu="+processor)
	cmd.Stdin = strings.NewReader(strings.Join(asm, "\n") + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("llvm-mc-22: %v\n%s", err, stderr.String())
	}
	var codes [][]byte
	for line := range strings.Lines(string(out)) {
		_, encoding, ok := strings.Cut(line, "encoding: [")
		if !ok {
			continue
		}
		var code []byte
		for b := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(encoding), "]"), ",") {
			v, err := strconv.ParseUint(b, 0, 8)
			if err != nil {
				t.Fatal(err)
			}
			code = append(code, byte(v))
		}
		codes = append(codes, code)
	}
	if len(codes) != len(asm) {
		t.Fatalf("llvm-mc-22 encoded %d of %d instructions", len(codes), len(asm))
	}
	return codes
}
