package stub

import (
	"bytes"
	"context"
	"net"
	"testing"
	"time"

	"simtgdb/rsp"
)

// sessionPackets are conversations that a fuzzer begins with, a packet a line.
var sessionPackets = []string{
	"qSupported:swbreak+;vContSupported+\nqXfer:features:read:target.xml:0,fff\n?\nHg1\ng\nqXfer:threads:read::0,fff",
	"vFile:setfs:0\nqXfer:exec-file:read:1:0,fff\nvFile:open:2f73696d746764622f6b65726e656c,0,0\nvFile:pread:3,3fff,0\nvFile:close:3",
	"Z0,1b18,1\nvCont;c\nHg4\nma00004fffe000000,40\ng\nz0,1b18,1\nvCont;s:4\nZ0,1b18,1\nvCont;c",
	"vCont;s:1;c\nvCont;r1a00,1b00:2;c\nvCont;c:41\nvCont;s:41\nP10=001b000000000000\nvCont;t",
	"Z2,7e0010020000,4\nvCont;c\nz2,7e0010020000,4\nM7e0010020000,4:01020304\nX7e0010020000,2:ab\nvCont;C0b",
	"qRcmd,696e666f\nqRcmd,77617665\nqRcmd,6c697374206163746976\nqRcmd,6672616d65\nqThreadExtraInfo,5\nT5\nD",
	"Z0,1b18,1;X3,220127\nZ0,1b18,1;X9,2600072204162701ff\nvCont;c\nvCont;s:1\nm2000000000040,8\nm1000000000000,8",
	"M1a00,8:ffffffff7f7f7f7f\nvCont;c\nvCont;S05:1\ns\nc\nk",
	"vCont;s:1;c\nvCont;s:1;c\nbs\nbs\nqRcmd,74696d65\nbc\nvCont;c",
	"Z0,1b18,1\nvCont;c\nZ2,7e0010020010,4\nbc\nbs\nM7e0010000000,4:01020304\nbc\nqRcmd,676f746f20656e64\nvCont;c",
	"QNonStop:1\n?\nvStopped\nvCont;c\nZ0,1b18,1\nvStopped\nvCont;t\nvStopped\nvStopped\nvCont;s:1\nvStopped\nvCont;c",
	"QNonStop:1\nQThreadEvents:1\nvCont;s:1;c\nvCtrlC\nvStopped\ng\nvCont;t:4\nvStopped\nbs\nQNonStop:0\nvCont;s:1",
	"qRcmd,636865636b706f696e74\nvCont;s:1;c\nqRcmd,676f746f20636865636b706f696e742031\nP10=001b000000000000\nbs\nvCont;c",
	"Gffff\nP7=00\nPffff=00\npffff\nmffffffffffffffff,8\nm0,ffffffff\nMe000000000000000,1:00\nZ0,e000000000000008,1",
}

// FuzzSession has arbitrary packets talk to a session on the demonstration: it
// answers all of them, and ends when the client goes.
func FuzzSession(f *testing.F) {
	for _, p := range sessionPackets {
		f.Add([]byte(p))
	}
	f.Fuzz(func(t *testing.T, packets []byte) {
		s := launched(t, "demo", "")
		ours, theirs := net.Pipe()
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		served := make(chan error, 1)
		go func() { served <- rsp.ServeConn(ctx, theirs, s, rsp.Options{}) }()
		client := rsp.NewConn(ours, rsp.ConnOptions{})
		lines := bytes.Split(packets, []byte("\n"))
		for _, line := range lines[:min(len(lines), 40)] {
			if client.Send(line) != nil || !answered(client) {
				break // the session was ended: killed, detached from, or for its time
			}
		}
		client.Close()
		<-served
	})
}

// answered takes the reply to a packet, after what is to be shown to the user.
func answered(client *rsp.Conn) bool {
	for {
		reply, err := client.Receive()
		if err != nil {
			return false
		}
		if len(reply) == 0 || reply[0] != 'O' || string(reply) == "OK" {
			return true
		}
	}
}
