package exprjson

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"simtgdb/dwarf/expr"
)

// Run evaluates the cases of an input and writes their results. A case that ends
// in an error of package expr has its kind for a result, and why is called with
// the case's id and the error. An error of Run is about the input.
func Run(data []byte, out io.Writer, why func(id string, err error)) error {
	var in input
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	results := struct {
		Results []*result `json:"results"`
	}{[]*result{}}
	for i := range in.Cases {
		c := &in.Cases[i]
		r, err := c.evaluate()
		if kind := expr.KindOf(err); kind != 0 {
			r = &result{ID: c.ID, Error: kind.String()}
			why(c.ID, err)
		} else if err != nil {
			return fmt.Errorf("case %d, %q: %w", i, c.ID, err)
		}
		results.Results = append(results.Results, r)
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(results)
}

// evaluate runs one case. Errors of package expr are results; others are about
// the input.
func (c *testCase) evaluate() (*result, error) {
	ctx, err := newState(&c.Context)
	if err != nil {
		return nil, err
	}
	opt, err := c.options()
	if err != nil {
		return nil, err
	}
	ctx.options = opt
	if opt.Initial, err = ctx.initial(c.Context.InitialStack); err != nil {
		return nil, err
	}
	r := &result{ID: c.ID}
	var loc expr.Location
	switch c.Result {
	case "", "location":
		if loc, err = expr.Evaluate(ctx, c.Expression, opt); err != nil {
			return nil, err
		}
		if r.Location, err = locationOut(loc); err != nil {
			return nil, err
		}
	case "value":
		v, err := expr.EvaluateValue(ctx, c.Expression, opt)
		if err != nil {
			return nil, err
		}
		loc = expr.Implicit(v.Bytes())
		n, bits := bytesNumber(v.Bytes()), uint64(v.Type.Bits)
		r.Value, r.Bits = &n, &bits
	default:
		return nil, fmt.Errorf("result %q, \"location\" or \"value\" expected", c.Result)
	}
	if err := c.access(r, loc, ctx); err != nil {
		return nil, err
	}
	return r, nil
}

func (c *testCase) options() (expr.Options, error) {
	o := &c.Options
	opt := expr.Options{Arch: expr.AMDGPU, Encoding: expr.Current, CallFrame: o.CallFrame,
		DWARF64: o.DWARF64, Version: o.Version}
	if o.OldEncoding {
		opt.Encoding = expr.Old
	}
	if o.Intel {
		opt.Encoding, opt.Arch = expr.Intel, expr.IntelGT
	}
	for name, code := range o.Assign {
		enc, err := opt.Encoding.Assign(int(code.uint64()), name)
		if err != nil {
			return opt, err
		}
		opt.Encoding = enc
	}
	opt.Dialect.XderefIsAddress = o.XderefIsAddress
	if o.StockClang {
		opt.Dialect = expr.StockClang(o.FlatScratch)
	}
	return opt, nil
}

// access does the writes and then the read.
func (c *testCase) access(r *result, loc expr.Location, ctx *state) error {
	for _, w := range c.Writes {
		bits := w.Bits.uint64()
		if bits > 8*maxElements {
			return fmt.Errorf("a write of %d bits", bits)
		}
		if err := loc.Write(ctx, w.BitOffset.uint64(), bits, w.Value.bytes(int(bits+7)/8)); err != nil {
			return err
		}
	}
	if c.Read != nil {
		size, count, at := c.Read.ElementBits.uint64(), c.Read.Count.uint64(), c.Read.BitOffset.uint64()
		if size > maxBits || count > maxElements || size*count > maxBits {
			return fmt.Errorf("a read of %d elements of %d bits", count, size)
		}
		for i := range count {
			b, err := loc.Read(ctx, at+i*size, size)
			switch {
			case errors.Is(err, expr.ReadUndefined):
				r.Elements = append(r.Elements, nil)
				continue
			case err != nil:
				return err
			}
			n := bytesNumber(b)
			r.Elements = append(r.Elements, &n)
		}
	}
	if len(c.Writes) > 0 {
		r.After = ctx.after()
	}
	return nil
}
