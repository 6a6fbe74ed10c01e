package gcn

import (
	"slices"
	"sync"

	"simtgdb/simt"
)

// A translation is a region as any core of a machine can have it.
type translation struct {
	region
	blocks  []translatedBlock
	alone   []codeAt // of blocks whose first instruction has no translation
	vectors int      // how many vector registers a wave must hold for it
	insts   int
}

// A translatedBlock is where a block begins in a region's code.
type translatedBlock struct {
	at    codeAt
	entry uintptr
}

// translations are what cores of one machine have translated, for its other cores. They are good for one
// generation of the machine.
type translations struct {
	mu  sync.Mutex
	m   *simt.Machine
	gen int
	all map[translated]*translation
}

// translated is a block and what its translation depends on.
type translated struct {
	at   codeAt
	mode uint32
}

// hot counts a run of a block by the interpreter. It gets its translation if another core has made one, or
// when the run was one of many.
func (c *Core) hot(b *block) {
	b.runs++
	if !c.native || b.runs != 1 && b.runs != c.warmRuns || c.translated >= maxTranslated {
		return
	}
	all := &c.isa.translations
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.m != c.m || all.gen != c.gen {
		all.m, all.gen, all.all = c.m, c.gen, map[translated]*translation{}
	}
	t := all.all[translated{b.at(), c.r.S[regMode] & regionMode}]
	if t == nil && b.runs == c.warmRuns {
		if t = c.translate(b); t != nil {
			all.add(b.at(), t)
		}
	}
	if t != nil {
		c.adopt(t)
	}
}

// add makes a translation known to other cores.
func (a *translations) add(at codeAt, t *translation) {
	a.all[translated{at, t.mode}] = t
	for _, b := range t.blocks {
		if at := (translated{b.at, t.mode}); a.all[at] == nil {
			a.all[at] = t
		}
	}
}

// adopt makes a translation one of the core's: with its own blocks, and its own knowledge of memory.
func (c *Core) adopt(t *translation) {
	for _, at := range t.alone {
		c.block(at).alone = true
	}
	if len(t.blocks) == 0 {
		return
	}
	r := t.region
	r.slots, r.interludes = slices.Clone(t.slots), slices.Clone(t.interludes)
	if len(r.lates) > 0 {
		r.tell = c.tells(r.lates)
	}
	for i := range r.slots {
		r.slots[i].data = nil
	}
	for i := range r.interludes {
		r.interludes[i].b = c.block(r.interludes[i].b.at())
	}
	c.regions = append(c.regions, &r)
	c.translated += t.insts
	for _, tb := range t.blocks {
		if b := c.block(tb.at); b.region == nil {
			b.region, b.entry, b.vectors = &r, tb.entry, t.vectors
		}
	}
}
