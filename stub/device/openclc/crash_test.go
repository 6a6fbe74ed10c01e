package openclc

import (
	"strings"
	"testing"
)

// segmentation is what clang 22 says, abridged, where it ends at a built-in function for images on gfx1250,
// and cannot what it says on gfx90a.
const (
	segmentation = `k.cl:3:1: warning: something
PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash backtrace.
Stack dump:
0.\tProgram arguments: clang -cc1 -triple amdgcn-amd-amdhsa k.cl
1.\t<eof> parser at end of file
2.\tCode generation
3.\tRunning pass 'CallGraph Pass Manager' on module 'k.cl'.
4.\tRunning pass 'AMDGPU DAG->DAG Pattern Instruction Selection' on function '@__clang_ocl_kern_imp_k'
 #0 0x00007ffbe1ab8786 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (libLLVM.so.22.1+0x4eb8786)
#30 0x000056128f698361 _start (clang+0xe361)
clang-22: error: unable to execute command: Segmentation fault
clang-22: error: clang frontend command failed due to signal (use -v to see invocation)
Debian clang version 22.1.8 (1~deb12u1)
Target: amdgcn-amd-amdhsa
Thread model: posix
InstalledDir: /usr/lib/llvm-22/bin
clang-22: note: diagnostic msg: 
********************

PLEASE ATTACH THE FOLLOWING FILES TO THE BUG REPORT:
Preprocessed source(s) and associated run script(s) are located at:
clang-22: note: diagnostic msg: work/k-e63416.cl
clang-22: note: diagnostic msg: 

********************
`
	cannot = `fatal error: error in backend: Cannot select: intrinsic %llvm.amdgcn.image.load.2d
clang-22: error: clang frontend command failed with exit code 70 (use -v to see invocation)
Debian clang version 22.1.8 (1~deb12u1)
clang-22: note: diagnostic msg: 
********************

PLEASE ATTACH THE FOLLOWING FILES TO THE BUG REPORT:
`
	elsewhere = `Stack dump:
0.	Program arguments: clang -cc1
1.	Running pass 'Machine Verifier' on function '@f'
`
)

func TestCrashes(t *testing.T) {
	images := func(processor string) string {
		return "note: it has no instructions of " + processor + " for something in that function: " +
			processor + " has none for images, which HIP's textures and surfaces and built-in functions " +
			"for images need. Compile for a processor that has them, such as gfx1100; OpenCL C's images " +
			"are there on " + processor + ", too\n"
	}
	const begun = "k.cl:3:1: warning: something\n"
	const selection = begun + `error: clang-22 itself has failed, in the pass "AMDGPU DAG->DAG Pattern ` +
		"Instruction Selection\", of the function k\n"
	for _, c := range []struct{ said, args, want string }{
		{segmentation, "-x cl -mcpu=gfx1250 k.cl", selection + images("gfx1250")},
		{segmentation, "-x cl -mcpu=gfx900 k.cl", selection +
			"note: it has no instructions of gfx900 for something in that function\n"},
		{cannot, "--offload-arch=gfx90a k.hip", "error: clang-22 itself has failed: Cannot select: " +
			"intrinsic %llvm.amdgcn.image.load.2d\n" + images("gfx90a")},
		{elsewhere, "-mcpu=gfx1250", "error: clang-22 itself has failed, in the pass \"Machine Verifier\", " +
			"of the function f\n"},
		{"k.cl:1:1: error: Target: what\n\n1 error generated.\n", "-mcpu=gfx1250",
			"k.cl:1:1: error: Target: what\n\n1 error generated.\n"},
	} {
		if got := explainCrash(c.said, "/usr/bin/clang-22", strings.Fields(c.args)); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.args, got, c.want)
		}
	}
}
