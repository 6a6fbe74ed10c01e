package dwarf

import (
	"fmt"
	"sync"
)

// A Form says how an attribute's value is written (DWARF 5 section 7.5.6, table 7.6).
type Form uint16

func (f Form) String() string {
	if s, ok := formNames()[f]; ok {
		return s
	}
	return fmt.Sprintf("DW_FORM_unknown_%x", uint16(f))
}

// Forms of DWARF 2 to 5 and of the vendors, with the values of DWARF 5 table 7.6 and of LLVM 22.
const (
	FormAddr            Form = 0x01
	FormBlock2          Form = 0x03
	FormBlock4          Form = 0x04
	FormData2           Form = 0x05
	FormData4           Form = 0x06
	FormData8           Form = 0x07
	FormString          Form = 0x08
	FormBlock           Form = 0x09
	FormBlock1          Form = 0x0a
	FormData1           Form = 0x0b
	FormFlag            Form = 0x0c
	FormSdata           Form = 0x0d
	FormStrp            Form = 0x0e
	FormUdata           Form = 0x0f
	FormRefAddr         Form = 0x10
	FormRef1            Form = 0x11
	FormRef2            Form = 0x12
	FormRef4            Form = 0x13
	FormRef8            Form = 0x14
	FormRefUdata        Form = 0x15
	FormIndirect        Form = 0x16
	FormSecOffset       Form = 0x17
	FormExprloc         Form = 0x18
	FormFlagPresent     Form = 0x19
	FormStrx            Form = 0x1a
	FormAddrx           Form = 0x1b
	FormRefSup4         Form = 0x1c
	FormStrpSup         Form = 0x1d
	FormData16          Form = 0x1e
	FormLineStrp        Form = 0x1f
	FormRefSig8         Form = 0x20
	FormImplicitConst   Form = 0x21
	FormLoclistx        Form = 0x22
	FormRnglistx        Form = 0x23
	FormRefSup8         Form = 0x24
	FormStrx1           Form = 0x25
	FormStrx2           Form = 0x26
	FormStrx3           Form = 0x27
	FormStrx4           Form = 0x28
	FormAddrx1          Form = 0x29
	FormAddrx2          Form = 0x2a
	FormAddrx3          Form = 0x2b
	FormAddrx4          Form = 0x2c
	FormGNUAddrIndex    Form = 0x1f01
	FormGNUStrIndex     Form = 0x1f02
	FormGNURefAlt       Form = 0x1f20
	FormGNUStrpAlt      Form = 0x1f21
	FormLLVMAddrxOffset Form = 0x2001
)

var formNames = sync.OnceValue(func() map[Form]string {
	return map[Form]string{
		FormAddr:            "DW_FORM_addr",
		FormBlock2:          "DW_FORM_block2",
		FormBlock4:          "DW_FORM_block4",
		FormData2:           "DW_FORM_data2",
		FormData4:           "DW_FORM_data4",
		FormData8:           "DW_FORM_data8",
		FormString:          "DW_FORM_string",
		FormBlock:           "DW_FORM_block",
		FormBlock1:          "DW_FORM_block1",
		FormData1:           "DW_FORM_data1",
		FormFlag:            "DW_FORM_flag",
		FormSdata:           "DW_FORM_sdata",
		FormStrp:            "DW_FORM_strp",
		FormUdata:           "DW_FORM_udata",
		FormRefAddr:         "DW_FORM_ref_addr",
		FormRef1:            "DW_FORM_ref1",
		FormRef2:            "DW_FORM_ref2",
		FormRef4:            "DW_FORM_ref4",
		FormRef8:            "DW_FORM_ref8",
		FormRefUdata:        "DW_FORM_ref_udata",
		FormIndirect:        "DW_FORM_indirect",
		FormSecOffset:       "DW_FORM_sec_offset",
		FormExprloc:         "DW_FORM_exprloc",
		FormFlagPresent:     "DW_FORM_flag_present",
		FormStrx:            "DW_FORM_strx",
		FormAddrx:           "DW_FORM_addrx",
		FormRefSup4:         "DW_FORM_ref_sup4",
		FormStrpSup:         "DW_FORM_strp_sup",
		FormData16:          "DW_FORM_data16",
		FormLineStrp:        "DW_FORM_line_strp",
		FormRefSig8:         "DW_FORM_ref_sig8",
		FormImplicitConst:   "DW_FORM_implicit_const",
		FormLoclistx:        "DW_FORM_loclistx",
		FormRnglistx:        "DW_FORM_rnglistx",
		FormRefSup8:         "DW_FORM_ref_sup8",
		FormStrx1:           "DW_FORM_strx1",
		FormStrx2:           "DW_FORM_strx2",
		FormStrx3:           "DW_FORM_strx3",
		FormStrx4:           "DW_FORM_strx4",
		FormAddrx1:          "DW_FORM_addrx1",
		FormAddrx2:          "DW_FORM_addrx2",
		FormAddrx3:          "DW_FORM_addrx3",
		FormAddrx4:          "DW_FORM_addrx4",
		FormGNUAddrIndex:    "DW_FORM_GNU_addr_index",
		FormGNUStrIndex:     "DW_FORM_GNU_str_index",
		FormGNURefAlt:       "DW_FORM_GNU_ref_alt",
		FormGNUStrpAlt:      "DW_FORM_GNU_strp_alt",
		FormLLVMAddrxOffset: "DW_FORM_LLVM_addrx_offset",
	}
})
