package gcn

func (d *decoder) ds(w uint32) error    { return d.other(w) }
func (d *decoder) flat(w uint32) error  { return d.other(w) }
func (d *decoder) mubuf(w uint32) error { return d.other(w) }
