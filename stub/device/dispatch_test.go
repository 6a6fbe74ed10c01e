//go:build linux

package device_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"simtgdb/stub/device"
)

// scaleShader has two specialisation constants: lanes of a workgroup, and what is added.
const scaleShader = "hostprograms/scale.spv"

// push encodes push constants.
func push(values ...uint32) string {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return string(b)
}

// TestDispatch launches a shader by hand: on a part of memory, from its second workgroup on, with a
// descriptor that it has no use for and one that is empty.
func TestDispatch(t *testing.T) {
	var names []string
	f := connect(t, listen(t, device.Options{Ended: func(l *device.Launch) {
		names = append(names, l.Name())
	}}))
	module := int(word(f.Ask(device.OpLoad, contents(t, scaleShader), 2, 0, push(32), 1, push(7)), 0))
	addr, data := f.Alloc(4096)
	for i := range 128 {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i))
	}
	for _, name := range []string{"", "doubled"} {
		f.Ask(device.OpDispatch, 0, module, 0, 1, 1, 1, 1, 0, 0, 16, 0, name, push(64, 2, 0), 3,
			0, 0, 0, 0, addr+64, 256, 3, 9, 0, 1, addr, 4, 0, 5, 0, 0, 0, 0)
		f.Ask(device.OpWait, 0, 0, 0)
	}
	for i := range 128 {
		want := uint32(i)
		if i >= 16+32 && i < 16+64 {
			want = (want*2+7)*2 + 7
		}
		if got := binary.LittleEndian.Uint32(data[4*i:]); got != want {
			t.Errorf("element %d is %d, want %d", i, got, want)
		}
	}
	if got := strings.Join(names, " "); got != "scale.comp doubled" {
		t.Errorf("the launches are called %s", got)
	}
}

// TestDispatchRefusals asks for dispatches that there are not, and of one whose buffer is missing, or is not
// there any more: that puts the device into a condition.
func TestDispatchRefusals(t *testing.T) {
	f := connect(t, listen(t, device.Options{}))
	f.Ask(device.OpLoad, contents(t, scaleShader), 2, 0, push(32), 1, push(7))
	f.Ask(device.OpLoad, contents(t, "co/saxpy.gfx90a.O2.co"), 0)
	for _, c := range []struct {
		want device.Status
		args []any
	}{
		{device.NotFound, []any{0, 9, 0, 1, 1, 1, 0, 0, 0, 0, 0, "", "", 0}},
		{device.NotFound, []any{0, 0, 9, 1, 1, 1, 0, 0, 0, 0, 0, "", "", 0}},
		{device.BadLaunch, []any{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, "", "", 0}},
		{device.BadLaunch, []any{0, 0, 0, 1 << 31, 1, 1, 0, 0, 0, 0, 0, "", "", 0}},
		{device.BadLaunch, []any{0, 0, 0, 1, 1, 1, 1 << 31, 0, 0, 0, 0, "", "", 0}},
		{device.BadLaunch, []any{0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0, "", "", 0}},
	} {
		if s, b := f.Try(device.OpDispatch, c.args...); s != c.want {
			t.Errorf("%v: status %d, want %d: %s", c.args, s, c.want, b)
		}
	}
	for _, c := range []struct {
		args []any
		want string
		is   device.Status
	}{
		{[]any{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, "", push(32, 1, 0), 0}, "is used and has no buffer",
			device.Failed},
		{[]any{0, 0, 0, 1, 1, 1, 0, 0, 0, 7, 0, "", push(32, 1, 0), 0}, "subgroup size 7", device.Failed},
		{[]any{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, "", push(32), 1, 0, 0, 0, 0, 0, 0}, "push constants: 4 bytes",
			device.Failed},
		{[]any{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, "", push(32, 1, 0), 1, 0, 0, 0, 0, 0x1234, 64},
			"unmapped address", device.Faulted},
	} {
		f.Ask(device.OpReset)
		c.args[1] = int(word(f.Ask(device.OpLoad, contents(t, scaleShader), 2, 0, push(32), 1, push(7)), 0))
		f.Ask(device.OpDispatch, c.args...)
		b := f.Ask(device.OpWait, 0, 0, 0)
		if s := device.Status(word(b, 1)); s != c.is || !strings.Contains(string(b), c.want) {
			t.Errorf("%v: condition %d: %s", c.args, s, b)
		}
	}
	if s, _ := f.Try(device.OpDispatch, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, "", "", 1, 0, 0, 0, 9, 0, 0); s !=
		device.WrongProtocol {
		t.Errorf("a binding of kind 9: status %d", s)
	}
}
