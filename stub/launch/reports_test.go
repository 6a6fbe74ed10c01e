package launch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simtgdb/simt"
	"simtgdb/simt/check"
	"simtgdb/stub/findings"
)

// inWeigh is a program of two workgroups whose first wave has called a function: the lines of demo.hip are 6
// where the function begins, 13 where the kernel does, and 21 where it calls.
func inWeigh(t *testing.T) (p *Program, w *simt.Wave, site uint64) {
	t.Helper()
	p = load(t, &Spec{CodeObject: object("demo"), Grid: Dims{128, 1, 1}, Block: Dims{64, 1, 1},
		Args: parseArgs(t, "buf:i32[128]", "buf:i32[128]", "i32:128")})
	if err := p.Machine.Fill(); err != nil {
		t.Fatal(err)
	}
	w = p.Machine.Waves()[0]
	weigh, ok := p.Module.Symbol("_Z5weighii")
	for n := 0; ok && w.PC != weigh.Addr+0x40; n++ {
		if ev, err := p.Machine.StepWave(w, 1); err != nil || ev.Fault != nil || n > 2000 {
			t.Fatal(n, ev.Fault, err)
		}
	}
	return p, w, p.callers(w, 0, w.PC)[0]
}

// written is a report of a write to the third element of the second buffer by lanes 3 and 6, in conflict with
// a lane of the other workgroup and with one of it that has ended.
func written(p *Program, w *simt.Wave) *check.Report {
	party := func(lane int, pc uint64) check.Party {
		return check.Party{Wave: 1, Lane: lane, Group: [3]uint32{1}, Item: [3]uint32{uint32(lane)}, PC: pc}
	}
	reads, ended := party(5, p.Kernel.Entry), party(6, 0)
	ended.Write, ended.Atomic = true, true
	return &check.Report{Kind: check.Race, Wave: w, Lanes: 1<<3 | 1<<6, PC: w.PC, Space: simt.Global,
		Addr: p.Buffers[1].Region.Base + 8, Size: 4, Write: true, What: "a race", Advice: "A barrier.",
		Others: []check.Party{reads, ended}}
}

// TestFinding: what is found says for other programs where it is in the source, who it was and how they came
// there, what they accessed, and who else did.
func TestFinding(t *testing.T) {
	p, w, site := inWeigh(t)
	r := written(p, w)
	at := func(pc uint64, function string, line, column uint32) findings.Place {
		return findings.Place{PC: hexNumber(pc), Function: function, Folder: ".", File: "demo.hip",
			Line: line, Column: column}
	}
	lane := func(wave, lane uint32) findings.Lane {
		return findings.Lane{Wave: int(wave), Lane: int(lane), Workgroup: [3]uint32{wave},
			WorkItem: [3]uint32{lane}}
	}
	want := findings.Finding{Kind: "race", Message: "a race", Advice: "A barrier.", Kernel: "demo",
		Lane: lane(0, 3), Lanes: "0x48", Place: at(w.PC, "weigh", 6, 0),
		Calls: []findings.Place{at(site, "demo", 21, 14)},
		Access: &findings.Access{Does: "write", Space: "global", Address: hexNumber(r.Addr), Size: 4,
			In: "argument 1 (output), i32[128]: element 2"},
		Others: []findings.Party{{Lane: lane(1, 5), Does: "read", Place: at(p.Kernel.Entry, "demo", 13, 0)},
			{Lane: lane(1, 6), Does: "atomic write"}},
		Text: p.DescribeReport(r)}
	compare := func(what string, got findings.Finding) {
		t.Helper()
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: -want +got:\n%s", what, d)
		}
	}
	compare("a race", p.Finding(r))
	r.Element, want.Access.In = "output[2]", "output[2]"
	want.Text = p.DescribeReport(r)
	compare("of an element that is known", p.Finding(r))
	r.Size, want.Access, want.Others[0].Does, want.Others[1].Does = 0, nil, "", ""
	want.Text = p.DescribeReport(r)
	compare("without an access", p.Finding(r))
	p.Hidden = func(pc uint64) bool { return pc == site }
	want.Calls, want.Text = nil, p.DescribeReport(r)
	compare("called from a place that is none of the source's", p.Finding(r))

	ev := simt.Event{Kind: simt.FaultEvent, Wave: w, Lanes: 1<<3 | 1<<6, PC: w.PC,
		Fault: &simt.Fault{Kind: simt.Unmapped, Space: simt.Global, Addr: 0x40, Size: 4, Write: true}}
	want.Kind, want.Message = "fault", "the kernel faulted: unmapped address"
	want.Advice, want.Others = "", nil
	want.Access = &findings.Access{Does: "write", Space: "global", Address: "0x40", Size: 4}
	want.Text = p.DescribeFault(ev)
	compare("a fault", p.FaultFinding(ev))
	ev.Fault.Write, want.Access.Does = false, "read"
	want.Text = p.DescribeFault(ev)
	compare("of a read", p.FaultFinding(ev))
	ev.Fault, ev.Kind, ev.Lanes = nil, simt.TrapEvent, 0
	want.Access, want.Message, want.Text = nil, "the kernel trapped", p.DescribeFault(ev)
	want.Lane, want.Lanes = lane(0, 0), hexNumber(w.Active())
	compare("a trap of no lane", p.FaultFinding(ev))
}

// TestMostCalls: a finding has the innermost calls of many.
func TestMostCalls(t *testing.T) {
	p, w, site := inWeigh(t)
	w.Regs = calledState{w.Regs, site}
	if got := len(p.Finding(written(p, w)).Calls); got != mostCalls {
		t.Errorf("%d calls of 100, want %d", got, mostCalls)
	}
}

// calledState has been called a hundred times from one place.
type calledState struct {
	simt.WaveState
	site uint64
}

func (c calledState) CallSites(*simt.Wave, int, []uint64) (sites []uint64, whole bool) {
	for range 100 {
		sites = append(sites, c.site)
	}
	return sites, true
}

// TestDescribeReport: a report in lines says the same, and names four of many others.
func TestDescribeReport(t *testing.T) {
	p, w, site := inWeigh(t)
	r := written(p, w)
	weigh, call := fmt.Sprintf("%#x in weigh+0x40 (demo.hip:6)", w.PC), p.Source.Describe(site)
	const other = "of wave 1, work-item (%d,0,0) of workgroup (1,0,0): "
	head := "check race: a race\n  lane         3 of wave 0, first of 2: 3,6\n" +
		"  work-item    (3,0,0) of workgroup (0,0,0), (3,0,0) in the grid\n" +
		"  pc           " + weigh + "\n  called from  " + call + "\n" +
		"  instruction  " + p.instruction(w.PC) + "\n"
	access := fmt.Sprintf("  access       write of 4 bytes at %#x in global memory\n", r.Addr)
	in := "argument 1 (output), i32[128]: element 2\n"
	reads := "  with         read by lane 5 " + fmt.Sprintf(other, 5) +
		fmt.Sprintf("%#x in demo (demo.hip:13)\n", p.Kernel.Entry)
	ended := "  with         atomic write by lane 6 " + fmt.Sprintf(other, 6) + "ended\n"
	expect := func(want string) {
		t.Helper()
		if d := cmp.Diff(want, p.DescribeReport(r)); d != "" {
			t.Errorf("-want +got:\n%s", d)
		}
	}
	expect(head + access + "  in           " + in + reads + ended + "  missing      A barrier.\n")
	r.Element, r.With, r.Advice = "output[2]", "the host", ""
	r.Others[0].Calls = []uint64{site}
	expect(head + access + "  in           output[2], " + in + reads + "  called from  " + call + "\n" +
		ended + "  with         the host\n")
	r.Others = []check.Party{r.Others[1], r.Others[1], r.Others[1], r.Others[1]}
	r.With = ""
	expect(head + access + "  in           output[2], " + in + strings.Repeat(ended, 4))
	r.Others = append(r.Others, r.Others[0], r.Others[0])
	expect(head + access + "  in           output[2], " + in + strings.Repeat(ended, 4) +
		"               and 2 others\n")

	// What is not about an access: where a value comes from, and who stands elsewhere.
	r.Size, r.Others, r.Kind = 0, []check.Party{{Wave: 0, Lane: 3, PC: p.Kernel.Entry}}, check.Uninit
	head = strings.Replace(head, "race", "uninit", 1)
	expect(head + fmt.Sprintf("  from         %#x in demo (demo.hip:13)\n", p.Kernel.Entry) +
		"  element      output[2]\n")
	r.Kind, r.Others[0].PC = check.Barrier, w.PC
	head = strings.Replace(head, "uninit", "barrier", 1)
	expect(head + "  elsewhere    lane 3 of wave 0, work-item (0,0,0) of workgroup (0,0,0): " + weigh +
		"\n  called from  " + call + "\n")
	w.State = simt.Ended // nobody knows its calls
	expect(head + "  elsewhere    lane 3 of wave 0, work-item (0,0,0) of workgroup (0,0,0): " + weigh + "\n")
}

// TestPlaceOf: what memory an access of a report is in.
func TestPlaceOf(t *testing.T) {
	p, w, _ := inWeigh(t)
	w.Group.LDS = make([]byte, 48)
	code := p.Memory.Find(w.PC)
	for _, x := range []struct {
		space simt.Space
		addr  uint64
		want  string
	}{
		{simt.LDS, 4, "LDS of workgroup (0,0,0), 48 bytes"}, {simt.Scratch, 4, "the lane's private memory"},
		{simt.Global, 0, "nothing that is mapped"}, {simt.Global, code.Base + 5, code.Name + ": byte 5"},
		{simt.Global, p.Buffers[0].Region.Base + 7, "argument 0 (input), i32[128]: element 1"},
	} {
		if got := p.placeOf(&check.Report{Wave: w, Space: x.space, Addr: x.addr}); got != x.want {
			t.Errorf("%#x in %v memory: %s, want %s", x.addr, x.space, got, x.want)
		}
	}
}
