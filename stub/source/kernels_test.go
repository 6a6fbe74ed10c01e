package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKernelNames: by which names of the source a kernel is known.
func TestKernelNames(t *testing.T) {
	for full, want := range map[string][]string{
		"k": {"k", "k"},
		"a::b::step<c::D<e::F>,3>": {"step<c::D<e::F>,3>", "step", "b::step<c::D<e::F>,3>", "b::step",
			"a::b::step<c::D<e::F>,3>", "a::b::step"},
		"W<a::T>::run": {"run", "run", "W<a::T>::run", "W<a::T>::run"},
		"":             {"", ""},
		"a::f<b::C<int> >(b::C<int>, int*)": {"f<b::C<int>>", "f", "a::f<b::C<int>>", "a::f",
			"f<b::C<int>>(b::C<int>,int*)", "f(b::C<int>,int*)", "a::f<b::C<int>>(b::C<int>,int*)",
			"a::f(b::C<int>,int*)"},
		"(anonymous namespace)::f()": {"f", "f", "(anonymousnamespace)::f", "(anonymousnamespace)::f", "f()",
			"f()", "(anonymousnamespace)::f()", "(anonymousnamespace)::f()"},
	} {
		if d := cmp.Diff(want, Names(full)); d != "" {
			t.Errorf("%s (-want +got):\n%s", full, d)
		}
	}
}

// TestKernel finds kernels by what C++ calls them.
func TestKernel(t *testing.T) {
	for _, level := range []string{"O0", "O2"} {
		m := openAt(t, "debug/co/instances."+level+".co")
		for _, c := range []struct{ name, want, err string }{
			{"linear::dense::scale<float, 3>", "_ZN6linear5dense5scaleIfLi3EEEvPT_", ""},
			{"scale<int,16>", "_ZN6linear5dense5scaleIiLi16EEEvPT_", ""},
			{"_Z3addPf", "_Z3addPf", ""},
			{"_Z3addPi.kd", "_Z3addPi", ""},
			{"add(int *)", "_Z3addPi", ""},
			{"add(float* __restrict__)", "_Z3addPf", ""},
			{"dense::scale(int*)", "_ZN6linear5dense5scaleIiLi16EEEvPT_", ""},
			{"scale", "", `kernel "scale": ambiguous kernel name; the file has: ` +
				"linear::dense::scale<float, 3>, linear::dense::scale<int, 16>"},
			{"dense::scale", "", `kernel "dense::scale": ambiguous kernel name; the file has: ` +
				"linear::dense::scale<float, 3>, linear::dense::scale<int, 16>"},
			{"add", "", `kernel "add": ambiguous kernel name; the file has: add(int*), add(float*)`},
			{"scale<long, 3>", "", `kernel "scale<long, 3>": no such kernel; the file has: ` +
				"linear::dense::scale<float, 3>, linear::dense::scale<int, 16>, add(int*), add(float*)"},
		} {
			switch k, err := m.Kernel(c.name); {
			case c.err != "":
				if err == nil || err.Error() != c.err {
					t.Errorf("%s: %v, want %s", c.name, err, c.err)
				}
			case err != nil || k.Name != c.want:
				t.Errorf("%s: %+v, %v", c.name, k, err)
			}
		}
	}
}

// TestSpelling: parameters are compared as symbols have them.
func TestSpelling(t *testing.T) {
	for name, want := range map[string]string{
		"a :: f":                           "a::f",
		"(anonymous namespace)::f":         "(anonymousnamespace)::f",
		"f(const float *__restrict__)":     "f(floatconst*)",
		"f(float const *, const int)":      "f(floatconst*,int)",
		"f(unsigned, long unsigned int)":   "f(unsignedint,unsignedlong)",
		"f<3>(N::V<const int*, 2> const&)": "f<3>(N::V<constint*,2>const&)",
		"f(int *const, void)":              "f(int*,void)",
		"f(void)":                          "f()",
		"f( )":                             "f()",
		"f(void (*)(int, int), int)":       "f(void(*)(int,int),int)",
		"f(const unsigned char **)":        "f(unsignedcharconst**)",
		"f(":                               "f(",
		"f)":                               "f)",
		"":                                 "",
	} {
		if got := Spelling(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
