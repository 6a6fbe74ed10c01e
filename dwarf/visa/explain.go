package visa

import (
	"fmt"
	"strings"
)

// Explain says what the tables have of the instruction at an address: the object, the sub-routine and the
// vISA instruction that it belongs to, and where values of the call frame and saved registers are while it
// executes.
func (u *Unwinder) Explain(ip uint64) ([]string, error) {
	f := &Frame{IP: ip, unwinder: u}
	if err := f.find(ip); err != nil {
		return nil, err
	}
	o, info := f.Object, &f.Object.Frame
	kind := "kernel"
	if o.IsFunction() {
		kind = "stack-call function"
	}
	head := fmt.Sprintf("%s %q, Gen offset %#x", kind, o.Name, f.site)
	if f.indexed {
		head += fmt.Sprintf(", vISA index %d", f.index)
	}
	lines := []string{head}
	if f.Subroutine != nil {
		place, ok := f.returnPlace()
		lines = append(lines, fmt.Sprintf("sub-routine %q: return address %s", f.Subroutine.Name,
			where(place, ok)))
	}
	if info.Size > 0 {
		lines = append(lines, fmt.Sprintf("frame of %s of scratch memory", count(int(info.Size), "byte")))
	}
	for _, t := range [...]struct {
		name    string
		tracked Tracked
	}{{"BE_FP", info.BEFP}, {"caller's BE_FP", info.CallerBEFP}, {"return address", info.ReturnAddress}} {
		if t.tracked.Valid {
			place, ok := t.tracked.liveAt(f.site, u.target.RestoreLag)
			lines = append(lines, t.name+" "+where(place, ok))
		}
	}
	code := u.objects[o]
	for _, l := range [...]struct {
		name string
		list []blockList
	}{{"callee-saved", code.calleeSaves}, {"caller-saved", code.callerSaves}} {
		if blocks := blocksAt(l.list, f.site); len(blocks) > 0 {
			lines = append(lines, l.name+" "+saved(blocks))
		}
	}
	return lines, nil
}

func where(p Place, ok bool) string {
	if !ok {
		return "nowhere here"
	}
	return fmt.Sprintf("in %v", p)
}

func saved(blocks []savedBlock) string {
	parts := make([]string, len(blocks))
	for i, b := range blocks {
		parts[i] = fmt.Sprintf("grf[%d..%d] in %v", b.offset, b.offset+b.size-1, b.to)
	}
	return strings.Join(parts, ", ")
}
