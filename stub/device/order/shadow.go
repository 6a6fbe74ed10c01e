package order

// A Touch is an access to memory: by which instruction of which work.
type Touch struct {
	Work          *Work
	PC            uint64 // 0 of what has no instructions
	Write, Atomic bool

	bytes uint8 // of the word, a bit for each
}

// A Shadow knows who has accessed words of memory. Its zero value knows of none.
type Shadow struct {
	pages   map[uint64]*page
	touches []Touch // by the numbers that pages have; the first is none
	numbers map[Touch]uint32
	newest  uint64 // ticket

	last       *page
	lastAt     uint64
	lastTouch  Touch // with a number
	lastNumber uint32
}

// A page is what is known of words that lie side by side: the number of the last write, and of two reads that
// are not in order with each other.
type page struct{ write, read, other [pageWords]uint32 }

const (
	wordSize  = 4
	pageWords = 1024
	pageBytes = pageWords * wordSize
	// mostTouches and mostPages bound what is known. Beyond, all of it is forgotten.
	mostTouches = 1 << 22
	mostPages   = 1 << 16
)

func (s *Shadow) clear() { *s = Shadow{} }

// begin makes room for a work's touches, and forgets what it comes after in any case.
func (s *Shadow) begin(w *Work) {
	if w.before.floor >= s.newest || len(s.touches) > mostTouches || len(s.pages) > mostPages {
		s.clear()
	}
	if s.touches == nil {
		s.pages, s.touches, s.numbers = map[uint64]*page{}, make([]Touch, 1), map[Touch]uint32{}
	}
	s.newest = max(s.newest, w.Ticket)
}

func (s *Shadow) page(at uint64) *page {
	if s.last != nil && s.lastAt == at {
		return s.last
	}
	p := s.pages[at]
	if p == nil {
		p = &page{}
		s.pages[at] = p
	}
	s.last, s.lastAt = p, at
	return p
}

func (s *Shadow) number(t Touch) uint32 {
	if s.lastNumber != 0 && s.lastTouch == t {
		return s.lastNumber
	}
	n, ok := s.numbers[t]
	if !ok {
		n = uint32(len(s.touches))
		s.touches = append(s.touches, t)
		s.numbers[t] = n
	}
	s.lastTouch, s.lastNumber = t, n
	return n
}

// Touched is told of each access, in the order in which the device makes them. It gives one before that
// nothing orders with it, if there is one: one of the two writes, and they are not both atomic.
func (s *Shadow) Touched(t Touch, addr, size uint64) (with *Touch) {
	s.begin(t.Work)
	whole := uint32(0)
	for end := addr + size; addr < end; {
		word := addr &^ (wordSize - 1)
		from, to := addr-word, min(end-word, wordSize)
		t.bytes = uint8(1<<to - 1<<from)
		n := whole
		if n == 0 || t.bytes != 1<<wordSize-1 {
			n = s.number(t)
		}
		if t.bytes == 1<<wordSize-1 {
			whole = n
		}
		if o := s.touch(s.page(word/pageBytes), word/wordSize%pageWords, n, &t); with == nil {
			with = o
		}
		if addr = word + wordSize; len(s.pages) > mostPages {
			s.clear()
			break
		}
	}
	return with
}

// touch enters an access to a word.
func (s *Shadow) touch(p *page, i uint64, n uint32, t *Touch) (with *Touch) {
	if p.write[i] == n || !t.Write && p.read[i] == n {
		return nil
	}
	with = s.against(p.write[i], t)
	if !t.Write {
		if r := p.read[i]; r != 0 && !t.Work.After(s.touches[r].Work) {
			p.other[i] = r
		}
		p.read[i] = n
		return with
	}
	for _, r := range [...]uint32{p.read[i], p.other[i]} {
		if with == nil {
			with = s.against(r, t)
		}
	}
	p.write[i], p.read[i], p.other[i] = n, 0, 0
	return with
}

// against is the touch with a number if nothing orders it with another.
func (s *Shadow) against(n uint32, t *Touch) *Touch {
	if n == 0 {
		return nil
	}
	o := &s.touches[n]
	if o.Work == t.Work || o.bytes&t.bytes == 0 || o.Atomic && t.Atomic || t.Work.After(o.Work) {
		return nil
	}
	return o
}
