package visa

// savedBlock is a run of saved bytes that stay together in the place that they
// are saved to.
type savedBlock struct {
	offset uint32 // into the register file
	size   uint32
	to     Place // scratch offsets in bytes
}

// blockList is what a SaveList says, ready for unwinding.
type blockList struct {
	gen    uint32
	blocks []savedBlock
}

// blocksAt finds the blocks that are in force at a Gen offset from the object's start.
func blocksAt(lists []blockList, gen uint32) []savedBlock {
	var found []savedBlock
	for _, l := range lists {
		if l.gen > gen {
			break
		}
		found = l.blocks
	}
	return found
}

// joinSaves makes block lists of save lists, whose scratch offsets are scale
// times too large.
func joinSaves(lists []SaveList, scale int32) []blockList {
	out := make([]blockList, len(lists))
	for i, l := range lists {
		out[i].gen = l.Gen
		for j, s := range l.Saves {
			if !startsBlock(l.Saves, j) {
				out[i].blocks[len(out[i].blocks)-1].size += uint32(s.Bytes)
				continue
			}
			if s.To.Storage == Memory {
				s.To.Offset /= scale
			}
			out[i].blocks = append(out[i].blocks, savedBlock{uint32(s.Offset), uint32(s.Bytes), s.To})
		}
	}
	return out
}

// startsBlock reports whether a save does not continue the one before it, in the
// register file and in scratch memory. One message saves a block, and only the
// offset of a block's first register is scaled.
func startsBlock(saves []Save, i int) bool {
	if i == 0 {
		return true
	}
	before, s := saves[i-1], saves[i]
	return s.To.Storage != Memory || before.To.Storage != Memory ||
		s.To.Absolute != before.To.Absolute ||
		int32(s.Offset)-int32(before.Offset) != int32(before.Bytes) ||
		int64(s.To.Offset)-int64(before.To.Offset) != int64(before.Bytes)
}

// saveScale gives the factor by which the scratch offsets of saves are too
// large. IGC multiplies the offset in the message that saves a block by the
// number of words in a register. That gives bytes where the message counts
// OWords and a register has 16 words, and too much where the message counts
// bytes.
//
// The tables show it where a save lies beyond its frame, and rule it out where a
// block begins at what is no multiple of a scaled register. Between the two they
// say nothing, and every file that was seen is scaled.
func saveScale(f *File, t Target) int32 {
	if !t.ByteScratch {
		return 1
	}
	scale := int32(t.GRFBytes / 2)
	if !offsetsScaled(f, scale*int32(t.GRFBytes)) {
		return 1
	}
	return scale
}

// offsetsScaled decides by what multiples the blocks begin at.
func offsetsScaled(f *File, multiple int32) bool {
	aligned := true
	for i := range f.Objects {
		frame := &f.Objects[i].Frame
		for l := range frame.saveLists() {
			for j, s := range l.Saves {
				if s.To.Storage != Memory {
					continue
				}
				if int64(s.To.Offset)+int64(s.Bytes) > int64(frame.Size) {
					return true
				}
				if startsBlock(l.Saves, j) && s.To.Offset%multiple != 0 {
					aligned = false
				}
			}
		}
	}
	return aligned
}

// saveLists goes through the lists of callee and caller saves.
func (f *FrameInfo) saveLists() func(yield func(*SaveList) bool) {
	return func(yield func(*SaveList) bool) {
		for _, lists := range [...][]SaveList{f.CalleeSaves, f.CallerSaves} {
			for i := range lists {
				if !yield(&lists[i]) {
					return
				}
			}
		}
	}
}
