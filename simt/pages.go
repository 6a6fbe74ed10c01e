package simt

import (
	"bytes"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// pageSize is how much memory is copied at a time when it changes after a snapshot.
const pageSize = 4096

// pageCount is how many pages bytes take.
func pageCount(n int) int { return (n + pageSize - 1) / pageSize }

// A page is what a page of memory held at some time. Snapshots of LDS and private memory share it.
type page struct {
	data []byte
	refs int // snapshots that have it
}

// zeros are what all pages without contents have, which most memory has before it is written.
var zeros [pageSize]byte

// held counts the bytes that snapshots keep.
type held uint64

// pageOf makes a page of memory, which has no owner yet.
func pageOf(data []byte) page {
	if bytes.Equal(data, zeros[:len(data)]) {
		return page{data: zeros[:len(data)]}
	}
	return page{data: bytes.Clone(data)}
}

// owns reports whether a page has bytes of its own.
func (p *page) owns() bool { return len(p.data) > 0 && &p.data[0] != &zeros[0] }

// add counts a page.
func (h *held) add(p *page) {
	if p.owns() {
		*h += held(len(p.data))
	}
}

// drop takes the page from one of its snapshots.
func (h *held) drop(p *page) {
	if p.refs--; p.refs == 0 && p.owns() {
		*h -= held(len(p.data))
	}
}

// A memorySnapshot is the state of global memory at one time. Of what has not changed since then it holds
// nothing: the first write to a page after a snapshot copies the page, for the latest snapshot. So a page is
// what the snapshot has, or the first one after it that has it, or what is in the region.
type memorySnapshot struct {
	next    uint64
	regions []*Region
	pages   map[*Region]*regionPages
}

// regionPages are the pages of a region as a snapshot has them: none for one that has not been written
// until the next.
type regionPages struct {
	data  []byte // the region's own bytes, which may since have been unmapped
	saved map[uint64]*pageRow
	once  sync.Once // makes zero
	zero  []uint64  // bits for pages that are zeros; nil before any is kept
}

// A pageRow is pages in a row, those that have data.
type pageRow [pagesInRow]page

const pagesInRow = keptAround / pageSize

// has reports whether the row has a page.
func (row *pageRow) has(number uint64) bool {
	return row != nil && row[number%pagesInRow].data != nil
}

// held is what memory holds now of a page.
func (p *regionPages) held(number uint64) []byte {
	from := p.data[number*pageSize:]
	return from[:min(pageSize, len(from))]
}

// each gives the pages that there are.
func (p *regionPages) each(f func(number uint64, page *page)) {
	for i, word := range p.zero {
		for ; word != 0; word &= word - 1 {
			number := uint64(i*pagesInWord + bits.TrailingZeros64(word))
			f(number, &page{data: zeros[:len(p.held(number))], refs: 1})
		}
	}
	for at, row := range p.saved {
		for i := range row {
			if row[i].data != nil {
				f(at*pagesInRow+uint64(i), &row[i])
			}
		}
	}
}

// has reports whether there is a page.
func (p *regionPages) has(number uint64) bool {
	if p.isZero(number) {
		return true
	}
	return p.saved[number/pagesInRow].has(number)
}

// isZero reports whether there is a page of zeros.
func (p *regionPages) isZero(number uint64) bool {
	return p.zero != nil && atomic.LoadUint64(&p.zero[number/pagesInWord])>>(number%pagesInWord)&1 != 0
}

// give makes a page one of them.
func (p *regionPages) give(number uint64, q page) {
	if !q.owns() {
		p.prepare()
		p.zero[number/pagesInWord] |= 1 << (number % pagesInWord)
		return
	}
	row := p.saved[number/pagesInRow]
	if row == nil {
		row = &pageRow{}
		p.saved[number/pagesInRow] = row
	}
	q.refs = 1
	row[number%pagesInRow] = q
}

// prepare makes room for pages of zeros, if there is none.
func (p *regionPages) prepare() {
	p.once.Do(func() { p.zero = make([]uint64, wordCount(len(p.data))) })
}

// snapshot makes a snapshot of all regions.
func (m *Memory) snapshot() *memorySnapshot {
	s := &memorySnapshot{next: m.next, regions: append([]*Region(nil), m.regions...),
		pages: map[*Region]*regionPages{}}
	for _, r := range m.regions {
		s.pages[r] = &regionPages{data: r.Data, saved: map[uint64]*pageRow{}}
		r.begin()
	}
	m.snapshots = append(m.snapshots, s)
	m.layout++ // what WillWrite has given
	return s
}

// willWrite makes the snapshots keep what is in some bytes of a region that are about to be written.
// Several waves may be about to at the same time.
func (m *Memory) willWrite(r *Region, off, size uint64) {
	if r.kept == nil || size == 0 {
		return
	}
	for p := off / pageSize; p <= (off+size-1)/pageSize; p++ {
		if !r.isKept(p) {
			m.keep(r, p, (off+size-1)/pageSize)
			return
		}
	}
}

// isKept reports whether the snapshots have got a page.
func (r *Region) isKept(page uint64) bool {
	return atomic.LoadUint64(&r.kept[page/pagesInWord])>>(page%pagesInWord)&1 != 0
}

// keptAround is how much is kept for [Memory.WillWrite] at once, at least; where memory is written from its
// beginning on, it is more and more, up to mostKept. mostAround bounds how far it looks for more that is.
const (
	keptAround = 16 * pageSize
	mostKept   = 4 * keptAround
	mostAround = 1 << 22
)

// Keeps reports whether there are snapshots, which must have what memory holds before it is written.
func (m *Memory) Keeps() bool { return len(m.snapshots) > 0 }

// WillWrite is for whoever writes to a region without telling observers: it makes the snapshots keep what
// is in some bytes, and gives the extent around them, in the region, that may be written from now on
// until [Memory.Layout] changes.
func (m *Memory) WillWrite(r *Region, off, size uint64) Extent {
	end := uint64(len(r.Data))
	if r.kept == nil {
		return Extent{0, end}
	}
	lo, hi := off&^(keptAround-1), min((off+size+keptAround-1)&^(keptAround-1), end)
	first := r.keptBefore(lo)
	if r.keptUpTo(lo, hi) < hi {
		hi = min(max(hi, lo+min(lo-first, mostKept)), end)
		r.touch(lo, hi, touch)
		m.keep(r, lo/pageSize, (hi-1)/pageSize)
	}
	return Extent{first, r.keptUpTo(hi, min(hi+mostAround, end))}
}

// keptUpTo is up to where, and no further than hi, the snapshots have got what is in memory from lo on,
// where a page begins.
func (r *Region) keptUpTo(lo, hi uint64) uint64 {
	for lo < hi && r.isKept(lo/pageSize) {
		if p := lo / pageSize; p%pagesInWord == 0 && atomic.LoadUint64(&r.kept[p/pagesInWord]) == ^uint64(0) {
			lo += pagesInWord * pageSize
		} else {
			lo += pageSize
		}
	}
	return min(lo, hi)
}

// keptBefore is from where on the snapshots have got what is in memory up to hi, where a page begins.
func (r *Region) keptBefore(hi uint64) uint64 {
	lo := hi
	for lo > 0 && hi-lo < mostAround && r.isKept(lo/pageSize-1) {
		if p := lo / pageSize; p%pagesInWord == 0 &&
			atomic.LoadUint64(&r.kept[p/pagesInWord-1]) == ^uint64(0) {
			lo -= pagesInWord * pageSize
		} else {
			lo -= pageSize
		}
	}
	return lo
}

// keep gives the snapshots those of some pages that they have not got, from first to last. Workers that keep
// what lies apart do not wait for each other.
func (m *Memory) keep(r *Region, first, last uint64) {
	s := m.latestOf(r, len(m.snapshots))
	if s != nil {
		s.prepare()
	}
	for p := first; p <= last; {
		to := min(p|(pagesInRow-1), last)
		m.keepIn(r, s, p, to)
		p = to + 1
	}
}

// pagesInWord is for how many pages one of [Region.kept] says that they are kept.
const pagesInWord = 64

// wordCount is how many words have a bit for each page of so many bytes.
func wordCount(n int) int { return (pageCount(n) + pagesInWord - 1) / pagesInWord }

// begin makes a region one of whose pages the latest snapshot has none.
func (r *Region) begin() {
	words := wordCount(len(r.Data))
	all := make([]uint64, words+(words+pagesInRow-1)/pagesInRow)
	r.kept, r.there = all[:words:words], all[words:]
}

// keepIn is keep for pages of one row, for a snapshot in which the region was mapped, if there is one.
func (m *Memory) keepIn(r *Region, s *regionPages, first, last uint64) {
	lock := &m.keeping[first/pagesInRow%uint64(len(m.keeping))]
	lock.Lock()
	defer lock.Unlock()
	var row *pageRow
	if s != nil {
		m.saving.Lock()
		row = s.saved[first/pagesInRow]
		m.saving.Unlock()
	}
	var kept, zero uint64
	for p := first; p <= last; p++ {
		bit := uint64(1) << (p % pagesInWord)
		if r.isKept(p) {
			continue
		}
		if kept |= bit; s == nil || s.isZero(p) || row.has(p) {
			continue
		}
		found := pageOf(s.held(p))
		if !found.owns() {
			zero |= bit
			continue
		}
		m.saving.Lock()
		m.held.add(&found)
		s.give(p, found)
		m.saving.Unlock()
	}
	if zero != 0 {
		atomic.OrUint64(&s.zero[first/pagesInWord], zero)
	}
	atomic.OrUint64(&r.kept[first/pagesInWord], kept)
}

// mostLooked bounds how far is looked for what is in memory behind that which is about to be written.
const mostLooked = 1 << 22

// touch has a function make the system find memory for the bytes from lo to hi, where rows of pages begin, if
// it has not done so: once for each row, though several workers may come to it. The function is given what
// follows, too, and says how much of all is in memory then.
func (r *Region) touch(lo, hi uint64, f func(b []byte, n uint64) (there uint64)) {
	for lo < hi && !r.comesTo(lo) {
		lo += keptAround
	}
	if lo >= hi {
		return
	}
	for next := lo + keptAround; next < hi; next += keptAround {
		r.comesTo(next)
	}
	end := uint64(len(r.Data))
	to := min(lo+mostLooked, end)
	there := lo + f(r.Data[lo:to], hi-lo)
	for ; hi < to && min(hi+keptAround, end) <= there; hi += keptAround {
		r.comesTo(hi)
	}
}

// comesTo notes that the row of pages that begins at an offset is in memory, and reports whether that is new.
func (r *Region) comesTo(off uint64) bool {
	row := off / keptAround
	bit := uint64(1) << (row % 64)
	return atomic.OrUint64(&r.there[row/64], bit)&bit == 0
}

// latestOf is what the latest of the first n snapshots has in which a region was mapped, or nil.
func (m *Memory) latestOf(r *Region, n int) *regionPages {
	for i := n - 1; i >= 0; i-- {
		if p := m.snapshots[i].pages[r]; p != nil {
			return p
		}
	}
	return nil
}

// restore makes all regions what they were. It reports whether code may be another for it.
func (m *Memory) restore(s *memorySnapshot) (code bool) {
	m.layout++
	code = !slices.Equal(m.regions, s.regions)
	since := m.snapshots[slices.Index(m.snapshots, s):]
	for _, r := range s.regions {
		r.Data = s.pages[r].data
		if r.kept == nil {
			r.begin()
		}
		for p, data := range savedSince(since, r) {
			m.willWrite(r, p*pageSize, 1)
			copy(r.Data[p*pageSize:], data)
			code = code || r.Perm&PermExec != 0
		}
	}
	for _, r := range m.regions {
		if s.pages[r] == nil {
			r.Data, r.kept = nil, nil // mapped later
		}
	}
	m.next, m.regions = s.next, append([]*Region(nil), s.regions...)
	return code
}

// savedSince are the pages of a region that are not known to be still what the first of some snapshots has,
// as it has them. The snapshots are those from that one on.
func savedSince(since []*memorySnapshot, r *Region) map[uint64][]byte {
	was := map[uint64][]byte{}
	for i := len(since) - 1; i >= 0; i-- {
		if pages := since[i].pages[r]; pages != nil {
			pages.each(func(p uint64, saved *page) { was[p] = saved.data })
		}
	}
	return was
}

// is reports whether memory is what a snapshot has.
func (m *Memory) is(s *memorySnapshot) bool {
	since := m.snapshots[slices.Index(m.snapshots, s):]
	return slices.Equal(m.regions, s.regions) && !slices.ContainsFunc(s.regions, func(r *Region) bool {
		for p, data := range savedSince(since, r) {
			if !bytes.HasPrefix(r.Data[p*pageSize:], data) {
				return true
			}
		}
		return false
	})
}

// release forgets a snapshot. Those before it may need its pages.
func (m *Memory) release(s *memorySnapshot) {
	i := slices.Index(m.snapshots, s)
	if i < 0 {
		return
	}
	for r, pages := range s.pages {
		before := m.latestOf(r, i)
		pages.each(func(p uint64, saved *page) {
			if before == nil || before.has(p) {
				m.held.drop(saved)
			} else {
				before.give(p, *saved)
			}
		})
	}
	m.snapshots = slices.Delete(m.snapshots, i, i+1)
	if len(m.snapshots) == 0 {
		for _, r := range m.regions {
			r.kept = nil
		}
	}
}

// pages are a copy of a workgroup's or a wave's own memory, whose pages are shared with the copy before
// where they are equal.
type pages struct {
	size int
	all  []*page
}

// copyPages copies memory. last is the copy before, or nil.
func (h *held) copyPages(data []byte, last *pages) *pages {
	p := &pages{size: len(data), all: make([]*page, pageCount(len(data)))}
	for i := range p.all {
		now := data[i*pageSize : min((i+1)*pageSize, len(data))]
		if last != nil && i < len(last.all) && bytes.Equal(last.all[i].data, now) {
			p.all[i] = last.all[i]
		} else {
			now := pageOf(now)
			h.add(&now)
			p.all[i] = &now
		}
		p.all[i].refs++
	}
	return p
}

// dropPages forgets a copy.
func (h *held) dropPages(p *pages) {
	for _, page := range p.all {
		h.drop(page)
	}
}

// are reports whether memory is what it was.
func (p *pages) are(data []byte) bool {
	if len(data) != p.size {
		return false
	}
	for i, page := range p.all {
		if !bytes.HasPrefix(data[i*pageSize:], page.data) {
			return false
		}
	}
	return true
}

// restore gives the memory as it was, in the place of data if that has room.
func (p *pages) restore(data []byte) []byte {
	if cap(data) < p.size {
		data = make([]byte, p.size)
	}
	data = data[:p.size]
	for i, page := range p.all {
		copy(data[i*pageSize:], page.data)
	}
	return data
}
