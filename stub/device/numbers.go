package device

import "sync"

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

	of map[string]int // by name
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
		names := append(one.module.Files(), one.label, one.kernel, one.module.sourceNames()[one.kernel])
		for _, name := range names {
			if name != "" && one.of[name] == 0 {
				n.nth[name]++
				one.of[name] = n.nth[name]
			}
		}
		one.module = nil
	}
	n.waiting = nil
}

// Nth numbers the launch among those of its Name, from 1.
func (l *Launch) Nth() int { return l.NthOf(l.name()) }

// NthOf numbers the launch among those that have had a name, from 1; 0 if it has not that name.
func (l *Launch) NthOf(name string) int {
	n := l.numbers
	if n == nil {
		return 0
	}
	n.among.mu.Lock()
	defer n.among.mu.Unlock()
	n.among.settle()
	return n.of[name]
}
