package cxxname

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// filtered is what c++filt makes of symbols.
func filtered(t *testing.T, symbols []string) []string {
	t.Helper()
	filter, err := exec.LookPath("c++filt")
	if err != nil {
		t.Skip("skipped: no c++filt")
	}
	c := exec.Command(filter)
	c.Stdin = strings.NewReader(strings.Join(symbols, "\n") + "\n")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// TestRules: a symbol or more for each rule of the grammar (Itanium C++ ABI, 5.1) is what c++filt makes of
// it.
func TestRules(t *testing.T) {
	symbols := []string{
		// Operators with letters behind them, as members and in namespaces.
		"_ZN1AcvT_IiEEv", "_ZN1AcviEv", "_ZN1ApLEi", "_ZNK1AssERKS_", "_ZN1AB5cxx11C1Ev",
		// Substitutions: by number in base 36, std's, of names, of types, of instances.
		"_Z1fP1aP1bP1cP1dP1eP1fP1gS0_S1_S9_SA_SB_SC_", "_Z1fSaIiESbIiES_", "_Z1fSiSoSd",
		"_Z1fN1a1b1cES_S0_S1_", "_Z1fN1a1bIiEENS0_1cE", "_Z1fIiE1aIT_ES1_", "_Z1fSt1aS_", "_Z1fSt1aIiES0_",
		"_Z1fNSt1aE",
		"_Z1fPKcS0_", "_Z1fPKPKcS0_S1_S2_", "_ZN2aa1fE1bNS_1cE",
		// Template parameters of several numbers, packs, and templates as arguments.
		"_Z1fIidfEvT_T0_T1_", "_Z1fI1aEvT_IiE", "_Z1fIJidEEvDpPT_", "_Z1fIJidEJfEEvDpT_DpT0_",
		"_Z1fIiJEEvT_DpT0_",
		"_Z1fIJJidEEEvv", "_ZN1aIiE1fIdEEvT_", "_ZN1aIJidEE1fEv",
		// Literals of each kind.
		"_Z1fILb0EEvv", "_Z1fILb1EEvv", "_Z1fILi5EEvv", "_Z1fILin5EEvv", "_Z1fILj5EEvv", "_Z1fILl5EEvv",
		"_Z1fILm5EEvv",
		"_Z1fILx5EEvv", "_Z1fILy5EEvv", "_Z1fILs5EEvv", "_Z1fILt5EEvv", "_Z1fILh5EEvv", "_Z1fILN1a1bE3EEvv",
		"_Z1fIL_Z1gEEvv", "_Z1fIXadL_Z1gvEEEvv", "_Z1fIXadL_ZN1a1gEvEEEvv",
		// Names in functions: variables, classes, strings, lambdas, with discriminators and defaults.
		"_ZZ1fvE1x", "_ZZ1fvE1x_0", "_ZZ1fvE1x__10_", "_ZZ1fvEs", "_ZZ1fvEs_0", "_ZZ1fvEN1a1gEv",
		"_ZZ1fiEd_NKUlvE_clEv",
		"_ZZ1fvENKUlvE_clEv", "_ZZ1fvENKUlvE0_clEv", "_ZZ1fvENKUlvE10_clEv", "_ZZ1fvENKUliE_clEi",
		"_ZZ1fvENUt_1gEv",
		"_ZZ1fvENUt0_1gEv", "_ZZN1a1fEvE1x", "_ZZNK1a1fEvE1b", "_ZZ1fIiEvT_E1x", "_ZZ1fvE1gIiEvT_",
		// Members with qualifiers and references.
		"_ZNK1a1fEv", "_ZNV1a1fEv", "_ZNVK1a1fEv", "_ZNKR1a1fEv", "_ZNO1a1fEv", "_ZNR1a1fEv",
		"_ZNKO1a1fIiEEvT_",
		// Constructors and destructors of each kind, of templates and of nested classes.
		"_ZN1aC1Ev", "_ZN1aC2Ei", "_ZN1aC3Ev", "_ZN1aC4Ev", "_ZN1aD0Ev", "_ZN1aD1Ev", "_ZN1aD4Ev",
		"_ZN1aD2Ev", "_ZN1a1bC1ERKS0_",
		"_ZN1aIiEC1IdEET_", "_ZN1aIN1bIiEEED1Ev", "_ZN1aINS_1bEEC2Ev",
		// Types: pointers, references, arrays, functions, and qualifiers of these.
		"_Z1fPPi", "_Z1fRKi", "_Z1fOi", "_Z1fPrKi", "_Z1fPVi", "_Z1fPVKi", "_Z1fPri", "_Z1fRA3_i",
		"_Z1fPA3_A4_i",
		"_Z1fPA_i", "_Z1fRA3_KPi", "_Z1fPFvvE", "_Z1fPFivEPFvidE", "_Z1fRFivE", "_Z1fPPFivE", "_Z1fPFPFivEvE",
		"_Z1fPFvRKiE", "_Z1fPFvPFvvEE", "_Z1fPFPivE", "_Z1fPA3_Pi", "_Z1fPA3_PFivE", "_Z1fPFPPFivEvE",
		"_Z1fPFKPFivEvE", "_Z1fPFP1aIFivEEvE", "_Z1fPFPA3_ivE", "_Z1fPFRFivEvE", "_Z1fPFPFPFivEvEvE",
		"_Z1fPFPiPFvvEE",
		"_ZNVKR1a1fEv", "_ZNrVK1a1fEv", "_Z1fPrVKi", "_Z1fIXadL_Z1gEEEvv", "_Z1fIXadL_ZN1a1gEEEEvv",
		"_Z1fIXadL_Z1gIiEvT_EEEvv", "_Z1fIXadL_ZN1a1gIiEEvT_EEEvv", "_ZZ1fiEd0_NKUlvE_clEv",
		"_ZZ1fiEd_1x", "_Z1fA3_i", "_Z1fPA33554432_i", "_Z1fPKA3_i", "_Z1fIRiEvRT_", "_Z1fIRiEvOT_",
		"_Z1fIOiEvRT_",
		"_Z1fIOiEvOT_", "_Z1fIKiEvRKT_", "_Z1fIPiEvPKT_", "_Z1fIA3_iEvRT_", "_Z1fIFivEEvPT_",
		"_Z1fIFivEEvRT_",
		"_Z1fu3abcu3def", "_Z1fDv4_fDv2_Dv4_f", "_Z1fDnDiDsDuDh", "_Z1fz", "_Z1fiz", "_Z1fv", "_Z1fPv",
		// Substitutions of what is spelt with D or u, of packs' elements, of names in names.
		"_Z1fDv4_fS_", "_Z1fPDv4_fS0_", "_Z1fu3fooS_", "_Z1fPFvvES0_", "_Z1fPFviES_", "_ZN1aUt_E",
		"_ZZ1fvEsi",
		"_ZN1aUt0_E", "_Z1fIJicEEv1aIJDpPT_EE", "_Z1fIJicEEv1aIDpPT_E", "_Z1fN1aES_", "_Z1fN1aEPS_S0_",
		"_Z1gZ1fvE1a__10_i", "_Z1gZ1fvE1a_0S_",
		"_Z1fIJidEEvDpRKT_", "_Z1fN1a1bES_S0_", "_Z1fIiEvN1aIT_E1bES2_S3_",
		// Internal linkage, namespaces without a name.
		"_ZL1fv", "_ZN1aL1fEv", "_ZN12_GLOBAL__N_11aC1Ev", "_ZN1a12_GLOBAL__N_11b1cEv", "_ZGVZ1fvE1x",
	}
	for code := range operators {
		symbols = append(symbols, "_ZN1a"+code+"Ev", "_Z"+code+"1aS_")
	}
	for letter := range builtin {
		if letter != 'v' && letter != 'z' {
			symbols = append(symbols, "_Z1fP"+string(letter)+string(letter))
		}
	}
	read := 0
	for i, want := range filtered(t, symbols) {
		n, ok := Parse(symbols[i])
		switch {
		case !ok && slices.Contains(unread, symbols[i]):
		case n.String() != want || !ok:
			t.Errorf("%s: %q, %v; c++filt has %q", symbols[i], n.String(), ok, want)
		case !strings.HasPrefix(want, n.Qualified) && !strings.Contains(want, " "+n.Qualified):
			t.Errorf("%s is %q; c++filt has %q", symbols[i], n.Qualified, want)
		default:
			read++
		}
	}
	if read < 240 {
		t.Errorf("%d symbols of %d are read", read, len(symbols))
	}
}

// unread are symbols that c++filt reads and this does not: what tells whether a variable has been
// initialised, and conversions that are templates.
var unread = []string{"_ZGVZ1fvE1x", "_ZN1AcvT_IiEEv"}

// TestUnreadTypes: what is no type, by c++filt too, or is none that is read, leaves a function without
// parameters: its name is shown, and nothing that a caller might take for a signature.
func TestUnreadTypes(t *testing.T) {
	for _, symbol := range []string{"_Z1fS9_", "_Z1fS_", "_Z1fT_", "_Z1fDp", "_Z1fDz", "_Z1fDniS_",
		"_Z1fU3fooi", "_Z1fPFvvES1_", "_Z1fPiS0_", "_Z1fPiSA_", "_Z1f1aS0_", "_Z1fIiEvT0_", "_Z1fIiEvDpi",
		"_Z1fD", "_Z1fS", "_Z1fiP",
		// Names that are nested have a part of their own at their end.
		"_Z1f1aNS_E", "_Z1f1aNKS_E", "_Z1f1aNS_Ei", "_Z1fNSaES_", "_Z1fNStE", "_Z1fiNEi", "_Z1fiNKEi",
		// Parts of names have letters, and arrays elements that are no functions.
		"_Z1fuv", "_Z1fuS_", "_Z1fN1a0E", "_Z1fPA3_FvvE",
		"_Z1fPA33554433_i", "_Z1fPA99999999999999999999_i", // arrays beyond what is read
		"_Z1fIJicEEvPDpT_"} {
		if n, ok := Parse(symbol); !ok || n.Function || strings.Contains(n.Signature(), "(") {
			t.Errorf("%s: %+v, %v", symbol, n, ok)
		}
	}
	// What T_ stands for in a function around is nothing to a function in it.
	if n, ok := Parse("_ZZ1fIiEvT_EN1a1gET_"); !ok || n.Function || n.Qualified != "f<int>(int)::a::g" {
		t.Errorf("%+v, %v", n, ok)
	}
}

// TestNoNames: what begins as a symbol of C++ does, and is none, c++filt leaves as it is.
func TestNoNames(t *testing.T) {
	symbols := []string{"_ZNEv", "_ZNKEv", "_ZNSaEv", "_ZNStEv", "_Z1fE", "_Z1fiE", "_ZN1a1bEE",
		"_ZN1aEvE", "_ZN1a", "_Z0", "_Z2a", "_ZZ1fv1x", "_ZC1v", "_ZN1a0Ev", "_ZN1aB0Ev"}
	for i, left := range filtered(t, symbols) {
		if n, ok := Parse(symbols[i]); ok || left != symbols[i] {
			t.Errorf("%s: %+v, %v; c++filt has %q", symbols[i], n, ok, left)
		}
	}
}
