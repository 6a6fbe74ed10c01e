package ptx_test

import (
	"strings"
	"testing"

	"simtgdb/simt/check"
)

// TestBoundsAlike: an access that leaves the variable that it is meant for, in the last rounds of a loop that
// has been translated by then, is told of as in code that is not, whether it depends on the way which
// variable that is or not.
func TestBoundsAlike(t *testing.T) {
	const loop = sharesHead + `	.shared .align 4 .b8 first[512];
	.shared .align 4 .b8 second[4096];
	mov.u32 %r1, %tid.x;
	mov.u32 %r4, 0;
	mov.u32 %r8, second;
	mov.u32 %r9, 1;
BEGIN
LOOP:
	shl.b32 %r5, %r1, 2;
	shl.b32 %r6, %r4, 3;
	add.u32 %r5, %r5, %r6;
	add.u32 %r6, %r3, %r5;
	ACCESS
	add.u32 %r4, %r4, 1;
	setp.lt.u32 %p2, %r4, 60;
	@%p2 bra LOOP;
	ret;
}
`
	const one = "\tmov.u32 %r3, first;"
	for i, test := range []struct {
		begin, access string
		found         bool
	}{
		{one, "st.shared.u32 [%r6], %r9;", true},
		{one, "ld.shared.u32 %r10, [%r6];", true},
		{one, "ld.shared.u32 %r10, [%r6+496];", true},
		{one, "add.u32 %r6, %r8, %r5;\n\tst.shared.u32 [%r6], %r9;", false},
		{"\tmov.u32 %r3, first;\n\tsetp.lt.u32 %p1, %r1, 200;\n\t@%p1 bra LOOP;\n\tmov.u32 %r3, second;",
			"st.shared.u32 [%r6], %r9;", true}, // it depends on the way, and all lanes go one
		{"\tsetp.lt.u32 %p1, %r1, 200;\n\tmov.u32 %r7, first;\n\tselp.u32 %r3, %r7, %r8, %p1;",
			"st.shared.u32 [%r6], %r9;", false}, // of two nothing is known
	} {
		n := alike(t, uint64(i), check.Bounds,
			strings.NewReplacer("BEGIN", test.begin, "ACCESS", test.access).Replace(loop), 128, nil)
		if n > 0 != test.found {
			t.Errorf("%q, %q: %d reports", test.begin, test.access, n)
		}
	}
}
