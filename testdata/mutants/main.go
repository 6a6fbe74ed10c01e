// Command mutants makes small changes of meaning in the machine, one at a time, and runs the nearest
// package's tests, which are to notice. The tree stays as it is (go test -overlay). Run it at the top of the
// module:
//
//	go run ./testdata/mutants [FILE ...]
//
// With files, changes of these are made alone.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A mutant is a change of one place of a file.
type mutant struct {
	file, from, to string
	tests          string // those that are to notice, for go test; all of the package of the file if empty
}

var mutants = []mutant{
	{"simt/history.go", "h.m.turn = e.turn", "", ""},
	{"simt/history.go", "h.now, h.applied = k.at, k.applied", "h.now = k.at", ""},
	{"simt/history.go", "count = min(count, h.changes[h.applied].at-h.now)", "", ""},
	{"simt/history.go", "return h.log[i].at+h.log[i].count > t })",
		"return h.log[i].at+h.log[i].count >= t })", ""},
	{"simt/history.go", "h.log[i].count = rest\n", "", ""},
	{"simt/history.go", "h.changes = h.changes[:h.applied]\n", "", ""},
	{"simt/history.go", "h.m.Release(k.snap)\n", "", ""},
	{"simt/history.go", "if t < h.Begin() || t > h.end {", "if t < h.Begin() {", ""},
	{"simt/history.go", "if err == nil {\n\t\terr = h.arrived()\n\t}\n", "", ""},
	{"simt/history.go", "if t < h.now {\n\t\tif err := h.prove(); err != nil {",
		"if t > h.now {\n\t\tif err := h.prove(); err != nil {", ""},
	{"simt/history.go", "h.ForgetFuture()\n\treturn &Diverged{h.now, wave}",
		"return &Diverged{h.now, wave}", ""},
	{"simt/snapshot.go", "m.next, m.turn, m.retired = s.next, s.turn, s.retired",
		"m.next, m.turn = s.next, s.turn", ""},
	{"simt/snapshot.go", "g.LDS = gs.lds.restore(g.LDS)\n", "", ""},
	{"simt/snapshot.go", "m.Mem.held -= s.states\n", "", ""},
	{"simt/search.go", "s.found, s.hit = s.now-1, true", "s.found, s.hit = s.now, true", ""},
	{"simt/search.go", "if s.visitor.Before(w) {", "if s.visitor.Before(w) && s.now > 0 {", ""},
	{"simt/search.go", "s.m.quiet = false\n", "", ""},
	{"simt/ahead_order.go", "q.waves+q.perGroup <= q.most", "q.waves+q.perGroup < q.most", ""},
	{"simt/ahead_order.go", "m.next, m.turn = o.next, o.last", "m.next = o.next", ""},
	{"simt/ahead_order.go", "if !s.counted {", "if true {", ""},
	{"simt/ahead_order.go", "delete(used, s) ", "_ = used ", ""},
	{"simt/ahead.go", "done[i].Insts - s.Waves[i].Insts", "done[i].Insts", "./simt/ptx"},
	{"simt/ptx/inline.go", "(o.Kind == rows.Load || o.Kind == rows.Store) && !own", "false && !own", ""},
	{"simt/bulk.go", "t != nil && t.calls {", "t != nil && false {", ""},
	{"simt/ahead.go", "m.turn > at && m.turn < at+s.waves", "m.turn > at && m.turn < at", ""},
	{"simt/ahead.go", "count > 0 && !a.m.HasBreakpoint(w.PC)", "count > 0", ""},
	{"simt/ahead.go", "a.m.openBarrier(s.Workgroup)\n", "", ""},
	{"simt/ahead.go", "return int64(max(h.Insts, h.Most))", "return int64(h.Insts)", "./simt/gen"},
	{"simt/ahead.go", "h.alike == nil || !slices.Equal(h.done, done[:waves])", "h.alike == nil",
		"./simt/gen"},
	{"simt/ahead.go", "last.index+last.count == h.from", "true", ""},
	{"simt/ahead_order.go", "if o.over() {", "if true {", ""},
	{"simt/ahead_order.go", "o.rest += e.passes * e.count", "o.rest += e.passes", "./simt/gen"},
	{"simt/ahead.go", "s.next = (s.next + used) % s.waves\n", "", ""},
	{"simt/pages.go", "|| row.has(p) {", "{ _ = row", ""},
	{"simt/pages.go", "s == nil || s.isZero(p) ||", "s == nil ||", ""},
	{"simt/pages.go", "\tif p.isZero(number) {\n\t\treturn true\n\t}\n", "", ""},
	{"simt/pages.go", "min(hi+keptAround, end) <= there", "hi < there", ""},
	{"simt/gcn/series.go",
		"t.OpMemImm(native.ADD, native.W32, t.seriesField(unsafe.Offsetof(s.group)), 1)", "", ""},
	{"simt/gcn/series.go", "t.StoreImm(native.W64, lanes, 0)\n", "", ""},
	{"simt/gcn/series.go", "c.m.PlaceBehind(&k.Wave, n)\n", "", ""},
	{"simt/gcn/series.go", "t.clearBytes(native.Mem{Base: to}, 4*int32(t.lanes))\n", "", ""},
	{"stub/symfile/elf.go", "offset-noteOffset >= uint64(len(note))",
		"offset-noteOffset > uint64(len(note))+99", ""},
	{"stub/symfile/elf.go", "copy(file[w.headers[note].Off:], buildNote(id[:]))", "_ = buildNote(id[:])", ""},
	{"stub/symfile/elf.go", "if w.hasSection(name) {", "if false {", ""},
	{"stub/symfile/elf.go", "if bind == elf.STB_LOCAL {\n", "if true {\n", ""},
	{"stub/symfile/elf.go", "s.Global == (bind == elf.STB_GLOBAL)", "bind == elf.STB_GLOBAL", ""},
	{"stub/symfile/elf.go", "w.progs[i].Off = w.headers[s].Off", "w.progs[i].Off = w.headers[0*s].Off", ""},
	{"stub/launch/literal.go", "a.Value = padded(a.Value, align)\n", "", launchTests},
	{"stub/launch/literal.go", "a.Value = padded(a.Value, t.size)\n", "", launchTests},
	{"stub/launch/literal.go", "Field{typ, len(a.Value) + at}", "Field{typ, at}", launchTests},
	{"stub/launch/element.go", "strconv.ParseFloat(text, max(bits, 32))",
		"strconv.ParseFloat(text, 64)", launchTests},
	{"stub/symfile/base.go", "f.arguments != nil && f.prologue.Contains(pc)", "f.arguments != nil", ""},
	{"stub/symfile/base.go", "f.bases[i].High > pc })", "f.bases[i].High >= pc })", ""},
	{"stub/symfile/base.go", "|| !f.bases[i].Contains(pc)", "", ""},
	{"stub/launch/literal.go", "strings.TrimLeft(text, \"+-\")", "text", launchTests},
	{"stub/launch/literal.go", "|| t[0] == '.' ||", "||", launchTests},
	{"stub/threads/address.go", "offset+FrameLow >= FrameTop+FrameStride", "offset >= FrameTop+FrameStride",
		""},
	{"stub/threads/threads.go", "lane >= simt.MaxLanes || waves[i].Valid>>lane&1 == 0",
		"lane >= simt.MaxLanes", ""},
	{"stub/threads/threads.go", "err == nil && w.EndedLanes()>>lane&1 == 0",
		"err == nil && w.EndedLanes()>>lane&1 != 0", ""},
	{"simt/rows/rows.go", "g.Write && g.Space != Private && c.loads", "false", ""},
	{"simt/rows/rows.go", "if c.stores || c.ops", "if c.ops", ""},
	{"simt/rows/rows.go", "c.rows[g.Reg] ||", "", ""},
	{"simt/rows/rows.go", "stores++; stores > 1", "stores++; stores > 9", "./simt/rows/x86"},
	{"simt/rows/x86/translate.go", "t.Kor8(4, 4, 6)\n\t\tt.V(native.TestMQ", "t.V(native.TestMQ", ""},
	{"simt/rows/x86/translate.go", "t.V(native.TestMQ, 6, 26,", "t.V(native.TestMQ, 6, 28,", ""},
	{"simt/rows/x86/translate.go", "t.Kandn8(k, 7, k)", "t.Kand8(k, 7, k)", ""},
	{"simt/rows/x86/translate.go", "t.OpImm(native.SUB, native.W64, native.RAX, int32(g.Hi-g.Lo))",
		"t.OpImm(native.SUB, native.W64, native.RAX, 0)", ""},
	{"simt/rows/x86/ops.go", "t.Kandn8(7, k, 7)", "t.Kxor8(7, 7, 7)", ""},
	{"simt/rows/x86/ops.go", "t.V(native.BroadcastD, d, 0, native.InMem(t.constant(o.NaN)), 6)", "", ""},
	{"simt/rows/x86/ops.go", "t.V(native.AndQ, d, d, native.Each(t.constant(1<<32-1)), 0)", "", ""},
	{"simt/rows/held.go", "x.Reg == reg {\n\t\t\t*x = Holding{}", "x.Reg == reg {\n", "./simt/rows/x86"},
	{"simt/rows/x86/ops.go", "t.V(native.MovDQA64, merged, 0, native.InReg(from), 1)",
		"t.V(native.MovDQA64, merged, 0, native.InReg(from), 0)", ""},
	{"simt/rows/x86/translate.go", "first := t.part * t.lanes", "first := t.lanes", ""},
	{"simt/rows/x86/translate.go", "t.Jcc(native.E, out)", "", "./simt/ptx"},
	{"simt/rows/x86/translate.go", "t.Jcc(native.NE, t.parted(u))", "", "./simt/ptx"},
	{"simt/rows/x86/translate.go", "t.Jcc(native.S, t.exit(u.At, n, 0, 0))", "", "./simt/ptx"},
	{"simt/rows/x86/translate.go", "if t.plan.Stores > 1", "if t.plan.Stores > 9", ""},
	{"simt/rows/x86/translate.go", "t.Jcc(native.LE, out)", "t.Jcc(native.E, out)", "./simt/spirv"},
	{"simt/rows/told.go", "&lanes == lanes", "&lanes <= lanes", "./simt/ptx"},
	{"simt/rows/told.go", "times*row.by, active", "row.by, active", "./simt/ptx"},
	{"simt/rows/told.go", "if !row.is(before.at[:lanes], -row.by, t.lanes) {", "if false {", "./simt/ptx"},
	{"simt/rows/host/bulk.go", "clear(b.Rows[int(r)*b.lanes : int(r+1)*b.lanes])", "_ = r", "./simt/ptx"},
	{"simt/rows/part.go", "o.wait[i].lanes |= lanes", "o.wait[i].lanes = lanes", ""},
	{"simt/rows/part.go", "i = max(0, slices.IndexFunc", "_ = max(0, slices.IndexFunc", ""},
	{"simt/rows/whole.go", "ways[at] > 1", "ways[at] > 2", ""},
	{"simt/rows/whole.go", "temps>>-o.D&1 == 0", "true", ""},
	{"simt/rows/host/bulk.go", "*stores = 1", "_ = 1", ""},
	{"simt/spirv/note.go", "wanted := c.beside.In(s, write)", "wanted := c.beside.In(s, write) && false", ""},
	{"simt/rows/x86/ops.go", "t.V(native.MovQD, v, 0, native.InMem(t.privateAt(o, false)), k)",
		"t.V(native.MovQD, v, 0, native.InMem(t.privateAt(o, false)), 0)", ""},
	{"simt/spirv/lower.go", "return append(kept, copies...)", "return append(copies, kept...)", ""},
	{"simt/spirv/lower.go", "if !open {\n\t\t\t\tl.masks", "if false {\n\t\t\t\tl.masks", ""},
	{"simt/spirv/core.go", "!s.changed && c", "c", ""},
	{"simt/spirv/lower.go", "count.Imm &= uint64(w - 1)", "count.Imm &= 63", ""},
	{"simt/spirv/native.go", "s.put(s.b, c.mask)\n\t\t\tc.next()", "", ""},
	{"simt/spirv/native.go", "return int64(c.native.low.first[b.index])", "return math.MaxInt32", ""},
	{"simt/rows/regions/x86/hold.go", "h.lo < hi && lo < h.hi", "h.lo == lo && hi == h.hi", "./simt/gen"},
	{"simt/rows/regions/x86/memory.go", "t.lie(a, int(a.Size)*int(a.Count), side)",
		"t.lie(a, int(a.Size), side)", "./simt/gen"},
	{"simt/rows/regions/x86/translate.go", "t.Jcc(native.NE, t.exit(u.End, 0, 0, 0))", "", "./simt/gen"},
	{"simt/rows/regions/x86/translate.go", "whole && !t.whole", "false", "./simt/gen"},
	{"simt/rows/regions/x86/octets.go", "native.InReg(some), 0x55)", "native.InReg(some), 0xff)",
		"./simt/gen"},
	{"simt/rows/regions/x86/octets.go",
		"t.vec(half, native.BlendVB, old, old, native.InReg(low), byte(t.cond())<<4)",
		"old = low", "./simt/gen"},
	{"simt/rows/regions/run.go", "order = [3]int{2, 0, 1}", "order = [3]int{2, 1, 0}", "./simt/gen"},
	{"simt/rows/regions/run.go", "flags |= ^x.Out", "flags |= 0", "./simt/gen"},
	{"simt/gen/native.go", "x.Stop = int64(r.wake)", "", ""},
	{"simt/gen/note.go", "x.Together &^= n.Bits", "_ = n", genTurnTests},
	{"simt/gen/turns.go", "|| c.stop.PC != k.then.at ", "", genTurnTests},
	{"simt/gen/turns.go", "k.passed < len(k.then.steps) ||", "", genTurnTests},
	{"simt/gen/turns.go", " && sameRecords(s.code, s.records, was.records)", "", genTurnTests},
	{"simt/gen/turns.go", " && s.sameAccess(was)\n", "\n", genTurnTests},
	{"simt/gen/turns.go", "p != s.pieces[i]", "false", genTurnTests},
	{"simt/gen/lanes.go", "c.m.Together(c.w, c.w.Exec)\n", "", "./simt/gen -run=TestMeetings"},
	{"simt/gen/turns.go", "i < had-1 || member < len(g.Waves)", "i < had-1", genTurnTests},
	{"simt/gen/turns.go", "c.turnAgain(had, member, passed)\n", "", genTurnTests},
	{"simt/gen/turns.go", "g.Waves[member].State = stands", "_ = stands", genTurnTests},
	{"simt/gen/native.go", "r.Perm&need != need", "r.Perm&need == 99", ""},
	{"simt/gen/native.go", "flag(c.apart.In(simt.LDS, write))", "flag(write && false)", ""},
	{"simt/gen/fast.go", "s.Const[i] &= bits", "s.Const[i] &= 127", ""},
	{"simt/spirv/native.go", "if v := low.buffers[a.Reg]; v", "if v := low.buffers[-1]; v", ""},
	{"simt/rows/whole.go", "case before:", "case before && false:", ""},
	{"simt/rows/whole.go", "op.Space == Shared", "op.Space == Items", ""},
	{"simt/rows/whole.go", "s.put(o.D, o.Under.N != Always)", "s.put(o.D, false)", ""},
	{"simt/rows/whole.go", "o.D >= 0 && (read[o.D] || written[o.D])", "o.D >= 0 && written[o.D]", ""},
	{"simt/rows/whole.go", "(last.Flow != Jump || last.Target != end)", "last.Flow != Jump", ""},
	{"simt/rows/x86/translate.go", "t.Jcc(native.A, other)", "", "./simt/spirv"},
	{"simt/rows/x86/translate.go", "if !t.plan.Groups[i].Write {", "if true {", ""},
	{"simt/rows/x86/quads.go", "t.blend(tmp1, tmp1, z, active256)", "t.move(tmp1, native.InReg(z))", ""},
	{"simt/rows/x86/quads.go", "t.V256(native.AndQ, under256, under256, native.InReg(active256))", "", ""},
	{"simt/rows/x86/quads.go", "t.blend(tmp2, tmp2, v, t.lanes256(o))", "t.move(tmp2, native.InReg(v))", ""},
	{"simt/rows/x86/quads.go", "t.V256(native.OrQ, bad, bad, r(all))", "", ""},
	{"simt/rows/x86/quick.go", "table.Disp -= side << orderShift\n", "", ""},
	{"simt/ptx/numeric/arithmetic.go", "if (missing > 0) == (s > 0) {", "if missing > 0 {", ""},
	{"simt/ptx/numeric/arithmetic.go", "return x.Cmp(p) * y.Sign()", "return x.Cmp(p)", ""},
	{"simt/ptx/numeric/arithmetic.go", "if s == 0 && mode == Down &&", "if s == 0 &&", ""},
	{"simt/ptx/numeric/float.go", "rest == tie && out&1 != 0", "rest == tie", ""},
	{"simt/ptx/numeric/float.go", "mode == Down && !negative ||", "mode == Down ||", ""},
	{"simt/ptx/numeric/convert.go", "case !above && outward:", "case outward:", ""},
	{"simt/ptx/numeric/convert.go", "} else if x&0x7ff != 0 {", "} else if false {", ""},
	{"simt/ptx/libdevice/libdevice.go", "if passed < MostArgs {", "if false {", ""},
	{"simt/texel/single.go", "m.ViewLevels != 1 || ", "", ""},
	{"simt/texel/single.go", "weight *= 1 - part[i]", "weight *= part[i]", ""},
	{"simt/texel/lanes.go", "bytes.Equal(k.bytes, b[:size])", "bytes.Equal(k.bytes, k.bytes)", "./simt/ptx"},
	{"simt/ptx/libdevice/writers.go", "n := passed - len(written) + i", "n := len(written) + i", ""},
	{"simt/ptx/libdevice/writers.go", "if n.Sign() < 0 {", "if n.Sign() > 0 {", ""},
	{"simt/ptx/libdevice/reals.go", "{libm.Rsqrt, reciprocalRoot}", "{reciprocalRoot, reciprocalRoot}", ""},
	{"simt/ptx/heap/heap.go", "head == 0 && rest >= header:", "head == 0 && rest >= total:", ""},
	{"simt/ptx/heap/heap.go", "case next&1 == 0:", "case false:", ""},
	{"simt/ptx/heap/heap.go", "room, at = room+at-before, before", "_ = before", ""},
	{"simt/ptx/inline.go", "r.Guarded, r.Guard = true, b.guard(in)", "", ""},
	{"simt/gcn/exec.go", "old := c.r.takeExec(w)\n", "old := w.Exec\n", ""},
	{"simt/gcn/team.go", "r.takeExec(w)\n", "", ""},
	{"simt/gcn/hazards_touch.go", "case p.rows == 32:", "case p.rows == 16:", ""},
	{"simt/gcn/ops_sop1.go", "Name: \"s_movrels_b32\", dst: b32, src: srcs(b32), flag: readsM0",
		"Name: \"s_movrels_b32\", dst: b32, src: srcs(b32), flag: 0", ""},
	{"stub/names/names.go", "if d != nil && own == \"\" {", "if d != nil {", ""},
	{"stub/names/names.go", "d.Tag == dwarf.TagTypedef || d.Tag == dwarf.TagTemplateAlias",
		"d.Tag == dwarf.TagTemplateAlias", ""},
	{"stub/names/names.go", "!slices.Contains(out, d) && !d.Flag(dwarf.AttrDeclaration)",
		"!d.Flag(dwarf.AttrDeclaration)", ""},
	{"stub/names/names.go", "!slices.Contains(out, d) && !d.Flag(dwarf.AttrDeclaration)",
		"!slices.Contains(out, d)", ""},
	{"stub/names/names.go", "d.Name() != \"\" && !d.Flag(dwarf.AttrExportSymbols)", "d.Name() != \"\"", ""},
	{"stub/names/names.go", "if d != nil && !slices.Contains(out, d) {", "if d != nil {", ""},
	{"stub/names/names.go", "i < len(out) && len(out) < MaxScopes", "i < len(out)", ""},
	{"stub/names/names.go", "!scopeTags[d.Tag] || len(out) >= MaxScopes", "!scopeTags[d.Tag]", ""},
	{"stub/names/names.go", "|| types.IsScoped(t)", "", ""},
	{"stub/names/names.go", "for _, s := range slices.Backward(scopes)", "for _, s := range scopes", ""},
	{"stub/names/names.go", "&& f != own", "", ""},
	{"stub/names/names.go", "copied := i > 0 && d", "copied := i >= 0 && d", ""},
	{"stub/names/names.go", "|| d.Name() == \"\" ||", "||", ""},
	{"stub/names/names.go", "d.Name() == \"\" || d.Flag(dwarf.AttrDeclaration)", "d.Name() == \"\"", ""},
	{"stub/names/names.go", "&& !l.IsInlinedBody(d)", "", ""},
	{"stub/names/names.go", "!d.Flag(dwarf.AttrDeclaration) && cexpr.SameName(d.Name(), name)",
		"cexpr.SameName(d.Name(), name)", ""},
	{"stub/names/names.go", "return append(b, origin)", "return b", ""},
	{"stub/frames/context.go", "r.Bytes * c.Frame.Wave.Size", "r.Bytes", ""},
	{"stub/frames/context.go", "lane, from = from/r.Bytes, from%r.Bytes",
		"lane, from = 0, from%r.Bytes", ""},
	{"stub/frames/context.go", "min(r.Bytes-from, n-at)", "n - at", ""},
	{"stub/frames/context.go", "if r.PC || r.Zero {", "if r.PC {", ""},
	{"stub/frames/context.go", "off < 0 || n > size-off", "n > size-off", ""},
	{"stub/frames/context.go", "addr, p = addr+uint64(n), p[n:]", "p = p[n:]", ""},
	{"stub/frames/context.go", "n = min(n, at.Bytes)", "n = len(p)", ""},
	{"stub/frames/variables.go", "&& addr%size == 0", "", ""},
	{"stub/frames/variables.go", "|| len(*in) >= maxShown", "", ""},
	{"stub/frames/variables.go", "&& size <= o.size-(addr-o.addr)", "", ""},
	{"stub/frames/variables.go", "p.Space == simt.Scratch && p.Lane == f.Lane",
		"p.Space == simt.Scratch", ""},
	{"stub/frames/variables.go", "err != nil || p.Bytes != 0", "err != nil", ""},
	{"stub/frames/variables.go", "addr = 0\n", "addr = v\n", ""},
	{"stub/frames/variables.go", "from%WideSize != 0 || len(data)%WideSize != 0", "from%WideSize != 0", ""},
	{"stub/frames/variables.go", "AppendUint64(nil, addr)[at%WideSize:]", "AppendUint64(nil, addr)", ""},
	{"stub/frames/window.go", "j >= 0 && j < int64(len(buf))", "j < int64(len(buf)) && j > -8", ""},
	{"stub/frames/window.go", "level := len(frames) - 1 - depth", "level := depth", ""},
	{"stub/frames/window.go", "put(-8, frames[level+1].PC)", "put(-8, frames[level].PC)", ""},
	{"stub/frames/window.go", "put(-8, fs.Layout.ReturnOfKernel())", "put(-8, fs.Layout.Dispatch)", ""},
	{"stub/frames/window.go", "depth >= len(frames) {\n\t\treturn 0",
		"depth > len(frames) {\n\t\treturn 0", ""},
	{"stub/frames/window.go", "at < 0 && len(data) > 0 && ", "", ""},
	{"stub/frames/window.go", " && bytes.Equal(data, fs.Breakpoint)",
		" && !bytes.Equal(data, fs.Breakpoint[:0])", ""},
	{"stub/frames/window.go", "clear(buf)\n", "", ""},
	{"stub/frames/window.go", "&frames[len(frames)-1-depth]", "&frames[0]", ""},
	{"stub/frames/callframe.go", "row.CFA.Kind != cfi.NoCFA", "true", ""},
	{"stub/frames/callframe.go", "Outermost: !ok", "Outermost: ok", ""},
	{"stub/frames/callframe.go", "base, ctx = inner.base, inner.frame.Caller()", "base = inner.base", ""},
	{"stub/frames/callframe.go", "int64(part.Offset)", "0", ""},
	{"stub/frames/callframe.go", "n := min(part.Bytes, len(p))", "n := len(p)", ""},
	{"stub/frames/callframe.go", "p = p[n:]\n", "", ""},
	{"stub/frames/callframe.go", "Frame: &frames[c.Frame.Level+1]}", "Frame: &frames[c.Frame.Level]}", ""},
	{"stub/frames/saved.go", "nums[j+1] == nums[j]+1", "nums[j+1] > nums[j]", ""},
	{"stub/frames/saved.go", "lost = append(lost, num)", "_ = num", ""},
	{"stub/frames/saved.go", "uint64(lane) == i || !h.perLane", "true", ""},
	{"stub/frames/saved.go", "lanes[h] |= 1 << i", "lanes[h] |= 1", ""},
	{"stub/frames/saved.go", "a.Address%stride == 0", "a.Address%4 == 0", ""},
	{"stub/frames/saved.go", "int(a.Address % stride / 4)", "int(a.Address % stride)", ""},
	{"stub/frames/registers.go", "int(n) < f.Count", "int(n) <= f.Count", ""},
	{"stub/frames/registers.go", "ok = ok && f.Names == nil\n", "", ""},
	{"stub/frames/env.go", "if v == e.Model().Null {", "if v == 0 {", ""},
	{"stub/laneexpr/scopes.go", "name); ok { // by", "name); ok && false { // by", ""},
	{"stub/laneexpr/scopes.go", "around, path = around[len(around)-1:], path[1:]", "path = path[1:]", ""},
	{"stub/laneexpr/scopes.go", "all[0], all[len(all)-1] = all[len(all)-1], all[0]", "_ = own", ""},
	{"stub/laneexpr/scopes.go", "slices.Reverse(scopes)\n", "", ""},
	{"stub/laneexpr/scopes.go", "slices.Reverse(blocks)\n", "", ""},
	{"stub/laneexpr/scopes.go", "d.Tag == dwarf.TagVariable && d.Ref(dwarf.AttrSpecification) == decl:",
		"d.Tag == dwarf.TagVariable:", ""},
	{"stub/laneexpr/scopes.go", "names.EnumeratorIn(outer, name); d != nil {",
		"names.EnumeratorIn(outer, name); d != nil && false {", ""},
	{"stub/laneexpr/scopes.go", "base != nil && base != outer", "base == nil", ""},
	{"stub/laneexpr/scopes.go", "if i == 0 {\n\t\t\ts = slices.Concat",
		"if i < 0 {\n\t\t\ts = slices.Concat", ""},
	{"stub/laneexpr/env.go", "i > 0 && f.Layout.InCaller(list[i].Scope())", "false", ""},
	{"stub/laneexpr/env.go", "e.Scopes = u.ScopesAt(list[i].Scope())",
		"e.Scopes = u.ScopesAt(list[0].Scope())", ""},
	{"stub/laneexpr/env.go", "e.Scopes = e.Scopes[max(inlined, 0):]", "e.Scopes = e.Scopes[0:]", ""},
	{"stub/laneexpr/env.go", "e.Scopes = e.Scopes[:inlined]", "e.Scopes = e.Scopes[:inlined+1]", ""},
	{"stub/laneexpr/env.go", "e.Frame, e.Scopes = nil, nil\n", "e.Scopes = nil\n", ""},
	{"stub/laneexpr/env.go", "v = v<<8 | uint64(b[i])", "v = v<<8 | uint64(b[len(b)-1-i])", ""},
	{"stub/laneexpr/env.go", "if !own || e.Pointer(t, offset) != addr {", "if !own {", ""},
	{"stub/laneexpr/env.go", "return e.Model().Null, nil", "return 0, nil", ""},
	{"stub/laneexpr/env.go", "case !known:", "case !known && err != nil:", ""},
	{"simt/ptx/bulk.go", "if g.Size == k.size {", "if k.size != [3]uint32{} {", ""},
	{"simt/spirv/bulk.go", "if g.Size == b.size {", "if b.size != [3]uint32{} {", ""},
	{"simt/spirv/bulk.go", "at3(t.isa.launch.Offset, u.i) + at3(g.ID", "at3(g.ID", ""},
	{"simt/ptx/native.go", "c.st.spent += int(done)", "", ""},
	{"simt/ptx/native.go", "min(n, uint64(max(turnInsts-c.st.spent, 0)))", "n", ""},
	{"simt/ptx/team.go", "st.spent = turnInsts - int(m.Left)", "", ""},
	{"simt/check/turns.go", "a.rows[i].at += a.by[i]\n", "_ = i\n", ""},
	{"simt/check/turns.go", "f.rows[i].at += uint64(n) * f.by[i]\n", "_ = i\n", ""},
	{"simt/check/turns.go", "return c.readAhead(row, p, by, n)", "return true", ""},
	{"simt/check/turns.go", "n = min(n, staysFor(in.region, e, by))\n", "", ""},
	{"simt/check/turns.go", "behind: q.runs.len(), ", "behind: 0, ", ""},
	{"simt/check/turns.go", "f.group.marks = f.group.marks[:0]\n", "", ""},
	{"simt/check/stream.go", "if c.unheard.pages.Get(page) != 0 {", "if false {", ""},
	{"simt/check/stream.go", "if e.Lo < in.upTo {", "if false {", ""},
	{"simt/check/stream.go", "c.fence(c.wave(w), step.fence)", "_ = w", ""},
	{"simt/check/stream.go", "step.fence == f, fresh", "true, fresh", ""},
	{"simt/check/stream.go", "return f.Scope != simt.WaveScope && c.known(w) == nil", "return true", ""},
	{"simt/check/stream.go", "f.Order&simt.Release == 0 {", "true {", ""},
	{"simt/check/stream.go", "at>>quietPage == step.within[0].last", "false", ""},
	{"simt/check/stream.go", "step.from = s.sharing(sp.Lo)", "step.from = 0", ""},
	{"simt/check/stream.go", "l != nil && l.All[0] == of", "l != nil", ""},
	{"simt/check/stream.go", "by[i] = at - from[i]", "by[i] = 64 + 0*at", ""},
	{"simt/check/stream.go", "case s.id != r.first+r.count:", "case false:", ""},
	{"simt/check/stream.go", "case p.Step > page || p.Skip > page:", "case false:", ""},
	{"simt/check/quiet.go", "q.read(at, at+uint64(a.Size), generation)", "_ = at", ""},
	{"simt/rows/team.go", "m.Left -= int64(executed)", "", "./simt/ptx"},
	{"simt/rows/team.go", "m.Left = t.Fresh", "", "./simt/ptx"},
	{"simt/rows/team.go", "t.came(x, m)", "", "./simt/spirv"},
	{"simt/rows/turns.go", "t.Told.Opens(t.waitAt)", "", "./simt/spirv"},
	{"simt/rows/turns.go", "k.then.lanes != m.Active", "false", "./simt/ptx"},
	{"simt/rows/turns.go", " || s.rows[0].by != 0)", ")", "./simt/ptx"},
	{"simt/rows/turns.go", "t.Told.Teller().Left(x, k.m, left)", "_ = left", "./simt/ptx"},
	{"simt/rows/turns.go", "t.turnAgain(x, had, m, math.MaxInt)", "_ = m", "./simt/ptx"},
	{"simt/rows/turns.go", "t.turnAgain(x, had, m, k.of[m].steps)", "_ = m", "./simt/ptx"},
	{"simt/check/turns.go", "knows(&before[i]) != knows(&runs[i])", "false", ""},
	{"simt/rows/turns.go", "t.Told.Ran(x)\n\tk.now = nil", "k.now = nil", "./simt/ptx"},
	{"simt/ptx/team.go", " || t.Told != nil && st.exited != 0", "", ""},
	{"simt/defect.go", "if ev, stops := m.stopped(c, kind); stops {",
		"if kind == FaultEvent {\n\t\tev := c.Stopped()", "./simt/spirv"},
	{"simt/ptx/native.go", "c.arrive(p)", "", ""},
	{"simt/ptx/native.go", "return c.beside.In(s, write)", "return c.beside.In(s, write) && false", ""},
	{"simt/ptx/native.go", "r.Perm&need == need", "r.Perm&need|1 != 0", ""},
	{"simt/ptx/lower.go", "vec.WideSar32, v.Reg, always", "vec.WideShr32, v.Reg, always", ""},
	{"simt/ptx/ops_compare.go", "lowered{lt, true, true},", "lowered{lt, false, true},", ""},
	{"simt/turns.go", " || k.begun[w.Index] {", " {", keptTurnTests},
	{"simt/gcn/turns.go", "t.end, t.over = 0, i.b", "t.over = i.b", turnTests},
	{"simt/gcn/turns.go", "t.odd = t.odd || r.Lanes != everyLane(c.w)\n", "", turnTests},
	{"simt/turns.go", "g.Index, 0, false", "g.Index, k.refused, k.helped", keptTurnTests},
	{"simt/gcn/turns.go", "t.over && !t.odd && t.runs", "!t.odd && t.runs", turnTests},
	{"simt/gcn/turns.go", " && t.runs == 1 &&", " &&", turnTests},
	{"simt/gcn/turns.go", "|| t.pending != was.pending {", "{", turnTests},
	{"simt/turns.go", "2*p < k.count", "p < k.count", keptTurnTests},
	{"simt/gcn/turns.go", "most = min(most, n)", "most = n", turnTests},
	{"simt/turns.go", "min(n/k.Period, k.most-k.Ahead)", "n/k.Period", keptTurnTests},
	{"simt/gcn/turns.go", "uint64(k.Ahead) + 1}", "1}", turnTests},
	{"simt/turns.go", "k.By.ForeseenTurns(times)", "k.By.ForeseenTurns(had / k.Period)", keptTurnTests},
	{"simt/gcn/turns.go", "upTo-k.starts[done%k.Period*all+had]", "upTo", turnTests},
	{"simt/turns.go", "k.Ahead += had / k.Period\n", "_ = had\n", keptTurnTests},
	{"simt/turns.go", "if had%k.Period > 0 || !whole {", "if false {", keptTurnTests},
	{"simt/gcn/turns.go", "setExec(w, exec)\n", "_ = exec\n", turnTests},
	{"simt/gcn/turns.go",
		"t.OpMemImm(native.ADD, native.W64, t.foresightField(unsafe.Offsetof(f.wave)), 1)", "", turnTests},
	{"simt/gcn/turns.go", "\tc.orderGroup(0)\n", "", turnTests},
	{"simt/gcn/turns.go", "\tc.m.Arrived(c.stop)\n", "", turnTests},
	{"simt/turns.go", "uint64(k.Ahead + 1 + turn/k.Period)", "uint64(1 + turn/k.Period)", keptTurnTests},
	{"simt/gcn/turns.go", "t.count(1)", "_ = i", turnTests},
	{"simt/turns.go", "k.keeps.Paid()", "_ = k", keptTurnTests},
	{"simt/gcn/foresee.go", " || s.inLDS() && step.rows[r].by != 0", "", turnTests},
	{"simt/gcn/foresee.go", "in.mem.soffset.kind != scalarReg", "in.mem.soffset.kind == noOperand",
		turnTests},
	{"simt/gcn/translate_foresee.go", "t.waitsAsForeseen(elsewhere)\n\tt.OpImm", "t.OpImm", turnTests},
	{"simt/gcn/translate_foresee.go", "scalar(base.reg))\n\t\tt.Jcc(native.NE, elsewhere)",
		"scalar(base.reg))", turnTests},
	{"simt/gcn/translate_foresee.go", "unsafe.Offsetof(s.site))}, 0)\n\tt.Jcc(native.NE, elsewhere)\n",
		"unsafe.Offsetof(s.site))}, 0)\n", turnTests},
	{"simt/gcn/translate_foresee.go",
		"t.OpImm(native.CMP, t.laneWidth(), regMask, -1)\n\tt.Jcc(native.NE, elsewhere)", "", turnTests},
	{"simt/gcn/translate_foresee.go", "int32(site))\n\tt.Jcc(native.NE, elsewhere)", "int32(site))",
		turnTests},
	{"simt/gcn/translate_foresee.go", "t.Imul(native.W32, native.RAX, native.RDX)\n", "", turnTests},
	{"simt/gcn/translate_foresee.go", "t.Imul(native.W64, native.RAX, native.RDX)\n", "", turnTests},
	{"simt/gcn/translate_foresee.go",
		"differs.from(native.RSI, rowAt(int(in.src[0].reg)+1), native.Mem{})", "", turnTests},
	{"simt/gcn/translate_foresee.go", "differs.from(native.RSI, rowAt(reg), native.Mem{})", "", turnTests},
	{"simt/gcn/translate_foresee.go", "t.waitsAsForeseen(elsewhere)\n\tt.StoreImm", "t.StoreImm", turnTests},
	{"rsp/frame.go", "high<<4|low != d.sum", "high<<4|low != d.sum && false", ""},
	{"rsp/frame.go", "counter < firstRunCounter ||", "", ""},
	{"rsp/frame.go", "int(counter)-runCountBias)", "int(counter)-runCountBias+1)", ""},
	{"rsp/frame.go", "d.sum += b\n\t\td.state = stateRun", "d.state = stateRun", ""},
	{"rsp/frame.go", "case packetStart: // the end of the packet before has been lost\n\t\td.start()",
		"case packetStart:", ""},
	{"rsp/frame.go", "|| b == escapeByte || b == runByte", "|| b == escapeByte", ""},
	{"rsp/frame.go", "len(d.payload)+len(data) > d.limit", "len(d.payload) > d.limit", ""},
	{"rsp/memory.go", "addr - uint64(len(tail)) + uint64(i)", "addr + uint64(i)", ""},
	{"rsp/memory.go", "c = c<<1 ^ 0x04c11db7", "c = c << 1", ""},
	{"rsp/memory.go", "if uint64(len(data)) != length {", "if false {", ""},
	{"loader/elfreloc.go", "next = entry + 8", "next = entry", ""},
	{"loader/elfreloc.go", "next += 63 * 8", "next += 64 * 8", ""},
	{"loader/elfreloc.go", "if entry>>(i+1)&1 != 0 {", "if entry>>i&1 != 0 {", ""},
	{"loader/elfreloc.go", "if index := elf.R_SYM64(le64(b[8:])); index != 0 {",
		"if index := elf.R_SYM64(le64(b[8:])); index > 1 {", ""},
	{"loader/elfreloc.go", "case s.Entsize != uint64(size) || len(b)%size != 0:",
		"case s.Entsize != uint64(size):", ""},
	{"loader/elfreloc.go", "uint64(s.Info) >= n || uint64(s.Link) >= n",
		"uint64(s.Info) > n || uint64(s.Link) >= n", ""},
	{"loader/elf.go", "pos += descAt + (descSize+3)&^3", "pos += descAt + descSize", ""},
	{"loader/elf.go", "descAt := 12 + (nameSize+3)&^3", "descAt := 12 + nameSize", ""},
	{"loader/elf.go", "descAt+descSize > uint64(len(rest))", "descAt > uint64(len(rest))", ""},
	{"loader/elf.go", "if parts == nil {", "if false {", ""},
	{"loader/elf.go", "size > uint64(len(f.Data))-off", "false", ""},
	{"loader/module.go", "size <= s.MemSize-(addr-s.Addr)", "true", ""},
	{"loader/module.go", "case addr < e.end:", "case addr <= e.end:", ""},
	{"loader/module.go", "if seen[name] {", "if false {", ""},
	{"loader/module.go", "size > uint64(len(s.Data))-off", "false", ""},
	{"loader/amdgpu/metadata.go", "m.version[0] != supportedMetadata", "false", ""},
	{"loader/amdgpu/metadata.go", "a.Offset+a.Size > k.ArgSize", "a.Offset > k.ArgSize", ""},
	{"loader/amdgpu/metadata.go", "k.ArgAlign&(k.ArgAlign-1) != 0", "false", ""},
	{"loader/amdgpu/metadata.go", "more.target != \"\" && m.target != more.target", "false", ""},
	{"loader/amdgpu/metadata.go", "case m.version != more.version:", "case false:", ""},
	{"dwarf/cfi/program.go", "return raw, -raw * uint64(c.DataAlign)",
		"return raw, raw * uint64(c.DataAlign)", ""},
	{"dwarf/cfi/row.go", "pc >= r.Start && pc < r.End", "pc >= r.Start && pc <= r.End", ""},
	{"dwarf/cfi/row.go", "if s.loc > pc {", "if s.loc >= pc {", ""},
	{"dwarf/cfi/row.go", "pc-f.Start >= f.Range", "pc-f.Start > f.Range", ""},
	{"dwarf/cfi/row.go", "if op.args[0] < s.loc {", "if false {", ""},
	{"dwarf/cfi/row.go", "s.cfa.Kind != CFARegister", "false", ""},
	{"dwarf/cfi/row.go", "findRule(s.cie.initial.rules, reg); ok",
		"findRule(s.cie.initial.rules, reg); ok && false", ""},
	{"dwarf/cfi/row.go", "&& s.rules[i].Rule.Kind == Architectural", "", ""},
	{"dwarf/cfi/table.go", "f.Range != 0 && f.CIE != nil", "f.CIE != nil", ""},
	{"dwarf/cfi/table.go", "pc-f.Start < f.Range", "pc-f.Start <= f.Range", ""},
	{"dwarf/cfi/table.go", "i > 0 && n < 8", "i > 0 && n < 1", ""},
	{"dwarf/expr/exec_composite.go", "case bits > left:", "case false:", exprTests},
	{"dwarf/expr/exec_composite.go", "uint64(selector.Type.Bits) < count", "false", exprTests},
	{"dwarf/expr/exec_composite.go", "bits.data[i/8]>>(i%8)&1 == 1",
		"bits.data[i/8]>>(i%8)&1 == 0", exprTests},
	{"dwarf/expr/exec_composite.go", "if left > at+n {", "if left > at+n+1 {", exprTests},
	{"dwarf/expr/exec_location.go", "v.ip.space != as.ID", "false", exprTests},
	{"dwarf/expr/exec_location.go", "case !ok || m.entry:", "case !ok:", exprTests},
	{"dwarf/expr/exec_value.go", "from == fromFrame && (o == &arithPlus || o == &arithMinus)",
		"from == fromFrame", exprTests},
	{"dwarf/expr/exec_value.go", "if v.Type.Bits != t.Bits {", "if false {", exprTests},
	{"dwarf/expr/exec_value.go", "if lane >= lanes {", "if lane > lanes {", exprTests},
	{"dwarf/expr/exec_value.go", "nan && unordered || !nan && holds(order)",
		"!nan && holds(order)", exprTests},
	{"dwarf/line/line.go", "if addr >= s.high {", "if addr > s.high {", ""},
	{"dwarf/line/line.go", "return rows[i].Addr > addr })", "return rows[i].Addr >= addr })", ""},
	{"dwarf/line/line.go", "!path.IsAbs(dir) && (h.Version < 5 || f.Dir != 0)", "!path.IsAbs(dir)", ""},
	{"dwarf/line/line.go", "if index == 0 {", "if index == 99 {", ""},
	{"dwarf/line/line.go", "r.Has(EndSequence) || row+1 >= len(t.Rows)", "row+1 >= len(t.Rows)", ""},
	{"dwarf/line/line.go", "low := t.Rows[first].Addr; low < r.Addr",
		"low := t.Rows[first].Addr; low <= r.Addr", ""},
	{"dwarf/line/parse.go", "t.Version < 2 || t.Version > 5", "t.Version > 5", ""},
	{"dwarf/line/parse.go", "if t.Version >= 4 {", "if t.Version >= 5 {", ""},
	{"loader/amdgpu/descriptor.go", "d.EnableVGPRWorkitemID > 2", "d.EnableVGPRWorkitemID > 3", ""},
	{"loader/amdgpu/descriptor.go", "reserved := d.word(w) &^ known[w]; reserved != 0",
		"reserved := d.word(w) &^ known[w]; false && reserved != 0", ""},
	{"loader/elf.go", "if _, twice := f.byName[name]; !twice {", "if true {", ""},
	{"loader/elfreloc.go", "return signed(b), ok", "return signed(b) + 1, ok", ""},
	{"loader/module.go", "s.Addr != 0 || s.Exec ||", "s.Addr != 0 ||", ""},
	{"loader/module.go", "s.Addr != 0 || s.Exec ||", "s.Exec ||", ""},
	{"loader/msgpack/msgpack.go", "tag < 0x80: // positive", "tag < 0x7f: // positive", ""},
	{"loader/msgpack/msgpack.go", "if d.pos != len(data) {", "if false {", ""},
	{"dwarf/expr/arith.go", "ordered(a.low < b.low, a.low > b.low)",
		"ordered(a.low > b.low, a.low < b.low)", exprTests},
	{"dwarf/expr/arith.go", "v.low&^(1<<(v.Type.Bits-1))", "v.low", exprTests},
	{"dwarf/expr/machine.go", "m.cfi && m.in.info.flags&notInCFI != 0", "false", exprTests},
	{"dwarf/expr/machine.go", "b.starts[to/64]>>(to%64)&1 == 0", "false", exprTests},
	{"dwarf/expr/machine.go", "low: n & mask(m.generic.Bits)})", "low: n})", exprTests},
	{"dwarf/expr/machine.go", "uint64(t.Bits+7)/8 != size", "false", exprTests},
	{"loader/amdgpu/codeobject.go", "if !t.is(id) {", "if !t.is(id) && false {", ""},
	{"loader/amdgpu/codeobject.go", "s.Undefined || s.Absolute ||", "s.Undefined ||", ""},
	{"loader/amdgpu/metadata.go", "!ok || n > math.MaxUint32", "!ok || n > math.MaxUint64", ""},
	{"loader/module.go", "skip = min(skip, sec.Addr-s.Addr)", "skip = sec.Addr-s.Addr", ""},
	{"stub/displace/debugging.go", "m.frames(sections[\".debug_frame\"])\n", "", ""},
	{"stub/displace/debugging.go", "err == nil && local", "err == nil", ""},
	{"stub/displace/debugging.go", "case strings.HasPrefix(s.Name, \".zdebug_\"):", "case false:", ""},
	{"stub/displace/debugging.go", "uint64(len(m.Data)+len(appended))", "uint64(len(m.Data))", ""},
	{"stub/displace/debugging.go", "s.Flags&^uint64(elf.SHF_COMPRESSED)", "s.Flags", ""},
	{"stub/displace/displace.go", "|| to+(m.extent.High-m.extent.Low) < to", "", ""},
	{"stub/displace/displace.go", "m.by%m.extent.Align != 0", "false", ""},
	{"stub/displace/displace.go", "t != elf.SHT_SYMTAB && t != elf.SHT_DYNSYM", "t != elf.SHT_SYMTAB", ""},
	{"stub/displace/displace.go", "in != elf.SHN_UNDEF && in", "in", ""},
	{"stub/displace/displace.go", "&& in < elf.SHN_LORESERVE", "", ""},
	{"stub/displace/displace.go", "if p.Memsz > 0 {", "if p.Memsz >= 0 {", ""},
	{"stub/displace/displace.go", "e.Align = max(e.Align, p.Align)", "e.Align = p.Align", ""},
	{"stub/displace/displace.go", "if e.Align&(e.Align-1) != 0 {", "if false {", ""},
	{"stub/displace/displace.go", "v != 0 && v >= m.extent.Low", "v >= m.extent.Low", ""},
	{"stub/displace/displace.go", "v <= m.extent.High", "v < m.extent.High", ""},
	{"stub/displace/displace.go", "&elf.SHF_ALLOC != 0", "&elf.SHF_ALLOC != 99", ""},
	{"stub/displace/displace.go", "case tag == elf.DT_NULL:\n\t\t\t\treturn nil",
		"case tag == elf.DT_NULL:", ""},
	{"stub/displace/displace.go", "case fixedTags[tag]:", "case false:", ""},
	{"stub/displace/displace.go", "uint32(binary.LittleEndian.Uint64(table[info:])) == relative", "true", ""},
	{"stub/displace/displace.go", "f.Type != elf.ET_DYN ||", "", ""},
	{"stub/displace/displace.go", "m.add(header[progPaddr:])", "", ""},
	{"simt/rows/x86/translate.go", "t.checkOne(g, slot, int32(g.Hi-g.Lo)+(t.row-1)*int32(step), other)",
		"t.checkOne(g, slot, int32(g.Hi-g.Lo), other)", ""},
	{"simt/rows/rows.go", "max(o.Offset, -o.Offset) > farthest[o.Space]",
		"o.Offset != int64(int32(o.Offset))", "./simt/rows/x86"},
	{"simt/gen/text_xe.go", "if !in.src[0].isNull() {", "if true {", "./simt/gen -run=TestTextOf"},
	{"simt/gcn/translate_shapes.go",
		"t.OpImm(native.CMP, t.laneWidth(), regMask, -1)\n\tt.Jcc(native.NE, none)\n", "",
		"./simt/gcn -run=TestPathsAgree"},
}

// exprTests are those of expressions: most cases are in files.
const exprTests = "./dwarf/expr ./dwarf/expr/exprjson"

// launchTests are those of how values in launches are written.
const launchTests = "./stub/launch -run=Test(Literal|IsList|Listed|Half|Fill|ParseArg|ReadSpec)"

// turnTests are those of turns and waves that are foreseen.
const turnTests = "./simt/gcn -run=TestTurns|TestRacesInTurns|TestForeseen|TestScalarLoadsForeseen"

// genTurnTests are those of Gen's turns, and of what observers are told of its threads.
const genTurnTests = "./simt/gen -run=TestToldAlike|TestCheckedAlike|TestLoadsTold"

// keptTurnTests are those of what all machines keep of turns.
const keptTurnTests = "./simt -run=TestTurns"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	of := map[string]map[fate]int{} // by packages
	for _, m := range mutants {
		if only := os.Args[1:]; len(only) > 0 && !slices.Contains(only, m.file) {
			continue
		}
		f, err := m.try(dir)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %q for %q %s\n", m.file, m.to, m.from, f)
		p := filepath.Dir(m.file)
		if of[p] == nil {
			of[p] = map[fate]int{}
		}
		of[p][f]++
	}
	for _, p := range slices.Sorted(maps.Keys(of)) {
		n := of[p]
		all := n[noticed] + n[survives] + n[swept] + n[late]
		fmt.Printf("%s: of %d changes %d are noticed by no test, %d by make check-all alone, of %d tests did"+
			" not end within %s\n", p, all, n[survives], n[swept], n[late], limit)
	}
	return nil
}

// A fate is what becomes of a mutant.
type fate string

const (
	noticed  fate = "is noticed"
	survives fate = "SURVIVES"
	late     fate = "RUNS OUT OF TIME"
	swept    fate = "is noticed by make check-all alone"
)

// limit is how long tests may take: a change that has them run for ever is not noticed by a test that says
// so.
const limit = "30m"

// source is the text that a mutant changes, which it has once.
func (m *mutant) source(top string) (string, error) {
	text, err := os.ReadFile(filepath.Join(top, m.file))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.from); n != 1 {
		return "", fmt.Errorf("%s has %q %d times, expected once", m.file, m.from, n)
	}
	return string(text), nil
}

// try says whether tests pass with the change.
func (m *mutant) try(dir string) (fate, error) {
	text, err := m.source(".")
	if err != nil {
		return "", err
	}
	here, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {here: changed}})
	if err != nil {
		return "", err
	}
	for path, p := range map[string][]byte{changed: []byte(strings.Replace(text, m.from, m.to, 1)),
		overlay: list} {
		if err := os.WriteFile(path, p, 0o666); err != nil {
			return "", err
		}
	}
	tests := m.tests
	if tests == "" {
		tests = "./" + filepath.Dir(m.file)
	}
	for _, sweep := range []string{"", "all"} { // what is tried by `make test`, and if that passes all
		// One failure is enough, and what vet says of a change is no test's.
		args := []string{"test", "-failfast", "-vet=off", "-timeout", limit, "-overlay", overlay}
		c := exec.Command("go", append(args, strings.Fields(tests)...)...)
		c.Env = append(os.Environ(), "SIMTGDB_SWEEP="+sweep)
		out, err := c.CombinedOutput()
		switch {
		case err == nil:
			continue
		case strings.Contains(string(out), "[build failed]"):
			return "", fmt.Errorf("%s with %q does not build: %w\n%s", m.file, m.to, err, out)
		case strings.Contains(string(out), "panic: test timed out"):
			return late, nil
		case sweep != "":
			return swept, nil
		}
		return noticed, nil
	}
	return survives, nil
}
