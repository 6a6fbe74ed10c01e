package device

import (
	"cmp"
	"sync"
)

// A namesake numbers launches among those that have their names. What the source calls kernels has to be read
// for that, which most programs' launches need not wait for: it is read when the first number is asked for.
type namesake struct {
	mu      sync.Mutex
	nth     map[string]int // launches by name
	waiting []*numbers     // those that are not among nth, in their order
}

// maxWaiting bounds how many launches wait to be numbered, and so keep their modules.
const maxWaiting = 64

// numbers are those of one launch.
type numbers struct {
	among         *namesake
	module        *Module
	label, kernel string

	of  map[string]int // by name
	own int            // among launches of the name that users call it by
}

// add has a launch be the next.
func (n *namesake) add(l *Launch) {
	l.numbers = &numbers{among: n, module: l.Module, label: l.Label, kernel: l.Kernel()}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.waiting = append(n.waiting, l.numbers); len(n.waiting) == maxWaiting {
		n.settle()
	}
}

// settle numbers those that wait.
func (n *namesake) settle() {
	if n.nth == nil {
		n.nth = map[string]int{}
	}
	for _, one := range n.waiting {
		one.of = map[string]int{}
		source := one.module.sourceNames()[one.kernel]
		for _, name := range append(one.module.Files(), one.label, one.kernel, source) {
			if name != "" && one.of[name] == 0 {
				n.nth[name]++
				one.of[name] = n.nth[name]
			}
		}
		one.own = one.of[cmp.Or(one.label, source, one.kernel)]
		one.module = nil
	}
	n.waiting = nil
}

// settled are the numbers of a launch.
func (l *Launch) settled() *numbers {
	n := l.numbers
	if n == nil {
		return &numbers{}
	}
	n.among.mu.Lock()
	defer n.among.mu.Unlock()
	n.among.settle()
	return n
}

// Nth numbers the launch among those of its Name, from 1.
func (l *Launch) Nth() int { return l.settled().own }

// NthOf numbers the launch among those that have had a name, from 1; 0 if it has not that name.
func (l *Launch) NthOf(name string) int { return l.settled().of[name] }
