package expr

import (
	"encoding/hex"
	"testing"
)

// TestIntelObject tells what Intel's compiler writes of arrays in registers and of vectors in memory from
// what it writes of scalars, in halves of two runs of registers too, and of parts.
func TestIntelObject(t *testing.T) {
	const (
		element = "ed 30 25 23 32 eb ed 0c ffffffff 1a 0a 0005 1e 30 ec 9f"
		scalar  = "ed 33 25 23 68 eb ed 37 1a 0820 1e 0820 ec 9f"
		address = "ed 32 25 23 3f eb ed 33 1a 0840 1e 0840 ec"
		other   = "ed 32 25 23 41 eb ed 33 1a 0840 1e 0840 ec"
		high    = "ed 40 1c 30 25 23 22 eb ed 30 1a 0a 0001 1e 30 ec 9f"

		short    = "ed 33 25 23 47 eb ed 37 1a 0820 1e 40 ec 9f"
		packed   = "ed 0810 1e 23 00 38 25 23 47 eb ed 0810 1e 23 00 08ff 1a 0810 ec 9f"
		char     = "ed 33 25 23 41 eb ed 37 1a 0820 1e 38 ec 9f"
		highChar = "ed 40 1c 33 25 23 46 eb ed 37 1a 0820 1e 38 ec 9f"

		// An element as DWARF has it: of 32 bits, the first and the second of 16 lanes.
		first  = "ed 0820 1e 23 00 38 25 23 32 eb ed 0820 1e 23 00 08ff 1a 0820 ec 9f 9304"
		second = "ed 0820 1e 23 8004 38 25 23 32 eb ed 0820 1e 23 8004 08ff 1a 0820 ec 9f 9304"
		highs  = "ed 40 1c 0820 1e 23 00 38 25 23 22 eb ed 40 1c 0820 1e 23 00 08ff 1a 0820 ec 9f 9304" +
			"ed 40 1c 0820 1e 23 8004 38 25 23 22 eb ed 40 1c 0820 1e 23 8004 08ff 1a 0820 ec 9f 9304"
	)
	for _, tt := range []struct {
		name, code string
		size       uint64
		lanes      int
		want       string // "": what is written describes no object
	}{
		{"a scalar", scalar, 4, 16, scalar},
		{"an array of two", element + element, 8, 16, first + second},
		{"of three, with room for four", element + element + element, 16, 16,
			first + second + "ed 0820 1e 23 8008 38 25 23 32 eb ed 0820 1e 23 8008 08ff 1a 0820 ec 9f 9304 9304"},
		{"of one", element, 4, 16, first},
		{"of more than the registers hold", element + element, 1 << 20, 16, ""},
		{"for no known number of lanes", element + element, 8, 0, ""},
		{"in halves", "ed 40 2a 282b00" + element + element + "2f2400" + high + high, 8, 32,
			"ed 40 2a 283900" + first + second + "2f3e00" + highs},
		{"an address", address, 16, 8, address},
		{"an address for each element", address + other + other + other, 16, 8, address},
		{"values and addresses", address + element, 8, 8, ""},
		{"parts", scalar + "9304" + scalar + "9304", 8, 16, scalar + "9304" + scalar + "9304"},
		{"a part of less than the object", scalar + "9304", 8, 16, ""},
		{"a part of all", scalar + "9d2000", 4, 16, scalar + "9d2000"},
		{"a part, and what is of none", scalar + "9304" + scalar + scalar, 8, 16, ""},
		{"of two bytes", short, 2, 16, packed},
		{"of one byte, in halves", "ed 40 2a 281200" + char + "2f1100" + highChar, 1, 32,
			"ed 40 2a 281b00" + "ed 0808 1e 23 00 38 25 23 41 eb ed 0808 1e 23 00 08ff 1a 0808 ec 9f" + "2f1c00" +
				"ed 40 1c 0808 1e 23 00 38 25 23 46 eb ed 40 1c 0808 1e 23 00 08ff 1a 0808 ec 9f"},
		{"of two bytes, in wide registers", "ed 34 25 23 47 eb ed 3f 1a 0820 1e 40 ec 9f", 2, 32,
			"ed 0810 1e 23 00 39 25 23 47 eb ed 0810 1e 23 00 0aff01 1a 0810 ec 9f"},
		{"of two bytes, in memory", "ed 33 25 23 47 eb ed 37 1a 0820 1e 40 ec", 2, 16,
			"ed 33 25 23 47 eb ed 37 1a 0820 1e 40 ec"},
		{"two ways", "ed 40 2a 281300" + scalar + "2f1000" + scalar, 4, 32, "ed 40 2a 281300" + scalar + "2f1000" + scalar},
		{"what LLVM computes of two values", "68 0840 0840 ec 051000 051001 0110 20 05 0110 40 05 1004 1e 22 9f", 8, 32, ""},
		{"nothing", "", 4, 16, ""},
		{"cut off", scalar + "93", 4, 16, scalar + "93"},
	} {
		got, ok := IntelObject(unhex(squeeze(tt.code)), Format{AddressSize: 8}, tt.size, tt.lanes)
		if hex.EncodeToString(got) != squeeze(tt.want) || ok != (tt.want != "" || tt.code == "") {
			t.Errorf("%s: %v\n%x, want\n%s", tt.name, ok, got, squeeze(tt.want))
		}
	}
}
