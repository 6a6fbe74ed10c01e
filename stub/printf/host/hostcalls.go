package host

import (
	"simtgdb/simt"
	"simtgdb/stub/printf/decode"
	"simtgdb/stub/printf/hostcall"
)

// hostcalls serves packets when the doorbell rings.
type hostcalls struct {
	area    *hostcall.Area
	region  *simt.Region
	service *hostcall.Service
	heap    *Heap
	owners  map[int]*simt.Wave // of packets
	host    *Host
	printed bool
}

// MaxWaves is for how many waves at a time hostcalls can be served.
const MaxWaves = hostcall.MaxWaves

// HostcallSize is how many bytes AddHostcalls needs for so many waves.
func HostcallSize(waves int) int { return hostcall.Size(waves) }

// AddHostcalls serves the hostcall area in a region of zeros, for so many waves
// at a time. Device memory comes out of a heap.
func (h *Host) AddHostcalls(region *simt.Region, waves int, heap *Heap) error {
	area, err := hostcall.New(heap.mem, region.Base, region.Data, waves)
	if err != nil {
		return err
	}
	c := &hostcalls{area: area, region: region, host: h, owners: map[int]*simt.Wave{},
		heap: heap}
	c.service = hostcall.NewService(c)
	h.calls = c
	return nil
}

// observe serves the packets that are ready when a lane rings the doorbell: it
// does so after it has pushed its packet. Waves wait for their answers, so
// nothing depends on when they look for them.
func (c *hostcalls) observe(h *Host, a *simt.Access) (printed bool) {
	rung := false
	simt.Lanes(a.Lanes, func(lane int) {
		addr := a.Addr[lane]
		if !a.Write || !c.region.Holds(addr, 1) {
			return
		}
		if addr == c.area.Doorbell() {
			rung = true
		} else if packet, ok := c.area.PacketAt(addr); ok {
			c.owners[packet] = a.Wave
		}
	})
	if !rung {
		return false
	}
	c.printed = false
	if err := c.area.Serve(c.service.Handle); err != nil {
		h.note(err.Error())
	}
	return c.printed
}

// Print implements hostcall.Host.
func (c *hostcalls) Print(from hostcall.Caller, r decode.Record) {
	var origin *Origin
	if w := c.owners[from.Packet]; w != nil {
		origin = originOf(w, from.Lane)
	}
	c.host.print(r, origin, true)
	c.printed = true
}

// Alloc implements hostcall.Host.
func (c *hostcalls) Alloc(size uint64) uint64 {
	address, err := c.heap.alloc(size)
	if err != nil {
		c.host.note("device malloc: " + err.Error())
	}
	return address
}

// Free implements hostcall.Host.
func (c *hostcalls) Free(address uint64) bool { return c.heap.free(address) }

// Refuse implements hostcall.Host.
func (c *hostcalls) Refuse(what string) { c.host.note(what) }
