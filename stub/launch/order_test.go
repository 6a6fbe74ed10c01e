package launch

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"simtgdb/simt"
	"simtgdb/testdata/sweep"
)

// waitSource: the first workgroup waits for what the last one writes, by a
// relaxed atomic load or through a pointer to volatile.
const waitSource = `
kernel void atomically(global int *flag, global int *out) {
  if (__builtin_amdgcn_workgroup_id_x() == 0)
    while (__scoped_atomic_load_n(flag, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE) == 0)
      ;
  else
    __scoped_atomic_store_n(flag, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  out[__builtin_amdgcn_workgroup_id_x()] = *flag;
}
kernel void by_volatile(global volatile int *flag, global int *out) {
  if (__builtin_amdgcn_workgroup_id_x() == 0)
    while (*flag == 0)
      ;
  else
    *flag = 1;
  out[__builtin_amdgcn_workgroup_id_x()] = 1;
}
`

// TestGroupsThatWait: code that sees the order of workgroups runs on one worker,
// and comes to its end there.
func TestGroupsThatWait(t *testing.T) {
	for _, target := range sweep.Some(3, "gfx90a", "gfx900", "gfx942") {
		object := opencl(t, target, waitSource)
		for _, kernel := range []string{"atomically", "by_volatile"} {
			p := load(t, &Spec{CodeObject: object, Kernel: kernel, Grid: Dims{128, 1, 1},
				Block: Dims{64, 1, 1}, Args: parseArgs(t, "buf:i32[1]", "buf:i32[2]")})
			if n := p.Workers(); n != 1 {
				t.Errorf("%s %s: %d workers", target, kernel, n)
			}
			run(t, p)
			var got [2]int32
			if read(t, p, p.Buffers[1].Region.Base, &got); got != [2]int32{1, 1} {
				t.Errorf("%s %s: %v", target, kernel, got)
			}
		}
	}
}

// TestStoppedRun says where the waves stand of a kernel that does not end.
func TestStoppedRun(t *testing.T) {
	object := opencl(t, "gfx90a",
		"kernel void spin(global volatile int *flag) {\n  while (*flag == 0)\n    ;\n}\n")
	p := load(t, &Spec{CodeObject: object, Grid: Dims{256, 1, 1}, Block: Dims{128, 1, 1},
		Args: parseArgs(t, "buf:i32[1]")})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := p.Run(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Run = %v", err)
	}
	lines := p.DescribeWaves(8)
	if len(lines) == 0 || !bytes.Contains([]byte(lines[0]), []byte("in spin")) {
		t.Errorf("waves: %q", lines)
	}
	p = load(t, &Spec{CodeObject: object, Grid: Dims{256, 1, 1}, Block: Dims{128, 1, 1},
		Args: parseArgs(t, "buf:i32[1]")})
	p.Machine.MaxInsts = 5000
	var limit *simt.LimitError
	if _, err := p.Run(context.Background(), 2); !errors.As(err, &limit) {
		t.Errorf("Run = %v", err)
	}
}
