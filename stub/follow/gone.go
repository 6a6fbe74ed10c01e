package follow

import "simtgdb/rsp"

// gdb 13.1 must hear of another program in the thread of the latest stop, or it forgets who waits for the
// command under way. Where the other program has no such thread, one that it has answers for it until gdb
// resumes.

// of is the thread that answers for one.
func (t *target) of(thread rsp.ThreadID) rsp.ThreadID {
	if t.gone != rsp.AnyThread && thread == t.gone {
		return t.instead
	}
	return thread
}

// resumes ends that.
func (t *target) resumes(r rsp.Resumption) {
	for i := range r.Actions {
		r.Actions[i].Thread = t.of(r.Actions[i].Thread)
	}
	t.gone = rsp.AnyThread
}

// Threads implements rsp.Target.
func (t *target) Threads() []rsp.ThreadID {
	if t.free.between {
		return []rsp.ThreadID{first}
	}
	all := t.Session.Threads()
	if t.gone != rsp.AnyThread {
		all = append(all[:len(all):len(all)], t.gone)
	}
	return all
}

// ThreadAlive implements rsp.Target.
func (t *target) ThreadAlive(thread rsp.ThreadID) bool {
	return t.free.between && thread == first || t.Session.ThreadAlive(t.of(thread))
}

// ReadRegisters implements rsp.Target.
func (t *target) ReadRegisters(thread rsp.ThreadID, w *rsp.RegisterWriter) error {
	return t.Session.ReadRegisters(t.of(thread), w)
}

// ReadRegister implements rsp.Target.
func (t *target) ReadRegister(thread rsp.ThreadID, n int, w *rsp.RegisterWriter) error {
	return t.Session.ReadRegister(t.of(thread), n, w)
}

// ReadMemory implements rsp.Target.
func (t *target) ReadMemory(thread rsp.ThreadID, addr uint64, buf []byte) (int, error) {
	return t.Session.ReadMemory(t.of(thread), addr, buf)
}

// DescribeThread implements rsp.ThreadDescriber.
func (t *target) DescribeThread(thread rsp.ThreadID) rsp.ThreadInfo {
	return t.Session.DescribeThread(t.of(thread))
}
