package gen

// An Instruction is what the table has of an instruction: how its operands are encoded, its name, and whether
// it executes. One that does not decodes and prints.
type Instruction struct {
	Form     string
	Name     string
	Executes bool
}

var formNames = [...]string{
	formBasic: "basic", formMath: "math", formTernary: "ternary", formSend: "send", formSends: "send",
	formJump2: "jump", formJump1: "jump", formJmpi: "jump", formCall: "jump", formRet: "jump",
	formWait: "basic", formNone: "basic", formSync: "basic", formSendXe: "send", formBfn: "ternary",
	formDpas: "ternary",
}

// Instructions lists the instructions of a generation, by opcode; math by its functions. Of messages not all
// kinds
// execute.
func (g *Generation) Instructions() []Instruction {
	var list []Instruction
	for _, op := range g.ops {
		switch {
		case op == nil:
		case op.form == formMath:
			for f, name := range mathFunctions {
				if name != "" {
					executes := mathOps[f] != nil || mathIntOps[f] != nil || f == mathInvm || f == mathRsqtm
					list = append(list, Instruction{formNames[op.form], op.Name + "." + name, executes})
				}
			}
		default:
			executes := op.run != nil || op.ints != nil || op.floats != nil || op.isMessage()
			list = append(list, Instruction{formNames[op.form], op.Name, executes})
		}
	}
	return list
}
