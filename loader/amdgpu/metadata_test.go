package amdgpu

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"simtgdb/loader/msgpack"
)

// MessagePack for the tests: short strings, arrays and maps only.
func packString(s string) string { return string([]byte{0xd9, byte(len(s))}) + s }

func packArray(items ...string) string {
	return string([]byte{0xdc, 0, byte(len(items))}) + strings.Join(items, "")
}

// packMap takes keys, which are strings, and values, which are packed.
func packMap(keysAndValues ...string) string {
	s := string([]byte{0xde, 0, byte(len(keysAndValues) / 2)})
	for i := 0; i < len(keysAndValues); i += 2 {
		s += packString(keysAndValues[i]) + keysAndValues[i+1]
	}
	return s
}

// packMetadata makes metadata with a kernel that has these further entries.
func packMetadata(kernel ...string) string {
	kernel = append([]string{".name", packString("k"), ".symbol", packString("k.kd")}, kernel...)
	return packMap("amdhsa.version", packArray("\x01", "\x02"), "amdhsa.kernels",
		packArray(packMap(kernel...)))
}

func TestMetadataErrors(t *testing.T) {
	arg := func(kv ...string) string {
		return packMetadata(".kernarg_segment_size", "\x08", ".args", packArray(packMap(kv...)))
	}
	tests := []struct{ name, in, part string }{
		{"not MessagePack", "\xc1", "begins no value"},
		{"not a map", packArray(), "array, want map (metadata offset 0x0)"},
		{"key", "\x81\x05\x05", "integer, want string"},
		{"no version", packMap(), "amdhsa.version 0.0, want 1.x"},
		{"version 2", packMap("amdhsa.version", packArray("\x02", "\x00")), "amdhsa.version 2.0"},
		{"short version", packMap("amdhsa.version", packArray("\x01")), "amdhsa.version: array of 1, want 2"},
		{"version kind", packMap("amdhsa.version", "\x01"), "amdhsa.version: integer, want array"},
		{"target", packMap("amdhsa.target", "\x01"), "amdhsa.target: integer, want string"},
		{"printf", packMap("amdhsa.printf", packArray(packString("1:0:x"), "\x01")),
			"amdhsa.printf[1]: integer, want string"},
		{"kernels", packMap("amdhsa.kernels", packArray("\x01")), "amdhsa.kernels[0]: integer, want map"},
		{"size kind", packMetadata(".kernarg_segment_size", packString("8")),
			"amdhsa.kernels[0].kernarg_segment_size: string, want integer"},
		{"negative size", packMetadata(".kernarg_segment_size", "\xff"), "out of range"},
		{"large size", packMetadata(".kernarg_segment_size", "\xcf\x00\x00\x00\x01\x00\x00\x00\x00"),
			"out of range"},
		{"flag", packMetadata(".uses_dynamic_stack", packString("true")),
			".uses_dynamic_stack: string, want boolean"},
		{"workgroup size", packMetadata(".reqd_workgroup_size", packArray("\x01", "\x01", packString("1"))),
			"amdhsa.kernels[0].reqd_workgroup_size[2]: string, want integer"},
		{"wavefront size", packMetadata(".wavefront_size", "\x10"), `kernel "k": wavefront size 16`},
		{"alignment", packMetadata(".kernarg_segment_align", "\x0c"), "alignment 12 is no power of two"},
		{"no name", packMap("amdhsa.version", packArray("\x01", "\x02"), "amdhsa.kernels",
			packArray(packMap())), "amdhsa.kernels[0]: the kernel has no .name"},
		{"no symbol", packMap("amdhsa.version", packArray("\x01", "\x02"), "amdhsa.kernels",
			packArray(packMap(".name", packString("k")))), `kernel "k": no .symbol`},
		{"argument", packMetadata(".args", packArray(packMap(".offset", packString("0")))),
			"amdhsa.kernels[0].args[0].offset: string, want integer"},
		{"argument outside", arg(".name", packString("x"), ".offset", "\x04", ".size", "\x08", ".value_kind",
			packString("by_value")), `kernel "k": argument 0 x at bytes 4 to 12 of a kernarg segment of 8`},
		{"argument without a kind", arg(".offset", "\x00", ".size", "\x08"), "argument 0 has no .value_kind"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := decodeMetadata([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.part) {
				t.Errorf("error %v, want %q", err, tt.part)
			}
		})
	}
	_, err := decodeMetadata([]byte("\xc1"))
	var me *msgpack.Error
	if !errors.As(err, &me) {
		t.Errorf("error %v is no msgpack.Error", err)
	}
}

// Entries of newer compilers do not hinder, and are kept.
func TestMetadataUnknownEntries(t *testing.T) {
	in := packMetadata(".new_thing", packArray("\x01"), ".kernarg_segment_size", "\x08",
		".uses_dynamic_stack", "\xc3",
		".uniform_work_group_size", "\x01", ".args",
		packArray(packMap(".value_kind", packString("hidden_new"),
			".size", "\x08", ".offset", "\x00")))
	m, err := decodeMetadata([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	k := m.kernels[0]
	if !k.DynamicStack || !k.UniformWorkgroupSize || len(k.Args) != 1 || !k.Args[0].Hidden ||
		k.Args[0].Kind.String() != "hidden_new" {
		t.Errorf("%+v", k)
	}
	kernels, _ := m.root.Get("amdhsa.kernels")
	elems, _ := kernels.Array()
	if v, ok := elems[0].Get(".new_thing"); !ok || v.Kind() != msgpack.Array {
		t.Errorf(".new_thing = %v, %v", v, ok)
	}
}

// partNote is the note that one compiled part of a code object left.
func partNote(t testing.TB, target, kernel, printf string) *metadata {
	t.Helper()
	m, err := decodeMetadata([]byte(packMap("amdhsa.version", packArray("\x01", "\x02"), "amdhsa.target",
		packString(target), "amdhsa.printf", packArray(packString(printf)), "amdhsa.kernels",
		packArray(packMap(".name", packString(kernel), ".symbol", packString(kernel+".kd"))))))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// BenchmarkManyNotes adds as many notes as rocBLAS's largest code object has, 14,000: time that grows with
// their square is minutes there.
func BenchmarkManyNotes(b *testing.B) {
	notes := make([]*metadata, 14_000)
	for i := range notes {
		notes[i] = partNote(b, "a", fmt.Sprint("k", i), "1:0:x")
	}
	for b.Loop() {
		m := partNote(b, "a", "first", "1:0:x")
		for _, n := range notes {
			if err := m.add(n); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// TestMetadataOfSeveralNotes adds the notes of the parts that a linker compiled.
func TestMetadataOfSeveralNotes(t *testing.T) {
	note := func(target, kernel, printf string) *metadata { return partNote(t, target, kernel, printf) }
	m := note("a", "k", "1:0:x")
	if err := m.add(note("a", "other", "2:0:y")); err != nil {
		t.Fatal(err)
	}
	if len(m.kernels) != 2 || m.kernels[1].Name != "other" || strings.Join(m.printf, " ") != "1:0:x 2:0:y" {
		t.Errorf("%+v", m)
	}
	if err := m.add(note("", "no target", "3:0:z")); err != nil || m.target != "a" {
		t.Errorf("a part without target: %v, target %q", err, m.target)
	}
	first := note("", "no target", "3:0:z")
	if err := first.add(note("a", "k", "1:0:x")); err != nil || first.target != "a" {
		t.Errorf("a first part without target: %v, target %q", err, first.target)
	}
	newer := note("a", "third", "4:0:z")
	newer.version[1]++
	for want, more := range map[string]*metadata{
		"a note before, too":                          note("a", "other", "2:0:y"),
		"amdhsa.target is b, and a in the note":       note("b", "third", "3:0:z"),
		"amdhsa.version is [1 3], and [1 2] in the n": newer,
	} {
		if err := m.add(more); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
