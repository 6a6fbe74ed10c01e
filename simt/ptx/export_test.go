package ptx

// Mnemonics are the first parts of the names of all instructions that the machine has.
func Mnemonics() []string {
	var names []string
	for name := range builders {
		names = append(names, name)
	}
	return names
}

// SpecialRegisters are the names of those that the machine has.
func SpecialRegisters() []string {
	var names []string
	for name := range specialRegisters {
		names = append(names, name)
	}
	return names
}
