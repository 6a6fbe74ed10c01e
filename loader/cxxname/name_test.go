package cxxname

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// String gives the name with all that the symbol says: "void fill<float>(float*, float, int)".
func (n Name) String() string {
	if n.result != "" {
		return n.result + " " + n.Signature() + n.suffix
	}
	return n.Signature() + n.suffix
}

// names are symbols and what GNU's c++filt 2.40 makes of them; "" for those that are not read.
var names = []struct{ symbol, want string }{
	{"_Z6hornerPfi", "horner(float*, int)"},
	{"_ZN5dense5scaleEPddi", "dense::scale(double*, double, int)"},
	{"_ZN5dense9transposeIiLi16EEEvNS_6MatrixIT_EES3_",
		"void dense::transpose<int, 16>(dense::Matrix<int>, dense::Matrix<int>)"},
	{"_ZN12_GLOBAL__N_16hiddenEPii", "(anonymous namespace)::hidden(int*, int)"},
	{"_ZN5dense12_GLOBAL__N_16hiddenEPii", "dense::(anonymous namespace)::hidden(int*, int)"},
	{"_Z5applyIZ4mainEUlfiE_EvT_Pfi",
		"void apply<main::{lambda(float, int)#1}>(main::{lambda(float, int)#1}, float*, int)"},
	{"_Z3runIZ4mainEUlT_E0_EvT_", "void run<main::{lambda(auto:1)#2}>(main::{lambda(auto:1)#2})"},
	{"_Z17hipMemcpyToSymbolIA4_fE10hipError_tRKT_PKvmm13hipMemcpyKind",
		"hipError_t hipMemcpyToSymbol<float [4]>(float const (&) [4], void const*, unsigned long, " +
			"unsigned long, hipMemcpyKind)"},
	{"_ZL6globalPKfS0_", "global(float const*, float const*)"},
	{"_Z4packIJifdEEvDpT_", "void pack<int, float, double>(int, float, double)"},
	{"_Z4packIJEEvDpT_", "void pack<>()"},
	{"_Z8callbackPFviE", "callback(void (*)(int))"},
	{"_Z4gridPA3_A4_f", "grid(float (*) [3][4])"},
	{"_Z4foldIXadL_Z3addiiEEEvPi", "void fold<&(add(int, int))>(int*)"},
	{"_Z4foldIL_Z3addiiEEvPi", "void fold<add(int, int)>(int*)"},
	{"_ZN1SIiEC2Ei", "S<int>::S(int)"},
	{"_ZNK1SIiEcvbEv", "S<int>::operator bool() const"},
	{"_ZN1SltIiEEbT_", "bool S::operator< <int>(int)"},
	{"_Z6valuesILb1ELj3ELln4ELc65EEvv", "void values<true, 3u, -4l, (char)65>()"},
	{"_Z5halvePDF16_Dv4_f", "halve(_Float16*, float __vector(4))"},
	{"_ZN3ns11EILNS_4KindE2EE3getEv", "ns1::E<(ns1::Kind)2>::get()"},
	{"_Z1fN9__gnu_cxx17__normal_iteratorIPfSt6vectorIfSaIfEEEE",
		"f(__gnu_cxx::__normal_iterator<float*, std::vector<float, std::allocator<float> > >)"},
	{"_ZSt4swapIiEvRT_S1_", "void std::swap<int>(int&, int&)"},
	{"_ZNKSs5emptyEv",
		"std::basic_string<char, std::char_traits<char>, std::allocator<char> >::empty() const"},
	{"_Z3useIN5outer5innerIJNS0_1AENS0_1BEEEEEvT_",
		"void use<outer::inner<outer::A, outer::B> >(outer::inner<outer::A, outer::B>)"},
	{"_ZZ4kernPiE4tile", "kern(int*)::tile"},
	{"_ZZNK1A1fEvE1x", "A::f() const::x"},
	{"_ZN4llvm22containsIrreducibleCFGIKiEEvRKT_",
		"void llvm::containsIrreducibleCFG<int const>(int const&)"},
	{"_ZNSt8ios_base7failureB5cxx11D2Ev", "std::ios_base::failure[abi:cxx11]::~failure()"},
	{"_ZTV3Foo", ""},
	{"_Z3fooi.kd", "foo(int)"},
	{"_Z1gIiENSt9enable_ifIXsr11is_integralIT_EE5valueEvE4typeES0_", "g<int>"},
	{"_ZN2ns8counter1E", "ns::counter1"},
	{"_Z", ""},
	{"_Zx", ""},
	{"abc", ""},
	{"_Z5abc", ""},
	{"_Z3fooUlvE", "foo"},
}

// notFiltered are names that are written otherwise than c++filt does: without what is after the name itself,
// or not at all.
var notFiltered = map[string]bool{"foo(int)": true, "g<int>": true, "foo": true, "": true}

func TestParse(t *testing.T) {
	for _, c := range names {
		n, ok := Parse(c.symbol)
		if got := n.String(); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %t\n want %q", c.symbol, got, ok, c.want)
		}
	}
}

// TestSignature: the parts of names.
func TestSignature(t *testing.T) {
	for symbol, want := range map[string][3]string{
		"_Z4fillIfEvPT_i":      {"fill<float>", "fill<float>(float*, int)", "void fill<float>(float*, int)"},
		"_ZN2ns8counter1E":     {"ns::counter1", "ns::counter1", "ns::counter1"},
		"_ZN2ns4noneEv":        {"ns::none", "ns::none()", "ns::none()"},
		"_Z1gIiEDTcl1hfp_EET_": {"g<int>", "g<int>", "g<int>"},
	} {
		n, _ := Parse(symbol)
		if got := [3]string{n.Qualified, n.Signature(), n.String()}; got != want {
			t.Errorf("%s: %q, want %q", symbol, got, want)
		}
	}
}

// TestFilter compares the table with the c++filt that is installed.
func TestFilter(t *testing.T) {
	filter, err := exec.LookPath("c++filt")
	if err != nil {
		t.Skip("skipped: no c++filt")
	}
	var symbols, want []string
	for _, c := range names {
		if !notFiltered[c.want] {
			symbols, want = append(symbols, c.symbol), append(want, c.want)
		}
	}
	c := exec.Command(filter)
	c.Stdin = strings.NewReader(strings.Join(symbols, "\n") + "\n")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if i >= len(want) || line != want[i] {
			t.Errorf("%s: the table has %q, c++filt %q", symbols[i], want[i], line)
		}
	}
}

// FuzzParse: whatever a symbol is, reading it ends soon, with a name or without.
func FuzzParse(f *testing.F) {
	for _, c := range names {
		f.Add(c.symbol)
	}
	f.Add("_Z1f" + strings.Repeat("P", 1000) + "i")
	f.Add("_Z1fIJ" + strings.Repeat("S_", 100) + "EEvDpT_")
	f.Fuzz(func(t *testing.T, symbol string) {
		start := time.Now()
		n, ok := Parse(symbol)
		if ok != (n.Qualified != "") {
			t.Errorf("%q: %+v, %t", symbol, n, ok)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%q took %v", symbol, took)
		}
	})
}
