package rsp

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// describe writes a frame so that tests can compare it.
func describe(f frame) string {
	switch f.kind {
	case framePacket:
		return fmt.Sprintf("packet %q", f.payload)
	case frameCorrupt:
		return fmt.Sprintf("corrupt %q intact=%v", f.payload, f.intact)
	case frameTooLong:
		return "too long"
	case frameAck:
		return "ack"
	case frameNak:
		return "nak"
	}
	return "interrupt"
}

func decodeAll(d *decoder, pieces ...[]byte) []string {
	var got []string
	for _, p := range pieces {
		d.decode(p, func(f frame) { got = append(got, describe(f)) })
	}
	return got
}

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		name   string
		in     string
		client bool
		want   []string
	}{
		{"empty packet", "$#00", false, []string{`packet ""`}},
		{"packet", "$OK#9a", false, []string{`packet "OK"`}},
		{"upper-case checksum", "$OK#9A", false, []string{`packet "OK"`}},
		{"acks and noise", "+-x\r\n$OK#9a+", false, []string{"ack", "nak", `packet "OK"`, "ack"}},
		{"wrong checksum", "$OK#9b", false, []string{`corrupt "OK" intact=true`}},
		{"checksum is no number", "$OK#zz", false, []string{`corrupt "OK" intact=true`}},
		{"truncated, then another", "$qSup$OK#9a", false, []string{`packet "OK"`}},
		{"truncated for good", "$OK#9", false, nil},
		{"interrupt between packets", "$OK#9a\x03$OK#9a", false, []string{`packet "OK"`, "interrupt",
			`packet "OK"`}},
		{"interrupt byte within a packet", "$X\x03#5b", false, []string{`packet "X\x03"`}},
		{"run byte in a request", "$a*!#ac", false, []string{`packet "a*!"`}},
		{"run in a reply", "$0* #7a", true, []string{`packet "0000"`}},
		{"run after other bytes", "$ab*!c#71", true, []string{`packet "abbbbbc"`}},
		{"longest run", "$0*~#d8", true, []string{`packet "` + strings.Repeat("0", 98) + `"`}},
		{"run of nothing", "$* #4a", true, []string{`corrupt "" intact=false`}},
		{"run with a bad counter", "$0*\x1f#79", true, []string{`corrupt "" intact=false`}},
		{"run cut off", "$0*#5a", true, []string{`corrupt "" intact=false`}},
		{"run cut off by a packet", "$0*$OK#9a", true, []string{`packet "OK"`}},
		{"longest packet", "$" + strings.Repeat("a", 100) + "#e4", false,
			[]string{fmt.Sprintf("packet %q", strings.Repeat("a", 100))}},
		{"too long", "$" + strings.Repeat("a", 101) + "#45$OK#9a", false,
			[]string{"too long", `packet "OK"`}},
		{"too long by a run", "$0*~0*~#b0$OK#9a", true, []string{"too long", `packet "OK"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			whole := decodeAll(&decoder{limit: 100, expandRuns: test.client}, []byte(test.in))
			if diff := cmp.Diff(test.want, whole); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			var bytewise [][]byte
			for i := range test.in {
				bytewise = append(bytewise, []byte{test.in[i]})
			}
			if diff := cmp.Diff(test.want, decodeAll(&decoder{limit: 100, expandRuns: test.client},
				bytewise...)); diff != "" {
				t.Errorf("byte by byte: (-want +got)\n%s", diff)
			}
		})
	}
}

func TestDecodeHoldsNoMoreThanTheLimit(t *testing.T) {
	d := &decoder{limit: 1000}
	d.decode([]byte("$"), nil)
	chunk := bytes.Repeat([]byte("x"), 1<<16)
	for range 100 {
		d.decode(chunk, func(frame) { t.Fatal("a frame came out") })
	}
	if cap(d.payload) > 2000 {
		t.Errorf("%d bytes are held", cap(d.payload))
	}
}

// TestBinaryRoundTrip sends every byte, in every surrounding, over the wire.
func TestBinaryRoundTrip(t *testing.T) {
	for b := range 256 {
		for _, data := range [][]byte{{byte(b)}, {'a', byte(b), 'z'}, {byte(b), byte(b), '}'},
			{'}', byte(b)}} {
			escaped, taken := appendBinary(nil, data, 100)
			if taken != len(data) {
				t.Fatalf("%x: only %d bytes taken", data, taken)
			}
			for _, client := range []bool{false, true} {
				var got []byte
				d := decoder{limit: 100, expandRuns: client}
				d.decode(appendFrame(nil, escaped), func(f frame) {
					var ok bool
					if got, ok = unescape(f.payload); !ok || f.kind != framePacket {
						t.Errorf("%x: frame %s", data, describe(f))
					}
				})
				if !bytes.Equal(got, data) {
					t.Errorf("%x came out as %x", data, got)
				}
			}
		}
	}
}

func TestBinaryLimit(t *testing.T) {
	for _, test := range []struct {
		data  string
		limit int
		want  string
		taken int
	}{
		{"abc", 2, "ab", 2},
		{"a#c", 2, "a", 1},
		{"a#c", 3, "a}\x03", 2},
		{"a#c", 0, "", 0},
		{"abc", -1, "", 0},
	} {
		got, taken := appendBinary(nil, []byte(test.data), test.limit)
		if string(got) != test.want || taken != test.taken {
			t.Errorf("%q in %d bytes: %q, %d; want %q, %d", test.data, test.limit, got, taken, test.want,
				test.taken)
		}
	}
	if _, ok := unescape([]byte("ab}")); ok {
		t.Error("a trailing escape byte is accepted")
	}
}

func FuzzFraming(f *testing.F) {
	f.Add([]byte("+$qSupported:multiprocess+#c6\x03$vCont?#49"), true)
	f.Add([]byte("$0*~#d8$X1,2:}\x03}]#00-"), true)
	f.Add([]byte("$$##00$#"), false)
	f.Fuzz(func(t *testing.T, wire []byte, client bool) {
		const limit = 64
		whole := decodeAll(&decoder{limit: limit, expandRuns: client}, wire)
		half := len(wire) / 2
		if diff := cmp.Diff(whole, decodeAll(&decoder{limit: limit, expandRuns: client}, wire[:half],
			wire[half:])); diff != "" {
			t.Fatalf("in two pieces: (-whole +pieces)\n%s", diff)
		}
		d := decoder{limit: limit, expandRuns: client}
		d.decode(wire, func(f frame) {
			if len(f.payload) > limit {
				t.Fatalf("payload of %d bytes", len(f.payload))
			}
		})
		// What we frame comes back, whatever state the decoder was in.
		escaped, taken := appendBinary(nil, wire, limit)
		var last frame
		d.decode(appendFrame(nil, escaped), func(f frame) { last = f })
		d.decode([]byte("$OK#9a"), func(f frame) {})
		if d.state != stateIdle {
			t.Fatalf("state %d after a whole packet", d.state)
		}
		clean := decoder{limit: limit, expandRuns: client}
		clean.decode(appendFrame(nil, escaped), func(f frame) { last = f })
		data, ok := unescape(last.payload)
		if last.kind != framePacket || !ok || !bytes.Equal(data, wire[:taken]) {
			t.Fatalf("%x came back as %s", wire[:taken], describe(last))
		}
	})
}

func BenchmarkDecodeFrame(b *testing.B) {
	wire := appendFrame(nil, bytes.Repeat([]byte("0123456789abcdef"), 4096))
	d := decoder{limit: DefaultPacketSize}
	b.SetBytes(int64(len(wire)))
	b.ReportAllocs()
	for b.Loop() {
		d.decode(wire, func(frame) {})
	}
}

func BenchmarkEncodeFrame(b *testing.B) {
	payload := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	var out []byte
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		out = appendFrame(out[:0], payload)
	}
}

func BenchmarkEncodeHex(b *testing.B) {
	data := bytes.Repeat([]byte{0x5a}, 65536)
	var out []byte
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		out = appendHex(out[:0], data)
	}
}

func BenchmarkDecodeHex(b *testing.B) {
	text := bytes.Repeat([]byte("5a"), 65536)
	b.SetBytes(int64(len(text) / 2))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decodeHex(text); err != nil {
			b.Fatal(err)
		}
	}
}
