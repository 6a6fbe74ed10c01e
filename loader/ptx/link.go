package ptx

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Link makes one text of several, as a driver's linker does: what one declares and another defines is one
// thing, names that others do not see are each text's own. Lines stay; debugging information that speaks of
// variables does not, unless there is one text. The error of a text that cannot be cut into declarations is
// an *Error.
func Link(files, texts []string) (string, error) {
	if len(texts) == 1 {
		return texts[0], nil
	}
	k := &linker{defined: map[string]int{}, files: files}
	for i, text := range texts {
		u, err := cut(files[i], text)
		if err != nil {
			return "", err
		}
		k.units = append(k.units, u)
	}
	for i, u := range k.units {
		for n := range u.items {
			if err := k.define(i, &u.items[n]); err != nil {
				return "", err
			}
		}
	}
	return k.text(), nil
}

// A linker joins units.
type linker struct {
	files   []string
	units   []*unit
	defined map[string]int // by which unit, of what others see
}

// A unit is a text that is linked with others.
type unit struct {
	text    string
	version [2]int
	target  string
	items   []item
	sources []string // the operands of .file, by its number
	tokens  []token
}

// An item is a declaration.
type item struct {
	linkage
	names       []string
	function    bool
	defines     bool
	first, last int // tokens
	drop        bool
}

// cut finds the declarations of a text.
func cut(file, text string) (*unit, error) {
	u := &unit{text: text}
	l := lexer{text: text, line: 1}
	for {
		t := l.next()
		if t.kind == tokBad {
			return nil, &Error{File: file, Pos: t.pos,
				Msg: fmt.Sprintf("expected a declaration, found %v", t)}
		}
		u.tokens = append(u.tokens, t)
		if t.kind == tokEOF {
			break
		}
	}
	for i := 0; u.tokens[i].kind != tokEOF; {
		end := u.declaration(i)
		if end < 0 {
			return nil, &Error{File: file, Pos: u.tokens[i].pos,
				Msg: "the declaration that begins here does not end"}
		}
		i = end
	}
	return u, nil
}

// until is the first token from i on that begins with a directive or is the end.
func (u *unit) until(i int) int {
	for u.tokens[i].kind != tokDirect && u.tokens[i].kind != tokEOF {
		i++
	}
	return i
}

// declaration takes one that begins at a token, and gives the token behind it; -1 if it does not end.
func (u *unit) declaration(i int) int {
	switch t := u.tokens[i]; t.text {
	case ".version":
		major, minor, _ := strings.Cut(u.tokens[i+1].text, ".")
		a, _ := strconv.Atoi(major)
		b, _ := strconv.Atoi(minor)
		u.version = [2]int{a, b}
		return u.until(i + 1)
	case ".target":
		u.target = u.tokens[i+1].text
		return u.until(i + 1)
	case ".address_size":
		return u.until(i + 1)
	case ".file":
		end := u.until(i + 1)
		n, err := strconv.Atoi(u.tokens[i+1].text)
		const most = 1 << 16
		for err == nil && n >= 0 && n < most && len(u.sources) <= n {
			u.sources = append(u.sources, "")
		}
		if err == nil && n >= 0 && n < most && end > i+2 {
			last := u.tokens[end-1]
			u.sources[n] = u.text[u.tokens[i+2].off:u.end(last)]
		}
		return end
	}
	return u.item(i)
}

// end is the offset behind a token.
func (u *unit) end(t token) int {
	if t.kind == tokString {
		return t.off + len(t.text) + 2
	}
	return t.off + len(t.text)
}

// item takes a variable, a function or a section.
func (u *unit) item(i int) int {
	d := item{first: i, defines: true}
	depth, initial := 0, false
	for ; u.tokens[i].kind != tokEOF; i++ {
		switch t := u.tokens[i]; {
		case t.is("{") || t.is("(") || t.is("["):
			depth++
		case t.is("}") || t.is(")") || t.is("]"):
			depth--
			if depth == 0 && t.is("}") && !initial {
				return u.add(d, i)
			}
		case depth > 0:
		case t.is(";"):
			d.defines = !d.function && !d.extern
			return u.add(d, i)
		case t.is("="):
			initial = true
		case t.is(","):
			initial = false
		case t.is(".extern"):
			d.extern = true
		case t.is(".visible"):
			d.visible = true
		case t.is(".weak") || t.is(".common"):
			d.weak, d.visible = true, true
		case t.is(".func") || t.is(".entry"):
			d.function = true
		case t.is(".section"):
			d.drop = true
		case t.kind == tokName && !initial && (!d.function || d.names == nil):
			d.names = append(d.names, t.text)
		}
	}
	return -1
}

func (u *unit) add(d item, last int) int {
	d.last = last
	u.items = append(u.items, d)
	return last + 1
}

// define notes what a unit defines for others.
func (k *linker) define(unit int, d *item) error {
	if !d.visible || !d.defines || d.drop {
		return nil
	}
	for _, name := range d.names {
		by, twice := k.defined[name]
		if twice && !d.weak {
			return fmt.Errorf("%s is defined twice, in %s and in %s", name, k.files[by], k.files[unit])
		}
		d.drop = d.drop || twice
		if !twice {
			k.defined[name] = unit
		}
	}
	return nil
}

// own are the names that only one unit sees and that others have too, with what they are called instead.
func (k *linker) own(n int) map[string]string {
	others := map[string]bool{}
	for i, u := range k.units {
		for _, d := range u.items {
			for _, name := range d.names {
				others[name] = others[name] || i != n
			}
		}
	}
	names := map[string]string{}
	for _, d := range k.units[n].items {
		for _, name := range d.names {
			if others[name] && !d.visible && !d.extern {
				names[name] = fmt.Sprintf("%s$%d", name, n+1)
			}
		}
	}
	for _, d := range k.units[n].items { // declared first, made visible after
		for _, name := range d.names {
			if d.visible || d.extern {
				delete(names, name)
			}
		}
	}
	return names
}

// text is that of all units: variables, then functions that are declared, then those that are defined.
func (k *linker) text() string {
	var b strings.Builder
	version, target := [2]int{}, ""
	for _, u := range k.units {
		if slices.Compare(u.version[:], version[:]) > 0 {
			version = u.version
		}
		if len(u.target) > len(target) || len(u.target) == len(target) && u.target > target {
			target = u.target
		}
	}
	fmt.Fprintf(&b, ".version %d.%d\n.target %s\n.address_size 64\n", version[0], version[1], target)
	before := make([]int, len(k.units)) // numbers of files that the units in front have
	number := 0
	for i, u := range k.units {
		before[i] = number
		for n, source := range u.sources {
			if source != "" {
				fmt.Fprintf(&b, ".file %d %s\n", before[i]+n, source)
			}
		}
		number += len(u.sources)
	}
	declared := map[string]bool{}
	own := make([]map[string]string, len(k.units))
	for i := range k.units {
		own[i] = k.own(i)
	}
	for _, pass := range []struct{ function, defines bool }{{false, true}, {false, false}, {true, false},
		{true, true}} {
		for i, u := range k.units {
			for n := range u.items {
				d := &u.items[n]
				if d.drop || d.function != pass.function || d.defines != pass.defines ||
					k.known(i, d, declared) {
					continue
				}
				u.write(&b, d, own[i], before[i], k.elsewhere(d))
			}
		}
	}
	return b.String()
}

// elsewhere reports whether a unit defines what is declared extern.
func (k *linker) elsewhere(d *item) bool {
	if !d.extern || len(d.names) == 0 {
		return false
	}
	_, ok := k.defined[d.names[0]]
	return ok
}

// known reports whether a declaration says nothing new.
func (k *linker) known(unit int, d *item, declared map[string]bool) bool {
	if d.defines || !d.extern && !d.visible || len(d.names) == 0 {
		return false
	}
	if !d.function && k.elsewhere(d) {
		return true
	}
	was := declared[d.names[0]]
	declared[d.names[0]] = true
	return was
}

// write writes a declaration: with names that are the unit's own changed, and with the numbers of its files.
func (u *unit) write(b *strings.Builder, d *item, own map[string]string, files int, elsewhere bool) {
	at := u.tokens[d.first].off
	put := func(from, to int, instead string) {
		b.WriteString(u.text[at:from])
		b.WriteString(instead)
		at = to
	}
	for i := d.first; i <= d.last; i++ {
		t := u.tokens[i]
		switch {
		case t.kind == tokName && own[t.text] != "":
			put(t.off, u.end(t), own[t.text])
		case elsewhere && t.is(".extern"):
			put(t.off, u.end(t), "")
		case t.is(".loc") && i+3 <= d.last:
			n, err := strconv.Atoi(u.tokens[i+1].text)
			if err != nil {
				continue
			}
			put(u.tokens[i+1].off, u.end(u.tokens[i+1]), strconv.Itoa(files+n))
			if i += 3; u.tokens[i+1].is(",") { // what is inlined where names a section's text
				from := u.end(u.tokens[i])
				for i < d.last && !u.inlinedEnds(i) {
					i++
				}
				put(from, u.end(u.tokens[i]), "")
			}
		}
	}
	b.WriteString(u.text[at:u.end(u.tokens[d.last])])
	b.WriteByte('\n')
}

// inlinedEnds reports whether a token is the last of a row's "function_name …, inlined_at file line column".
func (u *unit) inlinedEnds(i int) bool {
	return i >= 3 && u.tokens[i-3].is("inlined_at")
}
