package decode_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"simtgdb/stub/printf"
	"simtgdb/stub/printf/decode"
)

// An image builds the contents of a buffer: numbers by their own size, strings
// as they are.
func image(values ...any) []byte {
	var b bytes.Buffer
	for _, v := range values {
		switch v := v.(type) {
		case string:
			b.WriteString(v)
		case int:
			binary.Write(&b, binary.LittleEndian, uint32(v))
		default:
			binary.Write(&b, binary.LittleEndian, v)
		}
	}
	return b.Bytes()
}

const hole = "\xfe\xfe\xfe\xfe"

// holding is a buffer of 4096 bytes with records in it.
func holding(r decode.Reader, records []byte) []byte {
	buf := make([]byte, 4096)
	r.Init(buf)
	if _, ok := r.(*decode.LLPC); ok {
		binary.LittleEndian.PutUint64(buf, uint64(len(records)/4))
		copy(buf[16:], records)
	} else {
		binary.LittleEndian.PutUint32(buf, uint32(len(records)))
		copy(buf[8:], records)
	}
	return buf
}

// texts walks a buffer to its end.
func texts(r decode.Reader, buf []byte, w decode.Writer) (all []string, err error) {
	for {
		record, ok, err := r.Next(buf, w)
		if err != nil || !ok {
			return all, err
		}
		text := string(record.Text)
		if record.Stderr {
			text = "stderr: " + text
		}
		if record.Problems != 0 {
			text += " (" + record.Problems.String() + ")"
		}
		all = append(all, text)
	}
}

// The entries are clang 22's; how values are stored was read from the IR that
// AMDGPUPrintfRuntimeBinding makes of each call.
var openclTests = []struct {
	entry  string
	record []byte
	want   string
}{
	{`1:0:none 100%%\n`, image(1), "none 100%\n"},
	{`1:2:8:4:%s|%d\n`, image(1, "abcd", 7, hole), "abcd|7\n"},
	{`1:2:8:4:%s|%d\n`, image(1, "abcde\x00\x00\x00", -7), "abcde|-7\n"},
	{`1:2:8:4:%s|%d\n`, image(1, "abcd", 0x6867, hole), "abcd|26727\n"},
	{`1:4:4:4:8:12:%s%s%s|%s\n`, image(1, 0xffffff00, "abc\x00", "abcde\x00\x00\x00", "abcdefgh", hole),
		"abcabcde|abcdefgh\n"},
	// A compiler that announces what it stores.
	{`1:2:4:8:%s|%s\n`, image(1, "abcd", "abcdefgh"), "abcd|abcdefgh\n"},
	{`1:4:8:4:8:4:%s%d%s%d`, image(1, "abcd", 5, "xyz12\x00\x00\x00", 6, hole), "abcd5xyz126"},
	{`1:4:8:4:8:4:%s%d%s%d`, image(1, "abcde\x00\x00\x00", 5, "xyz1", 6, hole), "abcde5xyz16"},
	{`1:3:8:8:8:%s%s%s`, image(1, "abcd", "efgh", "ijkl", hole, hole, hole), "abcdefghijkl"},
	{`1:2:16:16:%v4hlf %v3hlf\n`, image(1, float32(1), float32(2), float32(3), float32(4),
		float32(5), float32(6), float32(-7.5), hole),
		"1.000000,2.000000,3.000000,4.000000 5.000000,6.000000,-7.500000\n"},
	{`1:4:8:4:8:4:%v2hhd %v3hhd %v3hd %v2hf\72\n`, image(1, 1, 0xff,
		"\x03\x04\xff\xfe", int16(7), int16(8), int16(-9), "\xfe\xfe", uint16(0x3c00), uint16(0xc000)),
		"1,-1 3,4,-1 7,8,-9 1.000000,-2.000000:\n"},
	{`1:2:32:16:%v3ld %v16hhx\n`, image(1, int64(1), int64(2), int64(-3), hole, hole, "0123456789abcdef"),
		"1,2,-3 30,31,32,33,34,35,36,37,38,39,61,62,63,64,65,66\n"},
	{`1:7:4:8:4:4:8:8:4:%f %e %f %c %ld %p %hhd\n`, image(1, float32(1.0/3), 1.0, float32(2.5), int('x'),
		int64(-5), uint64(0x7e0010000000), 0x1ff), "0.333333 1.000000e+00 2.500000 x -5 0x7e0010000000 -1\n"},
	{`1:4:4:8:%.*f|%*d\n`, image(1, 2, 1.5), "1.50|%*d\n (fewer values than conversions)"},
	{`1:1:4:%s`, image(1, "???\x00"), "???"},
}

func TestOpenCL(t *testing.T) {
	for _, c := range openclTests {
		s := decode.ReadStrings([]string{c.entry})
		if s.HIP() || len(s.Warnings) != 0 {
			t.Errorf("%q: %q", c.entry, s.Warnings)
		}
		r := decode.NewBuffer(s)
		got, err := texts(r, holding(r, c.record), decode.Gone)
		if err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%q %q: %q, %v; want %q", c.entry, c.record, got, err, c.want)
		}
	}
}

// TestIncomplete walks while records are still being written: at every dword
// of the second record nothing may come of it or of what follows it.
func TestIncomplete(t *testing.T) {
	s := decode.ReadStrings([]string{`1:2:8:4:%s|%d\n`})
	first := image(1, "abcde\x00\x00\x00", 7)
	second := image(1, "12345\x00\x00\x00", 8)
	r := decode.NewBuffer(s)
	buf := holding(r, append(append(append([]byte{}, first...), strings.Repeat(hole, 4)...), first...))
	if got, err := texts(r, buf, decode.Writing); fmt.Sprint(got) != "[abcde|7\n]" || err != nil {
		t.Fatalf("%q, %v", got, err)
	}
	for at := 0; at < len(second); at += 4 {
		if got, err := texts(r, buf, decode.Writing); got != nil || err != nil {
			t.Fatalf("with %d bytes: %q, %v", at, got, err)
		}
		copy(buf[8+16+at:], second[at:at+4])
	}
	if got, err := texts(r, buf, decode.Writing); fmt.Sprint(got) != "[12345|8\n abcde|7\n]" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	// What the kernel left incomplete comes out at its end.
	r.Init(buf)
	copy(buf, image(16))
	copy(buf[8:], image(1, "abcd", 7))
	if got, err := texts(r, buf, decode.Writing); got != nil || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := texts(r, buf, decode.Resting); fmt.Sprint(got) != "[abcd|7\n]" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestHIP(t *testing.T) {
	constant := func(bytes int) int { return bytes<<2 | 2 }
	s := decode.ReadStrings([]string{"0:0:ab12,%d: %s, %s\n", "0:0:7,%s%c%s", "0:0:8,%5.1f%%"})
	if !s.HIP() || len(s.Warnings) != 0 {
		t.Fatal(s.Warnings)
	}
	for _, c := range []struct {
		record []byte
		want   string
	}{
		{image(constant(36), uint64(0xab12), uint64(0xffffffff), "abcdefg\x00",
			"x\x00\xfe\xfe\xfe\xfe\xfe\xfe"), "-1: abcdefg, x\n"},
		{image(constant(28), uint64(0xab12), uint64(5), "ab\x00\x00\x00\x00\x00\x00"), "5: ab, (null)\n"},
		{image(constant(20), uint64(7), uint64('c')), "(null)c(null)"},
		{image(constant(20)|1, uint64(8), -1.25), "stderr:  -1.2%"},
		{image(28<<2, "%d %ld\x00\x00", uint64(1<<40+2), uint64(1<<40)), "2 1099511627776"},
		{image(constant(12), uint64(8)), "%5.1f% (fewer values than conversions)"},
	} {
		r := decode.NewBuffer(s)
		got, err := texts(r, holding(r, c.record), decode.Gone)
		if err != nil || len(got) != 1 || got[0] != c.want {
			t.Errorf("%q: %q, %v; want %q", c.record, got, err, c.want)
		}
	}
	// Copied byte by byte.
	whole := image(constant(36), uint64(0xab12), uint64(1), "abcdefg\x00", "x\x00\xfe\xfe\xfe\xfe\xfe\xfe")
	r := decode.NewBuffer(s)
	buf := holding(r, []byte(strings.Repeat("\xfe", len(whole))))
	for at := range len(whole) - 6 {
		if got, err := texts(r, buf, decode.Writing); got != nil || err != nil {
			t.Fatalf("with %d bytes: %q, %v", at, got, err)
		}
		step := copy(buf[8+at:], whole[at:at+1])
		if at < 20 && at%4 == 0 { // these are stored as dwords
			step = copy(buf[8+at:], whole[at:at+4])
		}
		_ = step
	}
	if got, err := texts(r, buf, decode.Writing); fmt.Sprint(got) != "[1: abcdefg, x\n]" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestHIPMessage(t *testing.T) {
	r, err := decode.HIPMessage(image(uint64(1), "%s=%*d\n\x00", "value\x00\x00\x00", uint64(4), uint64(42)))
	if err != nil || string(r.Text) != "value=  42\n" || !r.Stderr {
		t.Errorf("%q, %v", r.Text, err)
	}
	for _, bad := range [][]byte{nil, image(1), image(uint64(2), "a\x00")} {
		if _, err := decode.HIPMessage(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestLLPC(t *testing.T) {
	entry := func(id, dwords uint64) uint64 { return id<<16 | dwords }
	long := strings.Repeat("%u ", 34) + "%lu"
	wide := []any{entry(8, 2+36)}
	for i := range 34 {
		wide = append(wide, i)
	}
	wide = append(wide, uint64(1<<33))
	r := decode.NewLLPC([]decode.LLPCString{
		{Index: 0xffff_1234_5678, String: "%d and %f%%\n\x00", Arguments: 2, Wide: []uint64{0}},
		{Index: 5, String: "%ul %v2lf", Arguments: 3, Wide: []uint64{7}},
		{Index: 6, String: "%v3f|%d", Arguments: 4},
		{Index: 7, String: "%v3f|%d", Arguments: 2},
		{Index: 8, String: long, Arguments: 35, Wide: []uint64{1 << 2}}, // LLPC's shift of 34
		{Index: 9, String: "nothing"},
		{Index: 9, String: "else"},
	})
	if len(r.Warnings) != 1 {
		t.Errorf("warnings: %q", r.Warnings)
	}
	buf := holding(r, bytes.Join([][]byte{
		image(entry(0xffff_1234_5678, 4), -5, float32(0.5)),
		image(entry(5, 8), uint64(math.MaxUint64), 0.25, -2.0),
		image(entry(6, 6), float32(1), float32(2), float32(3), 4),
		image(entry(7, 4), float32(1), 4),
		image(wide...),
		image(entry(9, 2)),
		image(entry(5, 3), 1),
	}, nil))
	got, err := texts(r, buf, decode.Writing)
	want := []string{"-5 and 0.500000%\n", "18446744073709551615 0.250000, -2.000000",
		"1.000000, 2.000000, 3.000000|4", "1.000000|4 (fewer values than conversions)",
		strings.TrimSuffix(fmt.Sprintln(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
			19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 1<<33), "\n"),
		"nothing", "1 %v2lf (fewer values than conversions)"}
	if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%q, %v\nwant %q", got, err, want)
	}
}

func TestLLPCOverflow(t *testing.T) {
	r := decode.NewLLPC([]decode.LLPCString{{Index: 1, String: "%u,", Arguments: 1}})
	buf := make([]byte, 16+4*8)
	r.Init(buf)
	binary.LittleEndian.PutUint64(buf, 12)
	copy(buf[16:], image(uint64(1<<16|3), 10, uint64(1<<16|3), 11, uint64(1<<16|3)))
	got, err := texts(r, buf, decode.Gone)
	if fmt.Sprint(got) != "[10, 11,]" || err != nil || r.Overflow(buf) != 4 {
		t.Errorf("%q, %v, %d dwords over", got, err, r.Overflow(buf))
	}
}

// TestErrors walks buffers that have been overwritten.
func TestErrors(t *testing.T) {
	opencl := decode.ReadStrings([]string{"1:1:4:%d"})
	none := decode.ReadStrings(nil)
	for _, c := range []struct {
		reader decode.Reader
		record []byte
		want   string
	}{
		{decode.NewBuffer(opencl), image(9, 1), "record at 0x8: ID 9 is not in amdhsa.printf, which has 1"},
		{decode.NewBuffer(opencl), image(1), "record at 0x8: ID 1 has 8 bytes, 4 are left"},
		{decode.NewBuffer(none), image(4096 << 2), "4096 bytes by its control dword 0x4000, 4 are left"},
		{decode.NewBuffer(none), image(12<<2|2, uint64(3)), "format 0x3 is not in amdhsa.printf"},
		{decode.NewBuffer(none), image(1, 0), "0 bytes by its control dword"},
		{decode.NewLLPC(nil), image(uint64(3<<16 | 2)),
			"entry at 0x10: identifier 0x3 is not in amdpal.format_strings"},
		{decode.NewLLPC([]decode.LLPCString{{Index: 3}}), image(uint64(3 << 16)),
			"0 bytes, less than its header"},
		{decode.NewLLPC([]decode.LLPCString{{Index: 3}}), image(uint64(3<<16 | 9)), "36 bytes, 8 are left"},
	} {
		got, err := texts(c.reader, holding(c.reader, c.record), decode.Gone)
		if got != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %q, %v; want %q", c.record, got, err, c.want)
		}
		if _, ok, err := c.reader.Next(holding(c.reader, nil), decode.Gone); ok || err != nil {
			t.Errorf("%q: goes on after an error", c.record)
		}
	}
}

func TestStrings(t *testing.T) {
	for entry, want := range map[string]string{
		"":                 `want ID:COUNT:SIZE…:FORMAT`,
		"0:1:4:%d":         `want ID:COUNT:SIZE…:FORMAT`,
		"x:1:4:%d":         `want ID:COUNT:SIZE…:FORMAT`,
		"1:x:4:%d":         `want ID:COUNT:SIZE…:FORMAT`,
		"4294967296:1:4:x": `want ID:COUNT:SIZE…:FORMAT`,
		"1:1":              `want ID:COUNT:SIZE…:FORMAT`,
		"1:1:99999999:%d":  `a value of 99999999 bytes`,
		"0:0:xyz,%d":       `want a hash in hexadecimal`,
		"0:0:12":           `want a hash in hexadecimal`,
		"1:4294967295:4:x": "",
	} {
		s := decode.ReadStrings([]string{entry})
		if want == "" && len(s.Warnings) == 0 {
			continue
		}
		if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], want) || want == "" {
			t.Errorf("%q: %q, want %q", entry, s.Warnings, want)
		}
	}
	if s := decode.ReadStrings([]string{"1:0:a", "1:0:b", "0:0:1,a", "0:0:1,b"}); len(s.Warnings) != 2 {
		t.Errorf("%q", s.Warnings)
	}
}

func TestVprintf(t *testing.T) {
	data := image(5, 0, uint64(0x100), 'c', 0, 1.5, uint64(0), uint64(0xdead))
	load := func(offset, size uint64) (uint64, bool) {
		if offset+size > uint64(len(data)) {
			return 0, false
		}
		var word [8]byte
		copy(word[:], data[offset:offset+size])
		return binary.LittleEndian.Uint64(word[:]), true
	}
	text := func(address uint64) ([]byte, bool) { return []byte("text"), address == 0x100 }
	r, n := decode.Vprintf(printf.C, "%hhd %s %c %g %s %s %d\n", load, text)
	want := "5 text c 1.5 (null) 0xdead %d\n"
	if string(r.Text) != want || n != 6 || r.Problems != printf.MissingValue|printf.NotAString {
		t.Errorf("%q, %d arguments (%v), want %q", r.Text, n, r.Problems, want)
	}
}

// TestVprintfOpenCL: OpenCL C has vectors, whose elements are not promoted, and those of three take the place
// of four.
func TestVprintfOpenCL(t *testing.T) {
	data := image(float32(1.5), float32(-2), uint64(0), int8(1), int8(-2), int8(3), int8(4), uint32(0),
		int16(5), int16(-6), int16(7), int16(0), 8, 9, uint64(0), uint64(1)<<40, ^uint64(0), 42)
	load := func(offset, size uint64) (uint64, bool) {
		if offset+size > uint64(len(data)) {
			return 0, false
		}
		var word [8]byte
		copy(word[:], data[offset:offset+size])
		return binary.LittleEndian.Uint64(word[:]), true
	}
	none := func(uint64) ([]byte, bool) { return nil, false }
	r, n := decode.Vprintf(printf.OpenCL, "%v2hlf %f %v4hhd %v3hd %d %d %v2ld %d\n", load, none)
	const want = "1.500000,-2.000000 0.000000 1,-2,3,4 5,-6,7 8 9 1099511627776,-1 42\n"
	if string(r.Text) != want || n != 8 || r.Problems != 0 {
		t.Errorf("%q, %d arguments (%v), want %q", r.Text, n, r.Problems, want)
	}
}

// FuzzBuffer walks a buffer of any contents with the entries of any metadata.
func FuzzBuffer(f *testing.F) {
	for _, c := range openclTests {
		f.Add(c.entry, c.record)
	}
	f.Add("0:0:ab12,%d: %s, %s\n",
		image(36<<2|2, uint64(0xab12), uint64(1), "abcdefg\x00", "x\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, entries string, record []byte) {
		r := decode.NewBuffer(decode.ReadStrings(strings.Split(entries, "\x00")))
		walk(t, r, record)
	})
}

// FuzzLLPC walks a buffer of any contents.
func FuzzLLPC(f *testing.F) {
	f.Add("%d and %v2f", uint64(2), uint64(0), image(uint64(1<<16|4), 1, 2))
	f.Add("%ul", uint64(40), uint64(math.MaxUint64), image(uint64(1<<16|4), uint64(1)))
	f.Fuzz(func(t *testing.T, format string, arguments, marks uint64, record []byte) {
		walk(t, decode.NewLLPC([]decode.LLPCString{{1, format, arguments, []uint64{marks}}}), record)
	})
}

// walk reads all of a buffer, before and at the end of the kernel.
func walk(t *testing.T, r decode.Reader, record []byte) {
	if len(record) > 2048 {
		return
	}
	buf := holding(r, record)
	last := 0
	for _, w := range []decode.Writer{decode.Writing, decode.Resting, decode.Gone} {
		for {
			got, ok, err := r.Next(buf, w)
			if !ok || err != nil {
				break
			}
			if got.Offset < last || got.Size <= 0 || got.Offset+got.Size > len(buf) {
				t.Fatalf("record at %#x with %d bytes after %#x", got.Offset, got.Size, last)
			}
			last = got.Offset + got.Size
		}
	}
}

// FuzzHIPMessage reads a message of any contents.
func FuzzHIPMessage(f *testing.F) {
	f.Add(image(uint64(0), "%s=%d\n\x00\x00", "value\x00\x00\x00", uint64(42)))
	f.Fuzz(func(t *testing.T, message []byte) { decode.HIPMessage(message) })
}
