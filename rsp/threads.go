package rsp

import (
	"fmt"
	"strings"
)

// onlyProcess is the process number in multiprocess thread ids of a target that
// has none of its own.
const onlyProcess = 1

func (s *session) pid() int {
	if p, ok := s.target.(Process); ok {
		return p.PID()
	}
	return onlyProcess
}

// appendThread appends a thread id in the syntax that was agreed on (gdb manual,
// "Packets", thread-id syntax).
func (s *session) appendThread(dst []byte, t ThreadID) []byte {
	if s.client.multiprocess {
		dst = appendHexNumber(append(dst, 'p'), uint64(s.pid()))
		dst = append(dst, '.')
	}
	if t == AllThreads {
		return append(dst, "-1"...)
	}
	return appendHexNumber(dst, uint64(t))
}

// threadID takes a thread id in either syntax.
func (s *session) threadID(a *arguments) (ThreadID, error) {
	if !a.skip('p') {
		return a.threadNumber()
	}
	process, err := a.threadNumber()
	if err != nil {
		return 0, err
	}
	if process > 0 && int(process) != s.pid() {
		return 0, fmt.Errorf("no process %d: %w", process, ENODEV)
	}
	if !a.skip('.') {
		return AllThreads, nil
	}
	return a.threadNumber()
}

// threadNumber takes a positive number, 0 or -1.
func (a *arguments) threadNumber() (ThreadID, error) {
	if a.skip('-') {
		if !a.skip('1') {
			return 0, fmt.Errorf("thread id -%q: %w", clip(*a), EINVAL)
		}
		return AllThreads, nil
	}
	n, err := a.count()
	return ThreadID(n), err
}

// currentThread is the thread that g, m and their like are about.
func (s *session) currentThread() ThreadID {
	if s.general > 0 {
		return s.general
	}
	return s.stopThread
}

// selectThread is Hg and Hc: the thread for what follows.
func selectThread(s *session, a arguments) error {
	if len(a) == 0 {
		return errUnsupported
	}
	operation := a[0]
	a = a[1:]
	t, err := s.threadID(&a)
	if err != nil {
		return err
	}
	if err := a.end(); err != nil {
		return err
	}
	if t > 0 && !s.target.ThreadAlive(t) {
		return fmt.Errorf("no thread %d: %w", t, ENODEV)
	}
	switch operation {
	case 'g':
		s.general = t
	case 'c':
		s.resumed = t
	default:
		return errUnsupported
	}
	return s.ok()
}

func threadAlive(s *session, a arguments) error {
	t, err := s.threadID(&a)
	if err != nil {
		return err
	}
	if err := a.end(); err != nil {
		return err
	}
	if !s.target.ThreadAlive(t) {
		return fmt.Errorf("no thread %d: %w", t, ENODEV)
	}
	return s.ok()
}

func currentThread(s *session, _ arguments) error {
	if t := s.currentThread(); t > 0 {
		s.reply = s.appendThread(append(s.reply, "QC"...), t)
	}
	return nil
}

func firstThreads(s *session, _ arguments) error {
	s.listed = s.target.Threads()
	return nextThreads(s, nil)
}

// nextThreads sends as many threads as fit in a packet.
func nextThreads(s *session, _ arguments) error {
	if len(s.listed) == 0 {
		return s.text("l")
	}
	separator := byte('m')
	for i, t := range s.listed {
		before := len(s.reply)
		s.reply = s.appendThread(append(s.reply, separator), t)
		if len(s.reply) > s.packetSize {
			s.reply = s.reply[:before]
			s.listed = s.listed[i:]
			return nil
		}
		separator = ','
	}
	s.listed = nil
	return nil
}

func threadExtraInfo(s *session, a arguments) error {
	describer, ok := s.target.(ThreadDescriber)
	if !ok {
		return errUnsupported
	}
	t, err := s.threadID(&a)
	if err != nil {
		return err
	}
	if err := a.end(); err != nil {
		return err
	}
	if !s.target.ThreadAlive(t) {
		return fmt.Errorf("no thread %d: %w", t, ENODEV)
	}
	info := describer.DescribeThread(t)
	text := info.Extra
	if text == "" {
		text = info.Name
	}
	s.reply = appendHex(s.reply, []byte(text)[:min(len(text), s.packetSize/2)])
	return nil
}

var escapeXML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// threadsDocument is the object "threads" of qXfer (gdb manual, "Thread List
// Format"). It is the server's to make because the syntax of thread ids is
// agreed on with each client. It is made at every stop, and its memory used again.
func (s *session) threadsDocument(describer ThreadDescriber) []byte {
	document := append(s.threads[:0], "<?xml version=\"1.0\"?>\n<threads>\n"...)
	for _, t := range s.target.Threads() {
		info := describer.DescribeThread(t)
		document = append(document, `<thread id="`...)
		document = s.appendThread(document, t)
		if info.Name != "" {
			document = append(document, `" name="`...)
			document = append(document, escapeXML.Replace(info.Name)...)
		}
		document = append(document, `">`...)
		document = append(document, escapeXML.Replace(info.Extra)...)
		document = append(document, "</thread>\n"...)
	}
	s.threads = append(document, "</threads>\n"...)
	return s.threads
}
