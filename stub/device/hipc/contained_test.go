package hipc

import (
	"context"
	"strings"
	"testing"
)

// TestSelfContained: a source that includes what is not HIP's or the program's gets the host's library whole.
func TestSelfContained(t *testing.T) {
	headers := map[string][]byte{"by.h": []byte("#define BY 3\n")}
	for source, want := range map[string]bool{
		"": true, "#include \"by.h\"\n": true, "# include <hip/hip_fp16.h> // halves\n": true,
		"#include <thread>\n": false, "#  include_next <cmath>\n": false, "#include NAMED\n": false,
		"#include\n": false, "#include <by.h\n": false, "#include <\n": false,
	} {
		r := &Request{Source: []byte(source), Headers: headers}
		if got := r.selfContained(); got != want {
			t.Errorf("%q: %v", source, got)
		}
	}
	for _, r := range []*Request{
		{Headers: map[string][]byte{"more.h": []byte("#include <thread>\n")}},
		{Options: []string{"-include", "more.h"}},
	} {
		if r.selfContained() {
			t.Errorf("%+v is taken for self-contained", r)
		}
	}
}

// TestHostLibrary: a source that includes the host's library, or names what is left out, finds all of it.
func TestHostLibrary(t *testing.T) {
	c := compiler(t)
	runs := counted(t, c)
	for source, want := range map[string]int{
		"#include <cmath>\n#include <thread>\ntypedef std::thread::id host;\n" +
			"inline double of_host(double x) { return std::beta(x, x); }\n": 1,
		"typedef std::complex<float> host;\n": 2,
	} {
		source += "__global__ void k(float *p) { *p = sizeof(host); }\n"
		r, err := Compile(context.Background(), c, &Request{Name: "k.hip", Source: []byte(source),
			Headers: map[string][]byte{"hip/hip_runtime.h": []byte(shortHeader)}})
		if err != nil {
			t.Fatal(err)
		}
		if r.File == nil {
			t.Errorf("%s%s", source, r.Log)
		}
		if got := runs(); got != want {
			t.Errorf("%sis compiled in %d runs, not %d", source, got, want)
		}
	}
}

// TestMathematics: a source that includes nothing has the mathematics of HIP, for floats as well, with parts
// of the host's library left out.
func TestMathematics(t *testing.T) {
	c := compiler(t)
	runs := counted(t, c)
	const source = `template <class A, class B> struct same { enum { as = 0 }; };
template <class A> struct same<A, A> { enum { as = 1 }; };
__global__ void k(float *p, double *d) {
  *p = sin(*p) + pow(*p, 2.0f) + fmin(*p, 1.0f) + abs(*p) + tgamma(*p) + erf(*p);
  *d = cyl_bessel_i0(*d) + j0(*d) + std::abs(*d) + std::max(*d, 1.0);
  static_assert(same<decltype(sin(*p)), float>::as, "");
  static_assert(same<decltype(sin(*d)), double>::as, "");
}
`
	r, err := Compile(context.Background(), c, &Request{Name: "k.hip", Source: []byte(source)})
	if err != nil {
		t.Fatal(err)
	}
	if n := runs(); r.File == nil || strings.Contains(r.Log, "warning") || n != 1 {
		t.Errorf("%d runs of the compiler: %s", n, r.Log)
	}
}
