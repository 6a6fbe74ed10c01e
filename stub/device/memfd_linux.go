package device

import "runtime"

// memfdCreate is the number of the system call memfd_create, which package syscall lacks; of a processor that
// is not here it is 0, and there is no shared memory. (Linux, arch/x86/entry/syscalls/syscall_64.tbl, and
// include/uapi/asm-generic/unistd.h for those that came later.)
var memfdCreate = map[string]uintptr{"amd64": 319, "arm64": 279, "riscv64": 279,
	"loong64": 279}[runtime.GOARCH]
