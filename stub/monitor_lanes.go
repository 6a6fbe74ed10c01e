package stub

import (
	"fmt"
	"io"
	"math/bits"
	"sort"
	"strconv"
	"strings"

	"simtgdb/rsp"
	"simtgdb/simt"
	"simtgdb/stub/cexpr"
	"simtgdb/stub/threads"
)

// laneRanges writes a mask of lanes as ranges: "0-3,7".
func laneRanges(mask uint64) string {
	var lanes []int
	simt.Lanes(mask, func(l int) { lanes = append(lanes, l) })
	return ranges(lanes)
}

// monitorLanes shows where the lanes of the current wave stand, those of one place together; with all,
// lane by lane; with print, the value that an expression has in each.
func (s *Session) monitorLanes(args []string, out io.Writer) error {
	word, format := "", byte(0)
	if len(args) > 1 && strings.HasPrefix(args[1], "/") { // print /x EXPRESSION, as gdb has it too
		args = append([]string{args[0] + args[1]}, args[2:]...)
	}
	if len(args) > 0 {
		var ok bool
		if word, format, ok = cutFormat(args[0]); !ok {
			return rsp.EINVAL.Errorf("a format is one of /x /d /u /f /t, not %q", args[0])
		}
	}
	switch {
	case word == "print" && len(args) > 1:
		return s.printLanes(format, args[1:], out)
	case len(args) == 0, word == "all" && len(args) == 1:
	case word == "all" && len(args) == 2 && args[1] == "dispatch":
		return s.lanesOfAll(out)
	default:
		return rsp.EINVAL.Errorf(
			"monitor lanes [all [dispatch]|print[/x|/d|/u|/f|/t] [--frame N] " +
				"[wave|workgroup|dispatch] EXPRESSION]")
	}
	w, current, err := s.view.lane(s.view.current())
	if err != nil {
		return err
	}
	if word == "all" {
		s.eachLane(w, current, out)
		return nil
	}
	type group struct {
		state byte
		place string
		lanes uint64
	}
	var groups []*group
	simt.Lanes(w.Valid, func(l int) {
		state, at := laneState(w, l), s.prog.Source.Describe(w.LanePC(l))
		for _, g := range groups {
			if g.state == state && g.place == at {
				g.lanes |= 1 << l
				return
			}
		}
		groups = append(groups, &group{state, at, 1 << l})
	})
	headLanes(w, current, out)
	for _, g := range groups {
		mark := ' '
		if g.lanes>>current&1 != 0 {
			mark = '*'
		}
		fmt.Fprintf(out, "%c %c %2d %-6s %s %s\n", mark, g.state, bits.OnesCount64(g.lanes), plural(g.lanes),
			laneRanges(g.lanes), g.place)
	}
	return nil
}

// headLanes is the line above the groups of lanes.
func headLanes(w *simt.Wave, current int, out io.Writer) {
	id := w.Group.ID
	fmt.Fprintf(out,
		"wave %d of workgroup (%d,%d,%d), threads %d to %d: %d of %d lanes active; thread %d is lane %d\n",
		w.ID, id[0], id[1], id[2],
		threads.Of(w, bits.TrailingZeros64(w.Valid)), threads.Of(w, bits.Len64(w.Valid)-1),
		bits.OnesCount64(w.Active()), bits.OnesCount64(w.Valid), threads.Of(w, current), current)
}

func plural(lanes uint64) string {
	if bits.OnesCount64(lanes) == 1 {
		return "lane"
	}
	return "lanes"
}

// laneState is A for a lane that is active, E for one that has ended, I for one that is switched off.
func laneState(w *simt.Wave, l int) byte {
	switch {
	case w.EndedLanes()>>l&1 != 0:
		return 'E'
	case w.Active()>>l&1 != 0:
		return 'A'
	}
	return 'I'
}

// lanesOfAll shows every lane of all resident waves, each wave under a line of its own.
func (s *Session) lanesOfAll(out io.Writer) error {
	w, current, err := s.view.lane(s.view.current())
	if err != nil {
		return err
	}
	for _, o := range s.machine.Waves() {
		marked := -1
		if o == w {
			marked = current
		}
		fmt.Fprintf(out, "wave %d of workgroup (%d,%d,%d)\n", o.ID, o.Group.ID[0], o.Group.ID[1],
			o.Group.ID[2])
		s.eachLane(o, marked, out)
	}
	return nil
}

// eachLane shows every lane of a wave.
func (s *Session) eachLane(w *simt.Wave, current int, out io.Writer) {
	simt.Lanes(w.Valid, func(l int) {
		mark := ' '
		if l == current {
			mark = '*'
		}
		it := w.WorkItem(l)
		fmt.Fprintf(out, "%c %c thread %-6d lane %2d work-item (%d,%d,%d) %s\n", mark, laneState(w, l),
			threads.Of(w, l), l,
			it[0], it[1], it[2], s.prog.Source.Describe(w.LanePC(l)))
	})
}

// cutFormat takes the format from a word: "print/x".
func cutFormat(word string) (name string, format byte, ok bool) {
	name, f, given := strings.Cut(word, "/")
	if !given {
		return name, 0, true
	}
	return name, (f + " ")[0], len(f) == 1 && strings.Contains(cexpr.Formats, f)
}

// cutFrame takes the number of a frame from the beginning of a command: --frame N.
func cutFrame(args []string) (level int, rest []string, err error) {
	if len(args) < 2 || args[0] != "--frame" {
		return 0, args, nil
	}
	if level, err = strconv.Atoi(args[1]); err != nil || level < 0 {
		return 0, nil, rsp.EINVAL.Errorf("--frame wants the number of a frame, not %q", args[1])
	}
	return level, args[2:], nil
}

// monitorSet assigns in the current lane.
func (s *Session) monitorSet(args []string, out io.Writer) error {
	level, args, err := cutFrame(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return rsp.EINVAL.Errorf("monitor set [--frame N] OBJECT = EXPRESSION")
	}
	w, lane, err := s.view.lane(s.view.current())
	if err != nil {
		return err
	}
	env := s.laneEnv(w, lane, level)
	a, err := cexpr.ParseAssignment(expandBuiltins(strings.Join(args, " ")), env.Meaning)
	if err != nil {
		return rsp.EINVAL.Errorf("%v", err)
	}
	v, err := a.Run(env)
	if err != nil {
		return rsp.EINVAL.Errorf("%v", err)
	}
	text, err := v.Text(env, 0)
	if err != nil {
		return rsp.EINVAL.Errorf("%v", err)
	}
	fmt.Fprintf(out, "%s\n", text)
	return nil
}

// maxPrinted bounds of how many lanes the values are looked at.
const maxPrinted = 1 << 16

// printLanes shows the values that an expression has in the lanes of the wave, the workgroup or all
// resident waves: equal ones together, the value that most lanes have first.
func (s *Session) printLanes(format byte, args []string, out io.Writer) error {
	w, lane, err := s.view.lane(s.view.current())
	if err != nil {
		return err
	}
	waves := []*simt.Wave{w}
	level, args, err := cutFrame(args)
	if err != nil {
		return err
	}
	if len(args) > 1 {
		switch args[0] {
		case "wave":
			args = args[1:]
		case "workgroup":
			waves, args = w.Group.Waves, args[1:]
		case "dispatch", "all":
			waves, args = s.machine.Waves(), args[1:]
		}
	}
	expression := strings.Join(args, " ")
	e, err := cexpr.Parse(expandBuiltins(expression), s.laneEnv(w, lane, level).Meaning)
	if err != nil {
		return rsp.EINVAL.Errorf("%v", err)
	}
	values := map[string]threads.Set{}
	var order []string
	counts, seen := map[string]int{}, 0
	for _, w := range waves {
		simt.Lanes(w.Valid&^w.EndedLanes(), func(l int) {
			if seen++; seen > maxPrinted {
				return
			}
			text := s.laneValue(e, w, l, level, format)
			if values[text] == nil {
				values[text] = threads.Set{}
				order = append(order, text)
			}
			values[text].Add(w, l)
			counts[text]++
		})
	}
	sort.SliceStable(order, func(i, j int) bool { return counts[order[i]] > counts[order[j]] })
	if len(order) == 0 {
		return rsp.ENODEV.Errorf("no lane is left")
	}
	what := fmt.Sprintf("%d different values", len(order))
	if len(order) == 1 {
		what = "one value"
	}
	fmt.Fprintf(out, "%s: %s in %d lanes\n", expression, what, min(seen, maxPrinted))
	for _, text := range order {
		fmt.Fprintf(out, "%6d  %s  %s\n", counts[text], text, describe(values[text], waves))
	}
	if seen > maxPrinted {
		fmt.Fprintf(out, "%d further lanes are not looked at\n", seen-maxPrinted)
	}
	return nil
}

// describe writes a set of lanes: waves that have all their lanes in it together, and those that have the
// same lanes in it.
func describe(s threads.Set, waves []*simt.Wave) string {
	const whole = 0 // of a wave whose every lane is in the set; no wave that has none is written
	var masks []uint64
	in := map[uint64][]int{}
	for _, w := range waves {
		mask := s[w.ID]
		switch mask {
		case 0:
			continue
		case w.Valid:
			mask = whole
		}
		if in[mask] == nil {
			masks = append(masks, mask)
		}
		in[mask] = append(in[mask], w.ID)
	}
	parts := make([]string, len(masks))
	for i, mask := range masks {
		parts[i] = "wave"
		if len(in[mask]) > 1 {
			parts[i] = "waves"
		}
		parts[i] += " " + ranges(in[mask])
		if mask != whole {
			parts[i] += " " + plural(mask) + " " + laneRanges(mask)
		}
	}
	return strings.Join(parts, "; ")
}

// ranges writes numbers as ranges of those that follow each other: "0-3,7".
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		text := strconv.Itoa(numbers[i])
		if end > i {
			text += "-" + strconv.Itoa(numbers[end])
		}
		parts = append(parts, text)
		i = end + 1
	}
	return strings.Join(parts, ",")
}
