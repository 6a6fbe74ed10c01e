package zstd

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// These tests read frames that are put together here, by the sections of RFC 8878 that they name.

// frameOf is a frame with a header behind the magic number.
func frameOf(header []byte, blocks ...[]byte) []byte {
	return slices.Concat([]byte{0x28, 0xb5, 0x2f, 0xfd}, header, slices.Concat(blocks...))
}

// blockOf is a block of a kind (3.1.1.2): 0 raw, 1 of one byte, 2 compressed.
func blockOf(last bool, kind, size int, contents ...byte) []byte {
	h := size<<3 | kind<<1
	if last {
		h |= 1
	}
	return append([]byte{byte(h), byte(h >> 8), byte(h >> 16)}, contents...)
}

// compressed is a last block of these parts.
func compressed(parts ...[]byte) []byte {
	p := slices.Concat(parts...)
	return blockOf(true, 2, len(p), p...)
}

// window is a header without the size of the contents, and a window of 1 KB.
var window = []byte{0, 0}

// TestFrameHeaders reads headers of each form (3.1.1.1).
func TestFrameHeaders(t *testing.T) {
	abc := blockOf(true, 0, 3, 'a', 'b', 'c')
	long := blockOf(true, 1, 300, 'x')
	for _, c := range []struct {
		name   string
		header []byte
		block  []byte
		behind []byte
		want   string // of the error, or ""
	}{
		{"window alone", []byte{0, 0x50}, abc, nil, ""},
		{"one segment", []byte{0x20, 3}, abc, nil, ""},
		{"size of two bytes", []byte{0x40, 0, 44, 0}, long, nil, ""},
		{"one segment, two bytes", []byte{0x60, 44, 0}, long, nil, ""},
		{"size of four bytes", []byte{0x80, 0, 3, 0, 0, 0}, abc, nil, ""},
		{"size of eight bytes", []byte{0xe0, 3, 0, 0, 0, 0, 0, 0, 0}, abc, nil, ""},
		{"checksum", []byte{0x24, 3}, abc, []byte{1, 2, 3, 4}, ""},
		{"checksum cut off", []byte{0x24, 3}, abc, []byte{1, 2, 3}, "ends too early"},
		{"dictionary 0", []byte{0x21, 0, 3}, abc, nil, ""},
		{"dictionary 0 of two bytes", []byte{0x22, 0, 0, 3}, abc, nil, ""},
		{"dictionary 0 of four bytes", []byte{0x23, 0, 0, 0, 0, 3}, abc, nil, ""},
		{"dictionary", []byte{0x23, 1, 2, 0, 0, 3}, abc, nil, "needs dictionary 513"},
		{"reserved bit", []byte{0x28, 3}, abc, nil, "uses a bit that is reserved"},
		{"unused bit", []byte{0x30, 3}, abc, nil, ""},
		{"more than there is", []byte{0x20, 4}, abc, nil, "has 3 bytes of contents, not 4"},
		{"less than there is", []byte{0x20, 2}, abc, nil, "has 3 bytes of contents, not 2"},
		{"more than allowed", []byte{0x80, 0, 0xe9, 3, 0, 0}, abc, nil,
			"has 1001 bytes of contents, of which 1000 are"},
		{"as much as allowed", []byte{0x80, 0, 0xe8, 3, 0, 0}, blockOf(true, 1, 1000, 'x'), nil, ""},
	} {
		data := append(frameOf(c.header, c.block), c.behind...)
		got, err := Decompress(data, 1000)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", c.name, err, c.want)
			}
			continue
		}
		want := "abc"
		if c.block[0]>>1&3 == 1 {
			want = strings.Repeat("x", int(c.block[0])>>3|int(c.block[1])<<5)
		}
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, want)
		}
		for i := 1; i < len(data); i++ {
			var e *Error
			if _, err := Decompress(data[:i], 1000); !errors.As(err, &e) || e.Offset > i ||
				!strings.HasPrefix(err.Error(), "zstd: offset 0x") {
				t.Errorf("%s, cut at %d: %v", c.name, i, err)
			}
		}
	}
}

// TestBlocks reads blocks of each kind (3.1.1.2), one behind the other, and what is none.
func TestBlocks(t *testing.T) {
	got, err := Decompress(frameOf(window, blockOf(false, 0, 2, 'a', 'b'), blockOf(false, 1, 3, 'c'),
		blockOf(false, 0, 0), blockOf(true, 1, 1, 'd')), 6)
	if err != nil || string(got) != "abcccd" {
		t.Errorf("%q, %v", got, err)
	}
	for want, data := range map[string][]byte{
		"of the kind that is reserved": frameOf(window, blockOf(true, 3, 1, 'a')),
		"has a block of 131073 bytes":  frameOf(window, blockOf(true, 1, 128<<10+1, 'a')),
		"more than the 1000 bytes":     frameOf(window, blockOf(true, 1, 1001, 'a')),
		"more than the 1000 bytes of contents": frameOf(window, blockOf(false, 1, 1000, 'a'),
			blockOf(true, 0, 1, 'a')),
		"begins with 0x32000000, not with":         {0, 0, 0, 0x32},
		"offset 0x8: ends too early, in the frame": {0x5f, 0x2a, 0x4d, 0x18, 1, 0, 0, 0},
		"zstd: offset 0x8: ends too early":         {0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff},
		"begins with 0x184d2a60":                   {0x60, 0x2a, 0x4d, 0x18, 0, 0, 0, 0},
		"begins with 0x184d2a4f":                   {0x4f, 0x2a, 0x4d, 0x18, 0, 0, 0, 0},
		"in the frame at 0xc": append(frameOf(window,
			blockOf(true, 0, 3, 'a', 'b', 'c')), 1),
	} {
		if _, err := Decompress(data, 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if got, err := Decompress(frameOf(window, blockOf(true, 1, 128<<10, 'a')), 1<<20); err != nil ||
		len(got) != 128<<10 {
		t.Errorf("the largest block: %d bytes, %v", len(got), err)
	}
}

// TestLiterals reads literals as they are and one many times, with sizes of each form (3.1.1.3.1.1).
func TestLiterals(t *testing.T) {
	none := []byte{0} // no sequences
	for _, c := range []struct {
		name  string
		parts [][]byte
		want  string // contents, or the error's text behind a !
	}{
		{"5 bits", [][]byte{{3 << 3, 'a', 'b', 'c'}, none}, "abc"},
		{"5 bits, other form", [][]byte{{3<<3 | 2<<2, 'a', 'b', 'c'}, none}, "abc"},
		{"12 bits", [][]byte{{3<<4 | 1<<2, 0, 'a', 'b', 'c'}, none}, "abc"},
		{"20 bits", [][]byte{{3<<4 | 3<<2, 0, 0, 'a', 'b', 'c'}, none}, "abc"},
		{"one, 5 bits", [][]byte{{31<<3&0xff | 1, 'a'}, none}, strings.Repeat("a", 31)},
		{"one, 12 bits", [][]byte{{1<<2 | 1, 0x10, 'a'}, none}, strings.Repeat("a", 256)},
		{"one, 20 bits", [][]byte{{3<<2 | 1, 0, 1, 'a'}, none}, strings.Repeat("a", 4096)},
		{"too many", [][]byte{{3<<2 | 1 | 0x10, 0, 0x20, 'a'}, none}, "!ends too early"},
		{"nothing", nil, "!ends too early"},
		{"no size", [][]byte{{1 << 2}}, "!ends too early"},
		{"one without a byte", [][]byte{{3<<3 | 1}}, "!ends too early"},
		{"fewer than it says", [][]byte{{4 << 3, 'a', 'b', 'c'}}, "!ends too early"},
		{"no count of sequences", [][]byte{{1 << 3, 'a'}}, "!ends too early"},
		{"bytes behind", [][]byte{{1 << 3, 'a'}, none, {1}}, "!has bytes behind a block without sequences"},
		{"of a table that is not there", [][]byte{{1<<4 | 3, 0, 0, 0}},
			"!has literals by a table that is not there"},
		{"compressed, cut off", [][]byte{{2, 0x10}}, "!ends too early"},
		{"compressed to more than there is", [][]byte{{2, 0x40, 0, 1}}, "!ends too early"},
	} {
		got, err := Decompress(frameOf(window, compressed(c.parts...)), 1<<20)
		if want, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", c.name, err, want)
			}
		} else if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v, want %d", c.name, len(got), err, len(want))
		}
	}
}

// TestHuffman reads literals in codes whose weights stand in half bytes (4.2.1.1): of the symbols 0 to 3,
// with weights 2, 1 and 0, the last has what is left to make a power of two, 1. So 0 has one bit, 1, and 1
// and 3 have two, 00 and 01.
func TestHuffman(t *testing.T) {
	weights := []byte{127 + 3, 0x21, 0x00}
	// The first symbol has the highest bits: 0, 1, 3, 0 are 1 00 01 1, and before them is a bit that is set.
	stream := []byte{0b1_1_00_01_1}
	block := func(size, packed int, stream []byte) []byte {
		h := size<<4 | 2 | packed<<14
		return slices.Concat([]byte{byte(h), byte(h >> 8), byte(h >> 16)}, weights, stream)
	}
	for _, c := range []struct {
		name string
		size int
		data []byte
		want string
	}{
		{"four", 4, stream, "\x00\x01\x03\x00"},
		{"fewer than are there", 3, stream, "!has literals that end elsewhere"},
		{"more than are there", 5, stream, "!has literals that end elsewhere"},
		{"no end", 4, []byte{0}, "!has a stream of bits without an end"},
	} {
		got, err := Decompress(frameOf(window, compressed(block(c.size, len(weights)+len(c.data), c.data),
			[]byte{0})),
			100)
		if want, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", c.name, err, want)
			}
		} else if err != nil || string(got) != want {
			t.Errorf("%s: % x, %v, want % x", c.name, got, err, want)
		}
	}
	// The same in four streams of one symbol each, the lengths of three before them.
	streams := []byte{1, 0, 1, 0, 1, 0, 0b11, 0b100, 0b101, 0b11}
	h := 4<<4 | 1<<2 | 2 | (len(weights)+len(streams))<<14
	data := slices.Concat([]byte{byte(h), byte(h >> 8), byte(h >> 16)}, weights, streams, []byte{0})
	got, err := Decompress(frameOf(window, compressed(data)), 100)
	if err != nil || string(got) != "\x00\x01\x03\x00" {
		t.Errorf("four streams: % x, %v", got, err)
	}
	for i := range 5 {
		short := bytes.Clone(streams[:i])
		h := 4<<4 | 1<<2 | 2 | (len(weights)+len(short))<<14
		data := slices.Concat([]byte{byte(h), byte(h >> 8), byte(h >> 16)}, weights, short, []byte{0})
		if _, err := Decompress(frameOf(window, compressed(data)), 100); err == nil {
			t.Errorf("four streams in %d bytes: no error", i)
		}
	}
}

// TestWeights: which weights make a table: their sum, of 2 to the weight less 1, is at most 1024, and what is
// left to a power of two is a power of two.
func TestWeights(t *testing.T) {
	for _, c := range []struct {
		weights []uint8
		bits    []uint8 // of the symbols, 0 for none; nil where they make no table
	}{
		{[]uint8{2, 1, 0}, []uint8{1, 2, 0, 2}},
		{[]uint8{1}, []uint8{1, 1}},
		{[]uint8{1, 1}, []uint8{2, 2, 1}},
		{[]uint8{4, 3, 2, 0, 1}, []uint8{1, 2, 3, 0, 4, 4}}, // RFC 8878, 4.2.1
		{[]uint8{11}, []uint8{1, 1}},
		{nil, nil}, {[]uint8{0, 0}, nil}, {[]uint8{12}, nil}, {[]uint8{11, 11}, nil}, {[]uint8{3, 1}, nil},
		{make([]uint8, 256), nil},
	} {
		h, err := newHuffman(slices.Clone(c.weights))
		if (err == nil) != (c.bits != nil) {
			t.Errorf("%v: %v", c.weights, err)
			continue
		}
		if err != nil {
			continue
		}
		got := make([]uint8, len(c.bits))
		for _, code := range h.codes {
			got[code.symbol] = code.bits
		}
		if !slices.Equal(got, c.bits) || len(h.codes) != 1<<h.log {
			t.Errorf("%v: codes of %v bits, want %v", c.weights, got, c.bits)
		}
	}
}

// TestSequences does sequences whose codes are always the same symbols (3.1.1.3.2.1): literals, a match some
// bytes back.
func TestSequences(t *testing.T) {
	const always = 0b01_01_01_00
	literals := []byte{4 << 3, 'a', 'b', 'c', 'd'}
	for _, c := range []struct {
		name      string
		sequences []byte
		want      string
	}{
		// One literal; of the offset, of which 4 to 7 have two bits, the lowest, 1; three bytes.
		{"one back", []byte{1, always, 1, 2, 0, 0b100}, "aaaabcd"},
		{"further back than there is", []byte{1, always, 1, 2, 0, 0b101},
			"!has a match 2 bytes back, after 1"},
		{"four literals, four back", []byte{1, always, 4, 2, 0, 0b111}, "abcdabc"},
		{"more literals than there are", []byte{1, always, 5, 2, 0, 0b100}, "!ends too early"},
		{"the first offset, 1", []byte{1, always, 4, 0, 0, 0b1}, "abcdddd"},
		{"the second, 4", []byte{1, always, 4, 1, 0, 0b10}, "abcdabc"},
		{"the third, 8", []byte{1, always, 4, 1, 0, 0b11}, "!has a match 8 bytes back, after 4"},
		{"no literals, the second", []byte{1, always, 0, 0, 0, 0b1}, "!has a match 4 bytes back, after 0"},
		{"no literals, the first less 1", []byte{1, always, 0, 1, 0, 0b11},
			"!has a match 0 bytes back, after 0"},
		{"a long match", []byte{1, always, 4, 2, 43, 0b0_0000011, 0b1_0},
			"abcd" + strings.Repeat("d", 131+3)},
		{"two", []byte{2, always, 2, 2, 0, 0b1_00_01}, "abbbbcdcdc"},
		{"two in a count of two bytes", []byte{128, 2, always, 2, 2, 0, 0b1_00_01}, "abbbbcdcdc"},
		{"a count cut off", []byte{128}, "!ends too early"},
		{"a count of three bytes cut off", []byte{255, 0}, "!ends too early"},
		{"a count without more", []byte{1}, "!ends too early"},
		{"one symbol too high, of literals", []byte{1, always, 36, 2, 0, 0b100}, "!one symbol that is none"},
		{"one symbol too high, of offsets", []byte{1, always, 1, 32, 0, 0b100}, "!one symbol that is none"},
		{"one symbol too high, of matches", []byte{1, always, 1, 2, 53, 0b100}, "!one symbol that is none"},
		{"no symbol", []byte{1, always, 1}, "!one symbol that is none"},
		{"a table that is not there", []byte{1, 0b11_01_01_00, 2, 0, 0b100}, "!repeats a table"},
		{"no stream", []byte{1, always, 1, 2, 0}, "!has a stream of bits without an end"},
		{"more bits than it takes", []byte{1, always, 1, 2, 0, 0b1000}, "!has sequences that end elsewhere"},
		{"fewer bits than it takes", []byte{1, always, 1, 2, 0, 0b11}, "!ends too early"},
	} {
		got, err := Decompress(frameOf(window, compressed(literals, c.sequences)), 1<<10)
		if want, bad := strings.CutPrefix(c.want, "!"); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q, error %v, want %q", c.name, got, err, want)
			}
		} else if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, want)
		}
	}
	if _, err := Decompress(frameOf(window, compressed(literals, []byte{1, always, 1, 2, 0, 0b100})),
		6); err == nil {
		t.Error("seven bytes where six are allowed")
	}
	if _, err := Decompress(frameOf(window, compressed(literals, []byte{1, always, 1, 2, 0, 0b100})),
		3); err == nil {
		t.Error("a match of more than is allowed")
	}
}

// TestOffsets: what numbers mean, with the latest three (3.1.1.5).
func TestOffsets(t *testing.T) {
	for _, c := range []struct {
		v    int
		none bool // no literals
		want [3]int
	}{
		{4, false, [3]int{1, 10, 20}}, {13, true, [3]int{10, 10, 20}},
		{1, false, [3]int{10, 20, 30}}, {2, false, [3]int{20, 10, 30}}, {3, false, [3]int{30, 10, 20}},
		{1, true, [3]int{20, 10, 30}}, {2, true, [3]int{30, 10, 20}}, {3, true, [3]int{9, 10, 20}},
	} {
		d := &decoder{offsets: [3]int{10, 20, 30}}
		if got := d.offset(c.v, c.none); got != c.want[0] || d.offsets != c.want {
			t.Errorf("%d, no literals %v: %d of %v, want %v", c.v, c.none, got, d.offsets, c.want)
		}
	}
	for _, c := range []struct {
		p    []byte
		n    int
		rest int
	}{{[]byte{0, 9}, 0, 1}, {[]byte{127, 9}, 127, 1}, {[]byte{128, 5, 9}, 5, 1}, {[]byte{129, 5, 9}, 261, 1},
		{[]byte{254, 255, 9}, 0x7eff, 1}, {[]byte{255, 1, 2, 9}, 0x7f00 + 0x201, 1}} {
		if n, rest, err := sequenceCount(c.p); n != c.n || len(rest) != c.rest || err != nil {
			t.Errorf("% x: %d sequences, %d bytes behind, %v; want %d", c.p, n, len(rest), err, c.n)
		}
	}
}

// TestStateTables: which descriptions make a table (4.1.1): the example of the RFC, and what is damaged.
func TestStateTables(t *testing.T) {
	for _, c := range []struct {
		p         []byte
		maxSymbol int
		want      string
	}{
		{nil, 35, "ends too early"},
		{[]byte{5}, 35, "has a table with 2^10 states, at most 2^9 are allowed"},
		{[]byte{0}, 35, "ends too early"},
		// Of 2^5 states each symbol has one, of which there would be 32.
		{make([]byte, 20), 12, "whose counts are not those of its states"},
		// The first symbol has none, nor have the next three, and three, and so on.
		{append([]byte{0x10, 0xfe}, bytes.Repeat([]byte{0xff}, 10)...), 35, "more symbols than there are"},
	} {
		if _, _, err := readFSE(c.p, 9, c.maxSymbol); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("% x: error %v, want %q", c.p, err, c.want)
		}
	}
	if table, rest, err := readFSE(make([]byte, 20), 9, 35); err != nil || len(table.states) != 32 ||
		len(rest) == 0 ||
		table.states[31].symbol != 0 || table.states[0].symbol != 31 || table.states[5].bits != 5 {
		t.Errorf("a state for each of 32 symbols, the first at the end: %+v, %v", table, err)
	}
	// The table for offsets that is used where none is given (3.1.1.3.2.2.3): each state's bits and base.
	var got []string
	for _, s := range kinds[ofOffset].usual.states {
		got = append(got, fmt.Sprintf("%d/%d/%d", s.symbol, s.bits, s.base))
	}
	want := strings.Fields(`0/5/0 6/4/0 9/5/0 15/5/0 21/5/0 3/5/0 7/4/0 12/5/0
		18/5/0 23/5/0 5/5/0 8/4/0 14/5/0 20/5/0 2/5/0 7/4/16
		11/5/0 17/5/0 22/5/0 4/5/0 8/4/16 13/5/0 19/5/0 1/5/0
		6/4/16 10/5/0 16/5/0 28/5/0 27/5/0 26/5/0 25/5/0 24/5/0`) // RFC 8878, Appendix A.3
	if !slices.Equal(got, want) {
		t.Errorf("the states of offsets are\n%v, want\n%v", got, want)
	}
}
