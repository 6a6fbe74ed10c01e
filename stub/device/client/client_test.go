package client

import (
	"os/exec"
	"testing"
)

// TestOrder: each file of a library uses those alone that its unit includes before it, whose functions no
// header declares.
func TestOrder(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	for _, l := range []*Library{&HIP, &CUDA, &OpenCL, &Vulkan} {
		c := exec.Command(cc, "-std=gnu11", "-fsyntax-only", "-Werror=implicit-function-declaration", l.unit)
		c.Dir = "src"
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", l.unit, err, out)
		}
	}
}

func TestFirstError(t *testing.T) {
	for said, want := range map[string]string{
		"": "",
		"In file included from a.c:9:\nb.c: In function 'f':\nb.c:67:98: error: 'X' undeclared\nb.c:67:98: " +
			"note: once\n": "b.c:67:98: error: 'X' undeclared",
		"cannot execute cc1\nmore\n": "cannot execute cc1",
	} {
		if got := firstError(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
