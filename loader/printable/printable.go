// Package printable makes names that come out of files fit for a line of a
// message: whoever made the file chose them, and may have chosen line breaks, a
// terminal's control sequences, or a megabyte.
//
// It knows nothing of what is named. Where a message puts a name in quotes anyway,
// fmt's %.100q does as much.
//
// Entry points: [Name] and [Names]; [Line] for a whole message.
package printable

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of what a message shows.
const (
	MaxName  = 120 // characters of one name
	MaxNames = 16  // names of a list
)

// Name gives a name as it is if it is printable and not too long. Otherwise
// characters that cannot be printed are escaped as in Go, and of a long name the
// beginning and the end are left, with "…" between them.
func Name(s string) string {
	if utf8.RuneCountInString(s) > MaxName {
		const tail = MaxName / 4
		return escape(first(s, MaxName-tail-1)) + "…" + escape(last(s, tail))
	}
	return escape(s)
}

// escape replaces what cannot be printed.
func escape(s string) string {
	for i, r := range s {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			var b strings.Builder
			b.WriteString(s[:i])
			for rest := s[i:]; rest != ""; {
				r, n := utf8.DecodeRuneInString(rest)
				if strconv.IsPrint(r) && r != utf8.RuneError {
					b.WriteString(rest[:n])
				} else {
					q := strconv.Quote(rest[:n])
					b.WriteString(q[1 : len(q)-1])
				}
				rest = rest[n:]
			}
			return b.String()
		}
	}
	return s
}

// first gives the first n characters of a longer string.
func first(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// last gives the last n characters of a longer string.
func last(s string, n int) string {
	at := len(s)
	for range n {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// Line makes text one line: line breaks and what else cannot be printed are escaped.
// It is for messages as a whole, into which a name may have come as it is.
func Line(s string) string { return escape(s) }

// Names joins names to a list of one line. Of a long list only the first are
// named.
func Names(names []string) string {
	shown := names[:min(len(names), MaxNames)]
	out := make([]string, len(shown), len(shown)+1)
	for i, n := range shown {
		out[i] = Name(n)
	}
	if more := len(names) - len(shown); more > 0 {
		out = append(out, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(out, ", ")
}
