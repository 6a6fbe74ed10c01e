package gcn

import "testing"

// TestReachesOrder: what a kernel comes to by branches counts, and not what lies beside that; where a
// register says where it goes nothing is known.
func TestReachesOrder(t *testing.T) {
	const atomic = "global_atomic_add v0, v1, s[2:3]"
	for _, c := range []struct {
		name         string
		asm          []string
		shows, known bool
	}{
		{"behind the end", []string{"v_mov_b32 v0, 0", "s_endpgm", atomic, "s_endpgm"}, false, true},
		{"on the way", []string{"v_mov_b32 v0, 0", atomic, "s_endpgm"}, true, true},
		{"behind a branch", []string{"s_cbranch_scc0 1", "s_endpgm", "s_branch 1", "s_endpgm", atomic,
			"s_endpgm"}, true, true},
		{"jumped over", []string{"s_branch 2", atomic, "s_barrier", "s_endpgm"}, false, true},
		{"a loop", []string{"v_mov_b32 v0, 0", "s_cbranch_vccnz 65534", "s_endpgm"}, false, true},
		{"a register", []string{"s_setpc_b64 s[4:5]", "s_endpgm"}, false, false},
		{"a call", []string{"s_swappc_b64 s[30:31], s[4:5]", "s_endpgm"}, false, false},
		{"an atomic before a call", []string{atomic, "s_swappc_b64 s[30:31], s[4:5]", "s_endpgm"}, true,
			true},
		{"out of the code", []string{"s_cbranch_scc0 20000", "s_endpgm"}, false, false},
	} {
		h := newHarness(t, "gfx900")
		h.load(assembledWords(t, "gfx900", c.asm...)...)
		if shows, known := h.isa.ReachesOrder(codeBase); shows != c.shows || known != c.known {
			t.Errorf("%s: order is shown %v, known %v", c.name, shows, known)
		}
	}
}
