package check

import (
	"maps"
	"math/bits"

	"simtgdb/simt"
	"simtgdb/simt/shadow"
)

// A Checker looks for defects while a machine runs. It implements [simt.Orderer].
type Checker struct {
	// Sink is told of each defect, while the instruction is under way, and reports whether the wave
	// is to stop after it.
	Sink func(*Report) (stop bool)
	// Passed is told of what is found while the past is executed again, at which the wave stops; it may be
	// nil.
	Passed func(*Report)
	// Ignore reports whether a defect is not to be told; it may be nil.
	Ignore func(*Report) bool
	// Note is told that what is known takes more than Limit bytes, and what is not looked for any more.
	Note  func(text string)
	Limit uint64
	// NoContents is the advice for memory that nobody has given contents; a sentence.
	NoContents string
	// Objects tells of the program's variables, for Bounds; nil if nobody knows them.
	Objects Objects
	// Told are addresses of bytes that functions load to say what the program does wrong, by what it is.
	Told map[uint64]string

	kinds  Kinds
	m      *simt.Machine
	depth  int  // of clocks
	strict bool // lanes that go in step are in no order by that
	// inStep says that accesses were taken to be in order because lanes went in step, and that it was told.
	inStep bool
	// independent says that the machine's lanes are ([simt.Independent]).
	independent bool
	// portable says that barriers of a wave order nothing either.
	portable bool
	state

	generation  uint64 // of pages
	sites       []site
	siteOf      map[site]int
	recent      [recents]int32       // sites, by instruction
	recentWaves [recentlyWaves]*wave // by the low bits of their numbers

	recentGroup *group
	recentIndex int
	epochs      []epoch // room for those to come
	serial      uint32  // of the last
	spareWaves  []*wave
	spareGroup  *group

	chains     chains
	region     *simt.Region // of the last access
	spare      []simt.LoadRecord
	sourced    [recents]sourced
	racing     racing
	undos      []undo
	met        []*wave // at a barrier that opens
	lateSites  []lateSite
	lateSiteOf map[lateSite]int
	recentLate [recents]int32

	loads       []*simt.Loads // by number
	loadsMarked []bool        // whether the source says that any of them is atomic
	numberOf    map[*simt.Loads]int32
	recentLoads [recents]int32
	pieces      []simt.Piece

	singles       map[simt.Load]*simt.Loads // loads of one, which are in streams
	recentSingles [recents]*simt.Loads

	foreseen      foresight
	turns         foreseenTurns
	skipped       int // loads of which nothing was kept
	streamsInVain int
	spilling      bool // what streams have done is looked at
	perGroup      int  // waves

	quiet    bool // the past is executed again: nothing is told
	accesses int
	held     int // bytes that snapshots keep

	given []simt.Extent // of scratch, that waves start with
	owned bool          // some region that is blank at first is waves' own

	blanks map[blankPlace]*blankNote // of waves that have not ended: only for the words of reports
}

// state is what goes back with the machine.
type state struct {
	waves   map[int]*wave  // by ID, of those that have not ended
	groups  map[int]*group // by index
	global  *memory
	unheard unheard
	stream  stream
	// blank are regions that hold nothing until the program writes to them, and what it has written.
	blank map[*simt.Region]*defined
	// reported are the defects so far.
	reported map[place]bool
	copies   copies
	// old are workgroups that ran before anybody looked: their memory counts as written.
	old map[int]bool
}

// A site is an instruction that accesses memory.
type site struct {
	pc                                    uint64
	write, atomic, perhaps, near, inOrder bool
	chain                                 int32 // the calls that it was made in
}

// A group is what is known of a workgroup.
type group struct {
	lds     *memory
	written *defined // in LDS
	left    int      // waves that have not ended
	late    late
	marks   []turnMark // of its last barriers, see ForeseeTurns
	shared  bool       // others of a cluster access its LDS, too

	whole bool   // all of LDS has been written, and nothing without contents since
	upTo  uint64 // words of LDS up to which that was so when it was looked at

	barriers map[uint8]arrivals // by number
	came     map[uint8]released // what waves had released that came to a barrier and do not wait there
}

// planes are the memories whose accesses are ordered separately: a barrier or a wait may be for one
// only.
const (
	globalPlane = iota
	ldsPlane
	planes
)

// wave is what is known of a wave.
type wave struct {
	id, group int
	now       *epoch
	fresh     bool           // nobody else knows of that epoch
	held      bool           // somebody has kept where it is, not only what it says
	had       had            // before that epoch
	lastLDS   uint32         // the clock of its last access to LDS
	dirty     [planes]bool   // it has accessed the memory since its last release
	knows     released       // what happened before what it does now
	wide      passed         // to the device
	near      passed         // to the workgroup
	done      [planes]uint32 // the clock up to which its accesses happened before what it does now
	read      acquired       // by atomic accesses whose acquire is to come
	memo      [planes][memos]memo
	written   *defined // in scratch, by word and lane
	cover     cover
	sides     sides
	syncs     syncs
	time      foreseenTime
}

// A memo is what a wave knows of another's clock.
type memo struct {
	wave  int32 // one more than its number; 0 for none
	clock uint32
}

// memos is how many a wave keeps of each memory, a power of two.
const memos = 16

// New makes a checker of a machine for some kinds of defect.
func New(m *simt.Machine, kinds Kinds) *Checker {
	c := &Checker{m: m, NoContents: "The launch gives this buffer no contents (init none).",
		siteOf: map[site]int{}, Limit: DefaultLimit, generation: 1}
	c.depth = depthFor(waveCount(m))
	c.perGroup = wavesPerGroup(m)
	c.state = state{waves: map[int]*wave{}, groups: map[int]*group{}, global: newMemory(),
		unheard: newUnheard(),
		blank:   map[*simt.Region]*defined{}, reported: map[place]bool{}}
	c.setKinds(kinds)
	if m.Stats().Insts > 0 {
		c.Begin()
	}
	c.private(m)
	_, c.independent = m.ISA().(simt.Independent)
	if g, ok := m.ISA().(simt.ScratchGiver); ok {
		c.given = g.GivenScratch()
	}
	return c
}

// waveCount is how many waves the dispatch has.
func waveCount(m *simt.Machine) int {
	groups := 1
	for _, n := range m.Dispatch.Groups() {
		groups *= int(n)
	}
	return groups * wavesPerGroup(m)
}

// wavesPerGroup is how many waves a whole workgroup has.
func wavesPerGroup(m *simt.Machine) int {
	block, size := m.Dispatch.Block, m.ISA().WaveSize()
	return (int(block[0]*block[1]*block[2]) + size - 1) / size
}

// Attach makes the checker look from now on. What was written before counts as written.
func (c *Checker) Attach() { c.m.AddObserver(c) }

// Detach makes it look no more. What it knows stays, and is no longer true once the machine runs on.
func (c *Checker) Detach() { c.m.RemoveObserver(c) }

// Kinds are what is looked for.
func (c *Checker) Kinds() Kinds { return c.kinds }

// Look changes what is looked for. What was not looked for before is not known: it is as if the
// checker began now.
func (c *Checker) Look(kinds Kinds) {
	if kinds&^c.kinds != 0 && c.m.Stats().Insts > 0 {
		c.Begin()
	}
	c.setKinds(kinds)
	c.m.Invalidate()
}

func (c *Checker) setKinds(kinds Kinds) {
	c.settleAll()
	c.hear()
	c.portable = kinds&Portable != 0
	c.kinds, c.strict = kinds, kinds&(Strict|Portable) != 0
}

// Follows implements simt.Follower.
func (c *Checker) Follows() simt.Following {
	return simt.Following{Values: c.kinds&Uninit != 0, Waits: c.kinds&Wait != 0, Objects: c.kinds&Bounds != 0,
		Undefined: c.kinds&Undefined != 0, NaN: c.kinds&NaN != 0}
}

// Used implements simt.Follower.
func (c *Checker) Used(u *simt.Use) (stop bool) {
	r := &Report{Kind: Uninit, Wave: u.Wave, Lanes: u.Lanes, PC: u.PC, What: u.Text}
	if u.Waits {
		r.Kind = Wait
	}
	if u.From != 0 {
		r.Others = []Party{c.party(u.Wave, r.Lane(), u.From)}
		if !c.reported[r.place()] {
			r.Element = c.blankText(u.Wave, r.Lane(), u.From, u.PC)
		}
	}
	return c.report(r)
}

// Blank says of a region that it holds nothing yet: reading it before writing is a defect. After
// the machine has run it is too late for that.
func (c *Checker) Blank(r *simt.Region) {
	if c.old == nil {
		c.blank[r] = newDefined()
		c.owned = c.owned || r.Private
	}
}

// A Written is what has been written of a region that outlives a machine, byte by byte.
type Written struct{ d *defined }

// NewWritten is nothing yet.
func NewWritten() *Written { return &Written{newDefined()} }

// Write adds size bytes, by where they are in the region.
func (w *Written) Write(off, size uint64) {
	for word := off / wordSize; word*wordSize < off+size; word++ {
		*w.d.At(word, 0) |= bytesOf(word, off, off+size)
	}
}

// Copy is a copy, and how many bytes of memory it takes: it shares what is the same in one made before, which
// may be nil. Who wants to change a copy makes one of it that shares nothing.
func (w *Written) Copy(before *Written) (same *Written, bytes int) {
	var shared *defined
	if before != nil {
		shared = before.d
	}
	d, bytes := shadow.Copy(w.d, shared)
	return &Written{d}, bytes
}

// BlankBut is Blank for a region of which something has been written before.
func (c *Checker) BlankBut(r *simt.Region, w *Written) {
	if c.old == nil {
		c.blank[r] = w.d
	}
}

// Written is what has been written of a region that is blank; nil if that was not followed.
func (c *Checker) Written(r *simt.Region) *Written {
	d := c.blank[r]
	if d == nil || c.kinds&Uninit == 0 {
		return nil
	}
	return &Written{d}
}

// wave is what is known of a wave of the machine.
func (c *Checker) wave(w *simt.Wave) *wave {
	if c.stream.any() {
		c.spill()
	}
	s := c.known(w)
	if s == nil {
		if n := len(c.spareWaves); n > 0 {
			s, c.spareWaves = c.spareWaves[n-1], c.spareWaves[:n-1]
		} else {
			s = new(wave)
		}
		now := c.newEpoch()
		*now = epoch{wave: int32(w.ID), group: int32(w.Group.Index), clock: 1, serial: c.serial}
		*s = wave{id: w.ID, group: w.Group.Index, now: now, fresh: true}
		c.waves[w.ID] = s
		c.recentWaves[w.ID&(recentlyWaves-1)] = s
		c.beginPrivate(w)
	}
	return s
}

// known is what is known of a wave that has done anything; else nil.
func (c *Checker) known(w *simt.Wave) *wave {
	recent := &c.recentWaves[w.ID&(recentlyWaves-1)]
	if s := *recent; s != nil && s.id == w.ID {
		return s
	}
	s := c.waves[w.ID]
	if s != nil {
		*recent = s
	}
	return s
}

// newEpoch is an epoch to be filled.
func (c *Checker) newEpoch() *epoch {
	if len(c.epochs) == 0 {
		c.epochs = make([]epoch, 32)
	}
	e := &c.epochs[0]
	c.epochs = c.epochs[1:]
	c.serial += 2 * heardBit
	return e
}

// renew is the wave's epoch, to be changed: another if anybody knows of the one that it has.
func (c *Checker) renew(w *wave) *epoch {
	switch {
	case w.fresh:
	case w.held || w.now.serial&heardBit != 0:
		e := c.newEpoch()
		*e = *w.now
		e.serial = c.serial
		w.now, w.fresh, w.held = e, true, false
	default: // quiet reads have its numbers
		c.serial += 2 * heardBit
		w.now.serial, w.fresh, w.cover.at = c.serial, true, nil
	}
	return w.now
}

func (c *Checker) group(g *simt.Workgroup) *group {
	if s := c.recentGroup; s != nil && c.recentIndex == g.Index {
		return s
	}
	s := c.groups[g.Index]
	c.recentGroup, c.recentIndex = s, g.Index
	if s == nil {
		if s = c.spareGroup; s == nil {
			s = &group{lds: newMemory(), written: newDefined()}
		}
		c.spareGroup = nil
		s.left, s.shared = len(g.Waves), len(g.Peers) > 1
		for _, w := range g.Waves {
			if w.State == simt.Ended {
				s.left--
			}
		}
		c.groups[g.Index] = s
		c.recentGroup = s
	}
	return s
}

// Wants implements simt.Selective.
func (c *Checker) Wants(w *simt.Wave, space simt.Space, _ bool) bool {
	return c.wants(c.kinds, w, space)
}

// Steady implements simt.Steady: some kinds heed whether a workgroup has written all of its LDS.
func (c *Checker) Steady(w *simt.Wave) bool {
	return c.kinds&Race == 0 && c.kinds&Uninit != 0 && c.written(w.Group)
}

// wants is Wants for some kinds.
func (c *Checker) wants(kinds Kinds, w *simt.Wave, space simt.Space) bool {
	switch {
	case kinds&Bounds != 0, kinds&Race != 0 && space != simt.Scratch:
		return true
	}
	switch {
	case kinds&Uninit == 0:
		return false
	case space == simt.LDS:
		return !c.written(w.Group)
	}
	return space != simt.Global || len(c.blank) > 0
}

// written reports whether all of a workgroup's LDS has been written, and nobody else writes there.
func (c *Checker) written(of *simt.Workgroup) bool {
	g := c.recentGroup
	if g == nil || c.recentIndex != of.Index {
		g = c.groups[of.Index]
	}
	return g != nil && g.whole && !g.shared
}

// SparesGiven implements simt.Sparing: what is given has contents, and belongs to a lane.
func (c *Checker) SparesGiven(*simt.Wave) bool { return c.kinds&Bounds == 0 }

// Observe implements simt.Observer.
func (c *Checker) Observe(a *simt.Access) (stop bool) {
	if a.Lanes == 0 {
		return false
	}
	c.fits()
	race := c.kinds&Race != 0 && a.Space != simt.Scratch
	if !race || c.begins() {
		c.wave(a.Wave)
	}
	if c.kinds&Bounds != 0 {
		if r := c.bounds(a); r != nil && c.report(r) {
			stop = true
		}
	}
	if c.kinds&Uninit != 0 {
		var w *wave // of which only what is its own is asked for
		if a.Space == simt.Scratch {
			w = c.wave(a.Wave)
		}
		if r := c.uninit(w, a); r != nil && c.report(r) {
			stop = true
		}
	}
	if c.kinds&Race != 0 && len(c.copies.of) > 0 {
		if r := c.meetsCopy(a); r != nil && c.report(r) {
			stop = true
		}
	}
	if race && !c.streamAccess(a) && !c.ownMemory(a) {
		if r := c.observeRace(c.wave(a.Wave), a); r != nil && c.report(r) {
			stop = true
		}
	}
	return stop
}

// observeRace is Observe for races, of an access by itself.
func (c *Checker) observeRace(w *wave, a *simt.Access) *Report {
	if !a.Atomic && c.noteRace(w, a) {
		return nil
	}
	return c.races(w, a)
}

// ownMemory reports whether an access is to memory that waves have for themselves.
func (c *Checker) ownMemory(a *simt.Access) bool {
	if a.Space != simt.Global {
		return false
	}
	r := c.regionAt(a.Addr[bits.TrailingZeros64(a.Lanes)])
	return r != nil && r.Private
}

// report hands a defect on, if it is news. It reports whether the wave is to stop.
func (c *Checker) report(r *Report) bool {
	if c.kinds&r.Kind == 0 || c.reported[r.place()] {
		return false
	}
	c.reported[r.place()] = true
	if c.Ignore != nil && c.Ignore(r) {
		return false
	}
	if c.quiet {
		if c.Passed != nil {
			c.Passed(r)
		}
		return c.Passed != nil
	}
	return c.Sink != nil && c.Sink(r)
}

// Found tells of a defect that somebody else has found in the same machine. It reports whether the wave is to
// stop.
func (c *Checker) Found(r *Report) (stop bool) { return c.report(r) }

// accessReport is a report of an access by some of its lanes.
func accessReport(kind Kinds, a *simt.Access, lanes uint64) *Report {
	r := &Report{Kind: kind, Wave: a.Wave, Lanes: lanes, PC: a.PC, Space: a.Space, Size: a.Size,
		Write: a.Write, Atomic: a.Atomic}
	if r.Addr = a.Addr[r.Lane()]; a.Of != nil {
		r.Addr = a.Of.Shared(r.Addr)
	}
	return r
}

// Ended implements simt.Orderer.
func (c *Checker) Ended(w *simt.Wave) {
	if c.streamEnded(w) {
		return
	}
	g := c.groups[w.Group.Index]
	if g != nil {
		g.left--
	} else {
		g = c.group(w.Group) // which counts it as ended
	}
	maps.DeleteFunc(c.blanks, func(at blankPlace, _ *blankNote) bool { return at.wave == w.ID })
	c.copies.ended(w, g.left == 0)
	s := c.waves[w.ID]
	c.forgetWave(w)
	if s != nil && len(g.late.runs) == 0 { // nobody knows of it any more
		c.spareWaves = append(c.spareWaves, s)
	}
	if g.left == 0 {
		delete(c.old, w.Group.Index)
		delete(c.groups, w.Group.Index)
		c.recentGroup = nil
		if g.late.records != nil {
			c.spare = g.late.records
		}
		if !g.shared {
			c.reuse(g, len(w.Group.LDS))
		}
	}
}

// forgetWave forgets a wave that has ended.
func (c *Checker) forgetWave(w *simt.Wave) {
	c.recentWaves[w.ID&(recentlyWaves-1)] = nil
	delete(c.waves, w.ID)
}

// reuse keeps what there is of a workgroup that has ended for another one, with nothing known of it.
func (c *Checker) reuse(g *group, lds int) {
	words := (lds + wordSize - 1) / wordSize
	g.lds.Clear((words+unitWords-1)/unitWords, c.generation)
	g.written.Clear(words, c.generation)
	g.lds.split = 0
	*g = group{lds: g.lds, written: g.written, marks: g.marks[:0]}
	c.spareGroup = g
}

// site is the index of an instruction's site.
func (c *Checker) site(a *simt.Access) int {
	return c.siteIn(a, c.chains.of(a.Wave, bits.TrailingZeros64(a.Lanes)))
}

// siteIn is that of one in a chain of calls.
func (c *Checker) siteIn(a *simt.Access, chain int32) int {
	return c.siteAs(site{a.PC, a.Write, a.Atomic, a.Perhaps, a.Near, a.InOrder, chain})
}

// siteAs is the index of a site.
func (c *Checker) siteAs(s site) int {
	recent := &c.recent[recently(s.pc)]
	if i := int(*recent); i < len(c.sites) && c.sites[i] == s {
		return i
	}
	i, ok := c.siteOf[s]
	if !ok {
		i = len(c.sites)
		c.sites = append(c.sites, s)
		c.siteOf[s] = i
	}
	*recent = int32(i)
	return i
}

// forgetRecent forgets what was asked for last of what goes back with the machine.
func (c *Checker) forgetRecent() { c.recentWaves, c.recentGroup = [recentlyWaves]*wave{}, nil }

// recentlyWaves is how many waves are remembered, a power of two.
const recentlyWaves = 16

// recents is how many instructions are remembered by what was known of them last, a power of two.
const recents = 256

// recently is the place of an instruction among those.
func recently(pc uint64) uint64 { return (pc>>2 ^ pc>>10) & (recents - 1) }

// Quiet says that the past is executed again, or that this is over. What is found meanwhile counts as
// reported.
func (c *Checker) Quiet(quiet bool) { c.quiet = quiet }

// Begin forgets all: what was written before counts as written.
func (c *Checker) Begin() {
	c.forgetRecent()
	c.state = state{waves: map[int]*wave{}, groups: map[int]*group{}, global: newMemory(),
		unheard: newUnheard(),
		blank:   map[*simt.Region]*defined{}, old: map[int]bool{}, reported: c.reported}
	for _, w := range c.m.Waves() {
		c.old[w.Group.Index] = true
	}
}
