package dwarf

import "fmt"

// A Class is the kind of an attribute's value (DWARF 5 section 7.5.5).
type Class uint8

// Classes, with the words of DWARF 5 table 7.4. The zero Class is no class.
const (
	ClassAddress       Class = iota + 1 // Val is the address
	ClassAddrPtr                        // Val is an offset in .debug_addr
	ClassBlock                          // Bytes
	ClassConstant                       // Val, sign-extended if the form is signed; Bytes for DW_FORM_data16
	ClassExprLoc                        // Bytes is an expression
	ClassFlag                           // Val is 0 or not
	ClassLinePtr                        // Val is an offset in .debug_line
	ClassLocList                        // Val is an offset in .debug_loc or .debug_loclists
	ClassLocListsPtr                    // Val is a base in .debug_loclists
	ClassMacPtr                         // Val is an offset in .debug_macro or .debug_macinfo
	ClassReference                      // Val is an offset in the section of the units
	ClassReferenceSig                   // Val is the signature of a type unit
	ClassReferenceSup                   // Val is an offset in the supplementary file
	ClassRngList                        // Val is an offset in .debug_ranges or .debug_rnglists
	ClassRngListsPtr                    // Val is a base in .debug_rnglists
	ClassSecOffset                      // Val is an offset in a section that the attribute implies
	ClassString                         // Bytes, without the zero
	ClassStringSup                      // Val is an offset in the supplementary file's .debug_str
	ClassStrOffsetsPtr                  // Val is a base in .debug_str_offsets
)

var classNames = [...]string{
	ClassAddress: "address", ClassAddrPtr: "addrptr", ClassBlock: "block", ClassConstant: "constant",
	ClassExprLoc: "exprloc", ClassFlag: "flag", ClassLinePtr: "lineptr", ClassLocList: "loclist",
	ClassLocListsPtr: "loclistsptr", ClassMacPtr: "macptr", ClassReference: "reference",
	ClassReferenceSig: "reference by signature", ClassReferenceSup: "reference into the supplementary file",
	ClassRngList: "rnglist", ClassRngListsPtr: "rnglistsptr", ClassSecOffset: "section offset",
	ClassString: "string", ClassStringSup: "string of the supplementary file",
	ClassStrOffsetsPtr: "stroffsetsptr",
}

func (c Class) String() string {
	if int(c) < len(classNames) && classNames[c] != "" {
		return classNames[c]
	}
	return fmt.Sprintf("class %d", uint8(c))
}

// formClasses has the class of the forms that have one for all attributes; DW_FORM_sec_offset and, before
// version 4, blocks and data4 and data8 get theirs from the attribute.
var formClasses = map[Form]Class{
	FormAddr: ClassAddress, FormAddrx: ClassAddress, FormAddrx1: ClassAddress, FormAddrx2: ClassAddress,
	FormAddrx3: ClassAddress, FormAddrx4: ClassAddress, FormGNUAddrIndex: ClassAddress,
	FormLLVMAddrxOffset: ClassAddress,
	FormBlock:           ClassBlock, FormBlock1: ClassBlock, FormBlock2: ClassBlock, FormBlock4: ClassBlock,
	FormData1: ClassConstant, FormData2: ClassConstant, FormData4: ClassConstant, FormData8: ClassConstant,
	FormData16: ClassConstant, FormSdata: ClassConstant, FormUdata: ClassConstant,
	FormImplicitConst: ClassConstant,
	FormExprloc:       ClassExprLoc,
	FormFlag:          ClassFlag, FormFlagPresent: ClassFlag,
	FormLoclistx: ClassLocList, FormRnglistx: ClassRngList,
	FormRef1: ClassReference, FormRef2: ClassReference, FormRef4: ClassReference, FormRef8: ClassReference,
	FormRefUdata: ClassReference, FormRefAddr: ClassReference, FormRefSig8: ClassReferenceSig,
	FormRefSup4: ClassReferenceSup, FormRefSup8: ClassReferenceSup, FormGNURefAlt: ClassReferenceSup,
	FormSecOffset: ClassSecOffset,
	FormString:    ClassString, FormStrp: ClassString, FormLineStrp: ClassString, FormStrx: ClassString,
	FormStrx1: ClassString, FormStrx2: ClassString, FormStrx3: ClassString, FormStrx4: ClassString,
	FormGNUStrIndex: ClassString, FormStrpSup: ClassStringSup, FormGNUStrpAlt: ClassStringSup,
}

// pointerClasses has the attributes whose values can be offsets in another section (DWARF 5 table 7.5).
var pointerClasses = map[At]Class{
	AttrStmtList: ClassLinePtr,
	AttrLocation: ClassLocList, AttrStringLength: ClassLocList, AttrReturnAddr: ClassLocList,
	AttrDataMemberLocation: ClassLocList, AttrFrameBase: ClassLocList, AttrSegment: ClassLocList,
	AttrStaticLink: ClassLocList, AttrUseLocation: ClassLocList, AttrVtableElemLocation: ClassLocList,
	AttrLLVMLanePC: ClassLocList,
	AttrRanges:     ClassRngList, AttrStartScope: ClassRngList,
	AttrMacroInfo: ClassMacPtr, AttrMacros: ClassMacPtr, AttrGNUMacros: ClassMacPtr,
	AttrStrOffsetsBase: ClassStrOffsetsPtr, AttrAddrBase: ClassAddrPtr, AttrGNUAddrBase: ClassAddrPtr,
	AttrRnglistsBase: ClassRngListsPtr, AttrGNURangesBase: ClassRngListsPtr,
	AttrLoclistsBase: ClassLocListsPtr,
}

// expressionAttrs has the attributes whose blocks are expressions: before DW_FORM_exprloc came with
// version 4 there was no telling by the form.
var expressionAttrs = map[At]bool{
	AttrLocation: true, AttrByteSize: true, AttrBitOffset: true, AttrBitSize: true, AttrStringLength: true,
	AttrLowerBound: true, AttrReturnAddr: true, AttrBitStride: true, AttrUpperBound: true, AttrCount: true,
	AttrDataMemberLocation: true, AttrFrameBase: true, AttrSegment: true, AttrStaticLink: true,
	AttrUseLocation: true, AttrVtableElemLocation: true, AttrAllocated: true, AttrAssociated: true,
	AttrDataLocation: true, AttrByteStride: true, AttrRank: true, AttrCallValue: true, AttrCallOrigin: true,
	AttrCallTarget: true, AttrCallTargetClobbered: true, AttrCallDataLocation: true, AttrCallDataValue: true,
	AttrGNUCallSiteValue: true, AttrGNUCallSiteDataValue: true, AttrGNUCallSiteTarget: true,
	AttrGNUCallSiteTargetClobbered: true, AttrLLVMLanePC: true,
}

// classOf gives the class of an attribute's value; 0 for a form that is not known, and for
// DW_FORM_indirect, whose form comes with the value.
func classOf(name At, form Form, version uint16) Class {
	class := formClasses[form]
	switch form {
	case FormData4, FormData8:
		// DW_FORM_sec_offset came with version 4; before, these forms were for pointers as well.
		if p, ok := pointerClasses[name]; ok && version < 4 && name != AttrStartScope {
			return p
		}
	case FormSecOffset:
		if p, ok := pointerClasses[name]; ok {
			return p
		}
	case FormBlock, FormBlock1, FormBlock2, FormBlock4:
		if expressionAttrs[name] {
			return ClassExprLoc
		}
	}
	return class
}
