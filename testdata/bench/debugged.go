package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"simtgdb/rsp"
	"simtgdb/stub"
	"simtgdb/stub/facade"
	"simtgdb/stub/launch"
)

var history = flag.Uint64("history", stub.DefaultHistory,
	"how many bytes of history a session keeps; 0: none")

// A measurement is of a kernel so many times that they take about longEnough seconds of the processors, at
// most mostTimes: other programs and the collector take their share of some runs, which would decide where
// each is short.
const (
	longEnough = 0.03
	mostTimes  = 16
)

// measureDebugged prints what a kernel takes in a debug session, and that over what it takes without: medians
// of measurements that are made in turns.
func measureDebugged(name string) error {
	k, err := kernelOf(name)
	if err != nil {
		return err
	}
	var times int
	var with, without []result
	for i := range *runs + 2 { // two make memory that the others use again, and say how long they are
		plain, err := k.several(times, prepare)
		if err != nil {
			return err
		}
		session, err := k.several(times, prepareSession)
		if err != nil {
			return err
		}
		if session.hash != plain.hash {
			return fmt.Errorf("a session computes %s, a run %s", session.hash, plain.hash)
		}
		if i < 2 {
			if i > 0 {
				times = min(int(longEnough/plain.cpu), mostTimes)
			}
			continue
		}
		with, without = append(with, session), append(without, plain)
	}
	s, r := medians(with), medians(without)
	fmt.Printf("%-10s %9.3f ms, cpu %9.3f   run %9.3f ms, cpu %9.3f   ratio %6.2f, cpu %6.2f\n", name,
		s.seconds*1e3, s.cpu*1e3, r.seconds*1e3, r.cpu*1e3, s.seconds/r.seconds, s.cpu/r.cpu)
	return nil
}

// several is the mean of so many runs, of one at least.
func (k *kernel) several(times int, prepare func(*launch.Program) (func() error, error)) (result, error) {
	var mean result
	times = max(times, 1)
	for range times {
		r, err := k.run(prepare)
		if err != nil {
			return result{}, err
		}
		mean.seconds += r.seconds / float64(times)
		mean.cpu += r.cpu / float64(times)
		mean.hash = r.hash
	}
	return mean, nil
}

// prepareSession gives what a client does that continues.
func prepareSession(p *launch.Program) (func() error, error) {
	s, err := stub.New(p, facade.Host())
	if err != nil {
		return nil, err
	}
	s.Remember(*history)
	p.Machine.SetBreakpoint(p.Machine.Dispatch.Entry - 4)
	all := rsp.Resumption{Console: io.Discard,
		Actions: []rsp.Action{{Thread: rsp.AllThreads, Kind: rsp.Continue}}}
	return func() error {
		stop, err := s.Resume(context.Background(), all)
		if err == nil && stop.Kind != rsp.Exited {
			err = fmt.Errorf("stopped: %+v", stop)
		}
		return err
	}, nil
}
