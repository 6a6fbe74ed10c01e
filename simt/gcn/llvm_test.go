package gcn

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// llvmDisassemble gives LLVM's text of each instruction for a processor, ""
// for one that LLVM refuses or reads another length of.
func llvmDisassemble(t *testing.T, processor string, insts [][]uint32) []string {
	t.Helper()
	path, err := exec.LookPath("llvm-mc-22")
	if err != nil {
		t.Skip("skipped: llvm-mc-22 is not installed")
	}
	// After each instruction comes an s_nop that tells its number, to find
	// the place again after bytes that LLVM cannot read; and again, since the
	// first may be read as part of something else.
	const nop = 0xbf800000
	var in bytes.Buffer
	for i, words := range insts {
		for _, line := range [][]uint32{words, {nop | uint32(i&0xffff)}, {nop | uint32(i&0xffff)}} {
			for _, w := range line {
				for s := 0; s < 32; s += 8 {
					in.WriteString("0x")
					in.Write(strconv.AppendUint(in.AvailableBuffer(), uint64(w>>s&0xff), 16))
					in.WriteByte(' ')
				}
			}
			in.WriteByte('\n')
		}
	}
	cpu, features, _ := strings.Cut(processor, " ") // "gfx1100 +wavefrontsize64"
	cmd := exec.Command(path, "--disassemble", "--show-encoding", "-triple=amdgcn", "-mcpu="+cpu,
		"-mattr="+features)
	cmd.Env = append(os.Environ(), "LLVM_DISABLE_SYMBOLIZATION=1", "LLVM_DISABLE_CRASH_REPORT=1")
	// What LLVM cannot read it warns of, a few bytes at a time: nobody reads that.
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = &in, &out
	err = cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() != 1 {
		// LLVM crashes on some bytes: find out which.
		if len(insts) == 1 {
			return []string{""}
		}
		h := len(insts) / 2
		return append(llvmDisassemble(t, processor, insts[:h]), llvmDisassemble(t, processor, insts[h:])...)
	}
	texts := make([]string, len(insts))
	nops := make([]int, len(insts))
	next, seen := 0, 0
	for _, line := range strings.Split(out.String(), "\n") {
		text, encoding, ok := strings.Cut(strings.TrimSpace(line), "; encoding: ")
		if !ok {
			continue
		}
		text, _, _ = strings.Cut(text, "//")
		text = strings.Join(strings.Fields(text), " ")
		if number, ok := strings.CutPrefix(text, "s_nop "); ok {
			wide, err := strconv.ParseUint(number, 0, 16)
			if err != nil {
				t.Fatalf("LLVM says %q", text)
			}
			n := int(wide)
			if ahead := (n - next) & 0xffff; ahead < 4096 {
				next += ahead + 1
			}
			if next > 0 && next <= len(insts) && n == (next-1)&0xffff {
				nops[next-1]++
			}
			seen = 0
			continue
		}
		size := strings.Count(encoding, "0x") / 4
		if next < len(insts) && size == len(insts[next])+1 && !strings.Contains(text, "0xbf8") {
			size-- // LLVM encodes again what it has read, with a literal for a constant
		}
		if seen++; seen == 1 && next < len(insts) && size == len(insts[next]) &&
			strings.TrimSuffix(strings.Split(encoding, ",")[3], "]") ==
				fmt.Sprintf("0x%02x", insts[next][0]>>24) {
			texts[next] = text
		} else if next < len(insts) {
			texts[next] = ""
		}
	}
	for i, n := range nops {
		if n != 2 { // LLVM has read an s_nop as part of the instruction
			texts[i] = ""
		}
	}
	return texts
}

// ownText is this package's text of an instruction, "" if it is none.
func ownText(isa *ISA, words []uint32) string {
	var code []byte
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	in, err := isa.Decode(code, 0)
	if err != nil || in.Size != len(code) {
		return ""
	}
	return strings.Join(strings.Fields(in.String()), " ")
}
