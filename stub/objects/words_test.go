package objects

import "testing"

// TestIsAtomicCall: what begins with a call that loads or stores atomically, of C, C++, OpenCL C or the
// compilers' own, also through macros of the source; and what only looks like one.
func TestIsAtomicCall(t *testing.T) {
	const macros = `
#define GET(p) atomic_load_explicit(p, memory_order_relaxed)
#define AT(p)  ((GET(p)))
#define JOINED(kind, p) __opencl_atomic_ ## kind(p, 0, RELAXED, SCOPE)
#define LINES(p) \
  __atomic_store_n(p, 0, \
    __ATOMIC_RELEASE)
#define PLAIN(p) (*(p))
#define ADDED(p) atomic_fetch_add(p, 1)
#define A(p) B(p)
#define B(p) A(p)
#define ONE(p) TWO(p)
#define TWO(p) THREE(p)
#define THREE(p) FOUR(p)
#define FOUR(p) FIVE(p)
#define FIVE(p) GET(p)
`
	for text, want := range map[string]bool{
		"atomic_load(p)":                         true,
		"atomic_store_explicit (p, 1, relaxed)":  true,
		"atomic_flag_clear(f)":                   true,
		"__atomic_load_n(p, __ATOMIC_ACQUIRE)":   true,
		"__opencl_atomic_store(p, 1, order, on)": true,
		"__c11_atomic_load(p, order)":            true,
		"__hip_atomic_load(p, order, scope)":     true,
		"atomic_fetch_add(p, 1)":                 false, // it reads and writes: the instruction tells
		"atomic_flag_test_and_set(f)":            false,
		"atomic_load":                            false, // no call
		"my_atomic_load(p)":                      false,
		"x = atomic_load(p)":                     false, // something else stands at the place
		"p[i]":                                   false,
		"":                                       false,
		"GET(p)":                                 true,
		"AT(p)":                                  true,
		"LINES(p)":                               true,
		"PLAIN(p)":                               false,
		"ADDED(p)":                               false,
		"JOINED(store, p)":                       false, // the name's end is the macro's argument
		"A(p)":                                   false, // macros in a circle end
		"ONE(p)":                                 false, // too deep to be looked at
		"TWO(p)":                                 false,
		"THREE(p)":                               true,
		"UNKNOWN(p)":                             false,
	} {
		if got := isAtomicCall(text, macros, mostNested); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestAssignsPlainly: what stands before an operator that assigns is a plain variable or element, or may be
// an object of which some declaration makes assignments atomic or volatile.
func TestAssignsPlainly(t *testing.T) {
	for _, c := range []struct {
		before, source string
		want           bool
	}{
		{"  out[i] ", "__kernel void k(__global int *out)", true},
		{"  f(x); ", "int f(int);", true}, // nothing there is atomic
		{"  out[i] ", "volatile int *out;", false},
		{"  out[i] ", "volatile int *flag; int *out;", true},
		{"  flag[i + 1] ", "volatile int *flag; int *out;", false},
		{"  *flag ", "int x; volatile int *flag;", false},
		{"  *out ", "int x; volatile int *flag; int *out;", true},
		{"  n ", "atomic_int n;", false},
		{"  m ", "atomic_int n; int m;", true},
		{"  n ", "_Atomic int n;", false},
		{"  n ", "std::atomic<int> n;", false},
		{"  n ", "cuda::atomic<int> n;", false},
		{"  s.n ", "atomic_int k; int s;", true},
		{"  out[i] ", "typedef volatile int word; word *flag; int *out;", false}, // any may be of the type
		{"  out[i] ", "#define FLAG volatile int\nFLAG *flag; int *out;", false},
		{"  out[i] ", "# define FLAG volatile\nint n; FLAG int *out;", false},
		{"  out[i] ", "using word = volatile int; word *out;", false},
		{"  f(x) ", "volatile int *flag;", false}, // what a call gives may be anything
		{"", "volatile int *flag;", false},
	} {
		if got := assignsPlainly(c.before, c.source); got != c.want {
			t.Errorf("%q of %q: %v, want %v", c.before, c.source, got, c.want)
		}
	}
}

// TestStoreWords: the operators at which compilers say that a store is, lines that store by themselves, and
// words by which a text may store atomically.
func TestStoreWords(t *testing.T) {
	for text, want := range map[string]bool{"= 1": true, "+= 1": true, "<<= 2": true, "++": true, "--x": true,
		"|= f": true, "== 1": false, "+ 1": false, "[i] = 1": false, "< 2": false, "": false} {
		if got := operator().MatchString(text); got != want {
			t.Errorf("operator %q: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]bool{"a = b;": true, "n++;": true, "--n;": true, "STORE(a, b);": false,
		"a == b;": false, "a != b || a <= b || a >= b": false, "f(a);": false} {
		if got := assigned().MatchString(text); got != want {
			t.Errorf("assigned %q: %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]bool{"volatile int x;": true, "atomic_store(p, 1);": true,
		"atomic_int n;":                   true,
		"__hip_atomic_store(p, 1, o, s);": true, "asm(\"\");": true, "std::vector<int> v;": true,
		"atomic_add(p, 1);": false, "int involatile;": false, "int n = 0;": false} {
		if got := atomicWords().MatchString(text); got != want {
			t.Errorf("atomic words %q: %v, want %v", text, got, want)
		}
	}
}
