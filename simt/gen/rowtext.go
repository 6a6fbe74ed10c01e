package gen

import "simtgdb/simt/rows/regions"

// Rows says what the instruction at the start of code becomes as row code, for a thread of so many channels;
// nothing if the core executes it as it is.
func (g *Generation) Rows(code []byte, pc uint64) []string {
	in, err := g.Decode(code, pc)
	if err != nil {
		return nil
	}
	in.prepare()
	var texts []string
	for _, o := range in.lower(maxChannels, 0) {
		texts = append(texts, o.String())
	}
	if texts != nil {
		return texts
	}
	if f, ok := in.lowerFlow(in.width); ok && in.Op.flow != 0 {
		u := regions.Unit{At: f.At, End: in.after(), Flow: f}
		return []string{u.Ways()}
	}
	return nil
}
