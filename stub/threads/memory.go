package threads

import "simtgdb/simt"

// ReadOwn reads the memory of a workgroup or a lane, which kind says: LDSWindow or ScratchWindow.
func ReadOwn(kind uint64, w *simt.Wave, lane int, offset uint64, buf []byte) (int, error) {
	if kind == LDSWindow {
		return w.Group.ReadLDS(offset, buf)
	}
	return w.ReadScratch(lane, offset, buf)
}

// WriteOwn writes there.
func WriteOwn(kind uint64, w *simt.Wave, lane int, offset uint64, data []byte) (int, error) {
	if kind == LDSWindow {
		return w.Group.WriteLDS(offset, data)
	}
	return w.WriteScratch(lane, offset, data)
}
