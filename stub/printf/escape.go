package printf

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Escape appends text to dst with everything that a terminal might act on
// written as \xNN: control characters but newline and tab, bytes that are no
// UTF-8, and characters that are not printable.
func Escape(dst, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '\n' || r == '\t' || unicode.IsPrint(r) && (r != utf8.RuneError || n > 1):
			dst = append(dst, text[:n]...)
		default:
			for _, b := range text[:n] {
				dst = fmt.Appendf(dst, `\x%02x`, b)
			}
		}
		text = text[n:]
	}
	return dst
}
