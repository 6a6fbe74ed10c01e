package ptx

import "testing"

// TestSharedOfOneKernel: variables of the module that one entry alone uses are at the places of others';
// those of several entries, of functions, and those whose address something has, are for all.
func TestSharedOfOneKernel(t *testing.T) {
	m, err := Parse("shared.ptx", `.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.shared .align 4 .b8 common[8];
.shared .align 4 .b8 called[16];
.shared .align 4 .b8 first[100];
.shared .align 4 .b8 second[40];
.shared .align 4 .b8 unused[400];
.shared .align 4 .b8 pointed[4];
.global .u64 pointer = generic(pointed);
.func f() { .reg .u32 %r; ld.shared.u32 %r, [called+4]; ret; }
.entry a() { .reg .u32 %r<2>; ld.shared.u32 %r0, [first]; st.shared.u32 [common], %r0; call f; ret; }
.entry b() { .reg .u32 %r<2>; mov.u32 %r0, second; ld.shared.u32 %r1, [common+4]; ld.shared.u32 %r1, [dynamic]; ret; }
.entry c() { .shared .align 4 .b8 own[20]; .reg .u32 %r; ld.shared.u32 %r, [own]; ld.shared.u32 %r, [late]; ret; }
.shared .align 4 .b8 late[12];
`)
	if err != nil {
		t.Fatal(err)
	}
	const common = 8 + 16 + 400 + 4 + 12
	for name, want := range map[string]uint64{"a": common + 100, "b": common + 40, "c": common + 20} {
		if got := m.Func(name).SharedSize; got != want {
			t.Errorf("kernel %s has %d bytes of shared memory, want %d", name, got, want)
		}
	}
	at := map[string]uint64{}
	for _, v := range m.Vars {
		at[v.Name] = v.Addr
	}
	if at["first"] != common || at["second"] != common || at["dynamic"] != m.SharedSize ||
		m.SharedSize != (common+100+15)/16*16 {
		t.Errorf("places %v, %d bytes in all", at, m.SharedSize)
	}
}
