package gen

import (
	"testing"

	"simtgdb/simt"
)

// TestWork: what instructions compute, in iga64's text, of a thread with 16 channels.
func TestWork(t *testing.T) {
	for text, want := range map[string]simt.Arithmetic{
		"        add (16|M0)              r12.0<1>:d    r5.7<0;1,0>:d     r48.0<8;8,1>:d":            {Integers: 1},
		"        mad (16|M0)              r10.0<1>:f    r5.0<8;8,1>:f     r4.0<8;8,1>:f   r2.0<1>:f": {Floats: 2},
		"(W)     shl (1|M0)               r5.7<1>:d     r122.1<0;1,0>:d   4:w":                       {Integers: 1, Wave: true},
		"        mul (8|M8)               r86.0<1>:f    r8.0<8;8,1>:f     r5.6<0;1,0>:f":             {Floats: 8, Wave: true},
		"(f0.0)  math.inv (16|M0)         r10.0<1>:f    r8.0<8;8,1>:f":                               {Floats: 1},
		"        mov (16|M0)              r10.0<1>:f    r8.0<8;8,1>:f":                               {},
		"        send (16|M0)             r10:w    r8      0xC           0x02106E00":                 {},
		"        dpas.8x8 (8|M0)          r10:f    r18:f   r2:bf   r6.0:bf":                          {Floats: 8 * 2 * 8 * 8 * 2, Wave: true},
		"        dpas.8x4 (8|M0)          r10:d    r18:d   r2:b    r6.0:ub":                          {Integers: 8 * 2 * 8 * 4 * 4, Wave: true},
	} {
		if got := work(text, 16); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}
