package check

// A list grows without moving what is in it: it is of parts, each larger than the one before it up to a
// bound.
type list[T any] struct {
	parts [][]T
	n     int // items
	rooms int // that there is room for
}

// firstPart and mostPart are how many items parts have room for.
const (
	firstPart = 1 << 8
	mostPart  = 1 << 13
)

func (l *list[T]) len() int { return l.n }

// room adds n items, one behind the other, to be filled.
func (l *list[T]) room(n int) []T {
	k := len(l.parts) - 1
	if k < 0 || cap(l.parts[k])-len(l.parts[k]) < n {
		size := firstPart
		if k >= 0 {
			size = min(2*cap(l.parts[k]), mostPart)
		}
		size = max(size, n)
		k, l.parts, l.rooms = k+1, append(l.parts, make([]T, 0, size)), l.rooms+size
	}
	part := l.parts[k]
	at := len(part)
	l.parts[k] = part[:at+n]
	l.n += n
	return l.parts[k][at:]
}

// last is the last item; nil if there is none.
func (l *list[T]) last() *T {
	if l.n == 0 {
		return nil
	}
	part := l.parts[len(l.parts)-1]
	return &part[len(part)-1]
}

// forget empties it. Room for some items is kept.
func (l *list[T]) forget() {
	if l.n == 0 {
		return
	}
	last := l.parts[len(l.parts)-1]
	last = last[:cap(last)]
	clear(last)
	*l = list[T]{parts: [][]T{last[:0]}, rooms: cap(last)}
}

// each yields the items.
func (l *list[T]) each(yield func(*T) bool) {
	for _, part := range l.parts {
		for i := range part {
			if !yield(&part[i]) {
				return
			}
		}
	}
}

// A reader of a list takes its items in their order.
type listReader[T any] struct {
	parts [][]T
	at    int
}

func (l *list[T]) all() listReader[T] { return listReader[T]{parts: l.parts} }

// take is the next n items, which came into the list together.
func (r *listReader[T]) take(n int) []T {
	for r.at == len(r.parts[0]) {
		r.parts, r.at = r.parts[1:], 0
	}
	from := r.at
	r.at += n
	return r.parts[0][from:r.at]
}

// tail appends the last n items to others.
func (l *list[T]) tail(to []T, n int) []T {
	if n == 0 {
		return to
	}
	k := len(l.parts) - 1
	for k > 0 && len(l.parts[k]) < n {
		n -= len(l.parts[k])
		k--
	}
	to = append(to, l.parts[k][len(l.parts[k])-n:]...)
	for _, part := range l.parts[k+1:] {
		to = append(to, part...)
	}
	return to
}
