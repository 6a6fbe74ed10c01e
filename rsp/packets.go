package rsp

import (
	"fmt"
	"slices"
	"strings"
)

// packetHandler performs a packet and appends the reply to the session's. An error
// becomes an error reply, errUnsupported the empty one.
type packetHandler func(s *session, a arguments) error

// packetHandlers has every packet that is known, by its name as packetName cuts it
// (gdb manual, "Packets" and "General Query Packets").
var packetHandlers map[string]packetHandler

func init() { // not an initializer: qSupported looks at the table's neighbours
	packetHandlers = map[string]packetHandler{
		"!":  extendedMode,
		"?":  stopReason,
		"D":  detach,
		"G":  writeRegisters,
		"H":  selectThread,
		"M":  writeMemoryHex,
		"P":  writeRegister,
		"T":  threadAlive,
		"X":  writeMemoryBinary,
		"Z":  insertBreakpoint,
		"bc": backward(Continue),
		"bs": backward(Step),
		"c":  resumeOld(Continue, false),
		"C":  resumeOld(Continue, true),
		"g":  readRegisters,
		"k":  kill,
		"m":  readMemoryHex,
		"p":  readRegister,
		"s":  resumeOld(Step, false),
		"S":  resumeOld(Step, true),
		"x":  readMemoryBinary,
		"z":  removeBreakpoint,

		"QNonStop":        setNonStop,
		"QPassSignals":    passSignals,
		"QStartNoAckMode": startNoAckMode,
		"QThreadEvents":   threadEvents,

		"qAttached":        attached,
		"qC":               currentThread,
		"qCRC":             checksumMemory,
		"qOffsets":         offsets,
		"qRcmd":            monitorCommand,
		"qSearch":          searchMemory,
		"qSupported":       supported,
		"qSymbol":          symbolLookup,
		"qThreadExtraInfo": threadExtraInfo,
		"qXfer":            transferObject,
		"qfThreadInfo":     firstThreads,
		"qsThreadInfo":     nextThreads,

		"vAttach": attach,
		"vRun":    run,

		"vCont":    resumeThreads,
		"vCont?":   resumeActions,
		"vCtrlC":   control,
		"vFile":    hostIO,
		"vKill":    killProcess,
		"vStopped": takeStop,
	}
}

// packetName splits a payload into the name of the packet and its arguments. The
// names of q, Q and v packets are words; of b packets, two letters; of all others,
// one letter.
func packetName(payload []byte) (name string, a arguments) {
	if len(payload) == 0 {
		return "", nil
	}
	n := 1
	switch payload[0] {
	case 'q', 'Q', 'v':
		for n < len(payload) && strings.IndexByte(":;,", payload[n]) < 0 {
			n++
		}
		if n < len(payload) {
			return string(payload[:n]), payload[n+1:]
		}
	case 'b':
		n = min(2, len(payload))
	}
	return string(payload[:n]), payload[n:]
}

// clientFeatures is what the client said in qSupported.
type clientFeatures struct {
	multiprocess bool
	swbreak      bool
	hwbreak      bool
	exec         bool
	errorText    bool // E.text is understood in place of Enn
}

// feature is an entry of the qSupported answer.
type feature struct {
	name string
	// offered tells whether the target has the ability behind it; nil: always.
	offered func(t Target) bool
	// agreed, if set, is the field of a feature that needs the client's word too.
	agreed func(c *clientFeatures) *bool
}

// has makes a feature's condition of an ability.
func has[Ability any](t Target) bool {
	_, ok := t.(Ability)
	return ok
}

var features = []feature{
	{name: "QStartNoAckMode"},
	{name: "vContSupported"},
	{name: "binary-upload"},
	{name: "error-message", agreed: func(c *clientFeatures) *bool { return &c.errorText }},
	{name: "multiprocess", offered: has[Process],
		agreed: func(c *clientFeatures) *bool { return &c.multiprocess }},
	{name: "swbreak", offered: has[SoftwareBreakpointer],
		agreed: func(c *clientFeatures) *bool { return &c.swbreak }},
	{name: "hwbreak", offered: has[HardwareBreakpointer],
		agreed: func(c *clientFeatures) *bool { return &c.hwbreak }},
	{name: "ConditionalBreakpoints", offered: has[ConditionEvaluator]},
	{name: "BreakpointCommands", offered: has[CommandRunner]},
	{name: "ReverseContinue", offered: has[Reverser]},
	{name: "ReverseStep", offered: has[Reverser]},
	{name: "exec-events", offered: has[ProgramChanger],
		agreed: func(c *clientFeatures) *bool { return &c.exec }},
	{name: "QPassSignals", offered: has[SignalPasser]},
	{name: "QNonStop", offered: has[NonStopper]},
	{name: "QThreadEvents", offered: has[NonStopper]},
	{name: "qXfer:threads:read", offered: has[ThreadDescriber]},
}

// supported is qSupported: the client says what it can do, and is told what the
// target can.
func supported(s *session, a arguments) error {
	offered := strings.Split(string(a), ";")
	s.client = clientFeatures{}
	s.reply = fmt.Appendf(s.reply, "PacketSize=%x", s.packetSize)
	for _, f := range features {
		if f.offered != nil && !f.offered(s.target) {
			continue
		}
		if f.agreed != nil {
			if !slices.Contains(offered, f.name+"+") {
				continue
			}
			*f.agreed(&s.client) = true
		}
		s.reply = append(append(append(s.reply, ';'), f.name...), '+')
	}
	if objects, ok := s.target.(ObjectReader); ok {
		for _, name := range objects.Objects() {
			s.reply = append(append(append(s.reply, ";qXfer:"...), name...), ":read+"...)
		}
	}
	return nil
}

// startNoAckMode ends acknowledgments once the reply has got its own.
func startNoAckMode(s *session, _ arguments) error {
	s.afterReply = s.conn.SetNoAck
	return s.ok()
}

func passSignals(s *session, a arguments) error {
	passer, ok := s.target.(SignalPasser)
	if !ok {
		return errUnsupported
	}
	var signals []Signal
	for len(a) > 0 {
		n, err := a.number()
		if err != nil {
			return err
		}
		if n <= 0xff { // gdb numbers signals beyond a byte too; none is ours
			signals = append(signals, Signal(n))
		}
		if !a.skip(';') {
			break
		}
	}
	if err := a.end(); err != nil {
		return err
	}
	if err := passer.PassSignals(signals); err != nil {
		return err
	}
	return s.ok()
}

// symbolLookup is qSymbol: an offer to look up symbols, declined.
func symbolLookup(s *session, _ arguments) error { return s.ok() }

// offsets is qOffsets (gdb manual, "General Query Packets"), which gdb asks of whoever it has a symbol file
// for.
func offsets(s *session, _ arguments) error {
	m, ok := s.target.(Mover)
	if !ok {
		return s.text("")
	}
	by, moved := m.MovedBy()
	if !moved {
		return s.text("")
	}
	return s.text(fmt.Sprintf("Text=%x;Data=%x;Bss=%x", by, by, by))
}

func attached(s *session, _ arguments) error {
	if attacher, ok := s.target.(Attacher); ok && !attacher.Attached() {
		return s.text("0")
	}
	return s.text("1")
}
