package main

import (
	"context"
	"os"
	"path/filepath"

	"simtgdb/stub/device"
	"simtgdb/stub/device/hipc"
	"simtgdb/stub/device/openclc"
)

// buildOpenCL compiles what programs give to clBuildProgram and the like, with
// more options than they give. Sources stay in the user's cache folder, for gdb.
func buildOpenCL(more string) func(context.Context, *device.BuildRequest) (*device.Built, error) {
	return func(ctx context.Context, r *device.BuildRequest) (*device.Built, error) {
		c, err := openclc.Find()
		if err != nil {
			return &device.Built{Log: err.Error() + "\n"}, nil
		}
		c.Extra = more
		c.Sources = keptSources("opencl")
		q := &openclc.Request{Processor: r.Processor, Options: r.Options, Object: r.Object, Headers: map[string][]byte{}}
		for _, in := range r.Inputs {
			q.Inputs = append(q.Inputs, openclc.Input{Bitcode: in.Object, Contents: in.Contents})
		}
		for _, h := range r.Headers {
			q.Headers[h.Name] = h.Contents
		}
		result, err := c.Build(ctx, q)
		if err != nil {
			return nil, err
		}
		return &device.Built{File: result.File, Log: result.Log}, nil
	}
}

// keptSources is the folder where sources of a kind stay, "" if the user has none for such things.
func keptSources(kind string) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "simtgdb", kind)
}

// compileHIP compiles what programs give to hiprtc. Its sources stay too.
func compileHIP(ctx context.Context, r *device.CompileRequest) (*device.Built, error) {
	c, err := openclc.Find()
	if err != nil {
		return &device.Built{Log: err.Error() + "\n"}, nil
	}
	c.Sources = keptSources("hip")
	q := &hipc.Request{Processor: r.Processor, Name: r.Name, Source: r.Source, Options: r.Options,
		Names: r.Names, Headers: map[string][]byte{}}
	for _, h := range r.Headers {
		q.Headers[h.Name] = h.Contents
	}
	result, err := hipc.Compile(ctx, c, q)
	if err != nil {
		return nil, err
	}
	return &device.Built{File: result.File, Log: result.Log, Names: result.Names}, nil
}
