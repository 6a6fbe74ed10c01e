package fatbin

import (
	"bytes"
	"encoding/binary"
	"os/exec"
	"strings"
	"testing"
)

// An item is what make puts into a fat binary.
type item struct {
	kind     Kind
	arch     uint32
	flags    uint64
	contents []byte
	size     int // of what is packed
}

// pack makes a fat binary in the layout of CUDA's tools: contents padded to 8 bytes.
func pack(items ...item) []byte {
	le := binary.LittleEndian
	var body []byte
	for _, it := range items {
		h := make([]byte, entrySize)
		padded := append(bytes.Clone(it.contents), make([]byte, -len(it.contents)&7)...)
		le.PutUint16(h, uint16(it.kind))
		le.PutUint16(h[2:], 0x101)
		le.PutUint32(h[4:], entrySize)
		le.PutUint64(h[8:], uint64(len(padded)))
		le.PutUint32(h[28:], it.arch)
		le.PutUint64(h[40:], it.flags)
		if it.flags&(byLZ4|byZstd) != 0 {
			le.PutUint32(h[16:], uint32(len(it.contents)))
			le.PutUint64(h[56:], uint64(it.size))
		}
		body = append(append(body, h...), padded...)
	}
	out := le.AppendUint32(nil, magic)
	out = le.AppendUint16(le.AppendUint16(out, 1), headerSize)
	return append(le.AppendUint64(out, uint64(len(body))), body...)
}

const text = ".version 8.0\n.target sm_80\n.address_size 64\n"

// lz4Block is a block of LZ4 with literals, a match that overlaps itself, and lengths of several bytes.
var lz4Block = []byte{0x1f, 'a', 1, 0, 255, 0, 0xf0, 5, 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l',
	'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u'}

var lz4Text = strings.Repeat("a", 1+15+255+4) + "bcdefghijklmnopqrstu"

func TestLZ4(t *testing.T) {
	got, err := unpackLZ4(lz4Block, len(lz4Text))
	if err != nil || string(got) != lz4Text {
		t.Errorf("%q, %v", got, err)
	}
	for i := range lz4Block {
		if _, err := unpackLZ4(lz4Block[:i], len(lz4Text)); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
	}
	for _, size := range []int{0, 1, len(lz4Text) - 1, len(lz4Text) + 1} {
		if _, err := unpackLZ4(lz4Block, size); err == nil {
			t.Errorf("%d bytes: no error", size)
		}
	}
}

// TestLZ4Tool reads blocks that the tool has made.
func TestLZ4Tool(t *testing.T) {
	const header = 7 // of a frame without the size of its contents
	tool, err := exec.LookPath("lz4")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	want := strings.Repeat(text+"ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\n", 200) + lz4Text
	for _, level := range []string{"-1", "-9"} {
		c := exec.Command(tool, level, "-c", "-q", "--no-frame-crc")
		c.Stdin = strings.NewReader(want)
		frame, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		size := binary.LittleEndian.Uint32(frame[header:])
		got, err := unpackLZ4(frame[header+4:][:size], len(want))
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, want %d: %v", level, len(got), len(want), err)
		}
	}
}

// zstdText is text in a frame of one raw block.
func zstdText() []byte {
	out := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, byte(len(text))}
	block := len(text)<<3 | 1
	return append(append(out, byte(block), byte(block>>8), byte(block>>16)), text...)
}

// TestEntries: entries of all kinds, which PTX is taken for a processor, and what is said if there is none.
func TestEntries(t *testing.T) {
	data := pack(item{PTX, 75, 0, []byte(text + "// 75"), 0}, item{Code, 86, 0, []byte("\x7fELF"), 0},
		item{PTX, 80, byZstd, zstdText(), len(text)}, item{PTX, 90, byLZ4, lz4Block, len(lz4Text)})
	entries, err := Entries(data)
	if err != nil || len(entries) != 4 || !Is(data) {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	for arch, want := range map[uint32]string{75: text + "// 75", 79: text + "// 75", 80: text, 89: text,
		90: lz4Text, 120: lz4Text} {
		e, err := ChoosePTX(entries, arch)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.Data(); err != nil || string(bytes.TrimRight(got, "\x00")) != want {
			t.Errorf("sm_%d: %q, %v, want %q", arch, got, err, want)
		}
	}
	const none = "the fat binary has no PTX for sm_70 or below it; it has PTX for sm_75, machine code for sm_86, " +
		"PTX for sm_80, PTX for sm_90; have it made with nvcc -gencode arch=compute_70,code=compute_70, or " +
		"clang++ --cuda-include-ptx=all"
	if _, err := ChoosePTX(entries, 70); err == nil || err.Error() != none {
		t.Errorf("%v", err)
	}
	if _, err := ChoosePTX(nil, 70); err == nil || !strings.Contains(err.Error(), "; it has nothing; ") {
		t.Errorf("%v", err)
	}
	for i := range data {
		if _, err := Entries(data[:i]); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
	}
}

// TestUnpackedSizes: of what is packed, no more is unpacked than the bound, whatever the entry says; an
// entry that is not packed may say what it will. An entry may be empty.
func TestUnpackedSizes(t *testing.T) {
	packed := []item{{PTX, 80, byZstd, zstdText(), maxUnpacked + 1}, {PTX, 80, byLZ4, lz4Block, 1 << 62}}
	for _, it := range packed {
		entries, err := Entries(pack(it))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entries[0].Data(); err == nil || !strings.Contains(err.Error(), "are allowed") {
			t.Errorf("%d bytes: %v", it.size, err)
		}
	}
	plain := pack(item{PTX, 80, 0, []byte(text), 0}, item{Code, 86, 0, nil, 0})
	binary.LittleEndian.PutUint64(plain[headerSize+56:], 1<<62)
	entries, err := Entries(plain)
	if err != nil || len(entries) != 2 || entries[1].Arch != 86 {
		t.Fatalf("%+v, %v", entries, err)
	}
	for i, want := range []string{text, ""} {
		if got, err := entries[i].Data(); err != nil || strings.TrimRight(string(got), "\x00") != want {
			t.Errorf("entry %d: %q, %v", i, got, err)
		}
	}
}

// TestFlippedBits: whatever bit is another, what a fat binary says it has is unpacked, or refused with a
// reason.
func TestFlippedBits(t *testing.T) {
	data := pack(item{PTX, 80, byZstd, zstdText(), len(text)}, item{PTX, 90, byLZ4, lz4Block, len(lz4Text)})
	refused := 0
	for i := range 8 * len(data) {
		flipped := bytes.Clone(data)
		flipped[i/8] ^= 1 << (i % 8)
		entries, err := Entries(flipped)
		for k := range entries {
			if entries[k].unpacked < 1<<20 && err == nil {
				var got []byte
				if got, err = entries[k].Data(); err == nil && len(got) > 1<<20 {
					t.Errorf("bit %d: %d bytes", i, len(got))
				}
			}
		}
		if err != nil {
			refused++
			if err.Error() == "" {
				t.Errorf("bit %d: no reason", i)
			}
		}
	}
	if refused < 100 {
		t.Errorf("%d of %d refused", refused, 8*len(data))
	}
}

func FuzzEntries(f *testing.F) {
	f.Add(pack(item{PTX, 75, 0, []byte(text), 0}, item{PTX, 80, byZstd, zstdText(), len(text)}))
	f.Add(pack(item{PTX, 90, byLZ4, lz4Block, len(lz4Text)}, item{Code, 86, 0, []byte("\x7fELF"), 0}))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := Entries(data)
		if err != nil {
			return
		}
		for i := range entries {
			if entries[i].unpacked < 1<<20 {
				_, _ = entries[i].Data()
			}
		}
	})
}
