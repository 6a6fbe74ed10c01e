package gen

import (
	"bytes"
	"encoding/binary"
	"testing"

	"simtgdb/simt"
)

// TestGen8Text holds the text of programs compiled for Gen8 against iga64's.
func TestGen8Text(t *testing.T) {
	compared := 0
	codeSections(t, "gen8/", func(file, section string, code []byte, text []string) {
		for at := 0; len(text) > 0; text = text[1:] {
			in, err := Gen8.Decode(code[at:], uint64(at))
			if err != nil {
				t.Fatalf("%s %s: %v, want %s", file, section, err, text[0])
			}
			if got, want := in.String(), text[0]; got != want {
				t.Errorf("%s %s+%#x:\n%s\nwant\n%s", file, section, at, got, want)
			}
			at += in.Size
			compared++
		}
	})
	if compared < 2000 {
		t.Errorf("%d instructions", compared)
	}
}

// TestGen8Bytes: a byte message of eight bytes a channel gives each a qword, which need not be aligned.
func TestGen8Bytes(t *testing.T) {
	b := newBench(t, 8).of(Gen8)
	b.load("3100200c0c3b002000004506ff0c2404") // (W) send (2|M0) r0:uq r0:f 0xC 0x04240CFF
	for i := range b.data.Data[:64] {
		b.data.Data[i] = byte(3*i + 1)
	}
	at := [2]uint64{b.data.Base + 5, b.data.Base + 34}
	for i, a := range at {
		binary.LittleEndian.PutUint64(b.r.file[Gen8.grf(0)+8*i:], a)
	}
	if ev := b.core.Run(b.w, 1); ev.Kind != simt.NoEvent {
		t.Fatalf("%v %v", ev.Kind, ev.Fault)
	}
	for i, a := range at {
		got, want := b.r.file[Gen8.grf(0)+8*i:][:8], b.data.Data[a-b.data.Base:][:8]
		if !bytes.Equal(got, want) {
			t.Errorf("channel %d: %x, want %x", i, got, want)
		}
	}
}
