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
// there is one it is asked as well, when all tests have run, for all of a
// processor's instructions at once.

var updateAssembled = flag.Bool("update-assembled", false,
	"rewrite testdata/assembled with the installed llvm-mc-22")

var assembled struct {
	sync.Mutex
	files map[string]map[string]string // by processor and text: bytes in hexadecimal
	fresh map[string]map[string]string // what this run has asked for
}

func assembledPath(processor string) string {
	return filepath.Join("testdata", "assembled", processor+".txt")
}

// assembledFor reads a processor's file.
func assembledFor(t testing.TB, processor string) map[string]string {
	t.Helper()
	if assembled.files == nil {
		assembled.files, assembled.fresh = map[string]map[string]string{}, map[string]map[string]string{}
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

// llvmAssemble gives the encoding of each instruction.
func llvmAssemble(t testing.TB, processor string, asm []string) [][]byte {
	t.Helper()
	assembled.Lock()
	defer assembled.Unlock()
	kept := assembledFor(t, processor)
	if *updateAssembled {
		now, err := runAssembler(processor, asm)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range asm {
			kept[text] = hex.EncodeToString(now[i])
		}
	}
	var codes [][]byte
	for _, text := range asm {
		code, err := hex.DecodeString(kept[text])
		if err != nil || len(code) == 0 {
			t.Fatalf("%q is not in %s; -update-assembled writes it there", text, assembledPath(processor))
		}
		assembled.fresh[processor][text] = kept[text]
		codes = append(codes, code)
	}
	return codes
}

// judgeAssembled compares what this run has asked for with what the assembler makes of it, where there is
// one.
func judgeAssembled() (wrong []string) {
	if _, err := exec.LookPath(assembler); err != nil {
		return nil
	}
	for processor, asked := range assembled.fresh {
		texts := slices.Sorted(maps.Keys(asked))
		now, err := runAssembler(processor, texts)
		if err != nil {
			return append(wrong, err.Error())
		}
		for i, text := range texts {
			if code := hex.EncodeToString(now[i]); code != asked[text] {
				wrong = append(wrong, fmt.Sprintf("%s has %s for %q; %s makes %s", assembledPath(processor),
					asked[text], text, assembler, code))
			}
		}
	}
	return wrong
}

const assembler = "llvm-mc-22"

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

// runAssembler gives the encodings that the assembler makes.
func runAssembler(processor string, asm []string) ([][]byte, error) {
	if len(asm) == 0 {
		return nil, nil
	}
	cmd := exec.Command(assembler, "--show-encoding", "-triple=amdgcn", "-mcpu="+processor)
	cmd.Stdin = strings.NewReader(strings.Join(asm, "\n") + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %v\n%s", assembler, err, stderr.String())
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
				return nil, err
			}
			code = append(code, byte(v))
		}
		codes = append(codes, code)
	}
	if len(codes) != len(asm) {
		return nil, fmt.Errorf("%s encoded %d of %d instructions", assembler, len(codes), len(asm))
	}
	return codes, nil
}
