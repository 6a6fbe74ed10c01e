package dwarf

import (
	"fmt"
	"sync"
)

// A Tag says what a debugging information entry describes (DWARF 5 section 7.5.3, table 7.3).
type Tag uint16

func (t Tag) String() string {
	if s, ok := tagNames()[t]; ok {
		return s
	}
	return fmt.Sprintf("DW_TAG_unknown_%x", uint16(t))
}

// Tags of DWARF 2 to 5 and of the vendors, with the values of DWARF 5 table 7.3 and of LLVM 22.
const (
	TagArrayType                 Tag = 0x01
	TagClassType                 Tag = 0x02
	TagEntryPoint                Tag = 0x03
	TagEnumerationType           Tag = 0x04
	TagFormalParameter           Tag = 0x05
	TagImportedDeclaration       Tag = 0x08
	TagLabel                     Tag = 0x0a
	TagLexicalBlock              Tag = 0x0b
	TagMember                    Tag = 0x0d
	TagPointerType               Tag = 0x0f
	TagReferenceType             Tag = 0x10
	TagCompileUnit               Tag = 0x11
	TagStringType                Tag = 0x12
	TagStructureType             Tag = 0x13
	TagSubroutineType            Tag = 0x15
	TagTypedef                   Tag = 0x16
	TagUnionType                 Tag = 0x17
	TagUnspecifiedParameters     Tag = 0x18
	TagVariant                   Tag = 0x19
	TagCommonBlock               Tag = 0x1a
	TagCommonInclusion           Tag = 0x1b
	TagInheritance               Tag = 0x1c
	TagInlinedSubroutine         Tag = 0x1d
	TagModule                    Tag = 0x1e
	TagPtrToMemberType           Tag = 0x1f
	TagSetType                   Tag = 0x20
	TagSubrangeType              Tag = 0x21
	TagWithStmt                  Tag = 0x22
	TagAccessDeclaration         Tag = 0x23
	TagBaseType                  Tag = 0x24
	TagCatchBlock                Tag = 0x25
	TagConstType                 Tag = 0x26
	TagConstant                  Tag = 0x27
	TagEnumerator                Tag = 0x28
	TagFileType                  Tag = 0x29
	TagFriend                    Tag = 0x2a
	TagNamelist                  Tag = 0x2b
	TagNamelistItem              Tag = 0x2c
	TagPackedType                Tag = 0x2d
	TagSubprogram                Tag = 0x2e
	TagTemplateTypeParameter     Tag = 0x2f
	TagTemplateValueParameter    Tag = 0x30
	TagThrownType                Tag = 0x31
	TagTryBlock                  Tag = 0x32
	TagVariantPart               Tag = 0x33
	TagVariable                  Tag = 0x34
	TagVolatileType              Tag = 0x35
	TagDwarfProcedure            Tag = 0x36
	TagRestrictType              Tag = 0x37
	TagInterfaceType             Tag = 0x38
	TagNamespace                 Tag = 0x39
	TagImportedModule            Tag = 0x3a
	TagUnspecifiedType           Tag = 0x3b
	TagPartialUnit               Tag = 0x3c
	TagImportedUnit              Tag = 0x3d
	TagCondition                 Tag = 0x3f
	TagSharedType                Tag = 0x40
	TagTypeUnit                  Tag = 0x41
	TagRvalueReferenceType       Tag = 0x42
	TagTemplateAlias             Tag = 0x43
	TagCoarrayType               Tag = 0x44
	TagGenericSubrange           Tag = 0x45
	TagDynamicType               Tag = 0x46
	TagAtomicType                Tag = 0x47
	TagCallSite                  Tag = 0x48
	TagCallSiteParameter         Tag = 0x49
	TagSkeletonUnit              Tag = 0x4a
	TagImmutableType             Tag = 0x4b
	TagMIPSLoop                  Tag = 0x4081
	TagFormatLabel               Tag = 0x4101
	TagFunctionTemplate          Tag = 0x4102
	TagClassTemplate             Tag = 0x4103
	TagGNUBINCL                  Tag = 0x4104
	TagGNUEINCL                  Tag = 0x4105
	TagGNUTemplateTemplateParam  Tag = 0x4106
	TagGNUTemplateParameterPack  Tag = 0x4107
	TagGNUFormalParameterPack    Tag = 0x4108
	TagGNUCallSite               Tag = 0x4109
	TagGNUCallSiteParameter      Tag = 0x410a
	TagAPPLEProperty             Tag = 0x4200
	TagSUNFunctionTemplate       Tag = 0x4201
	TagSUNClassTemplate          Tag = 0x4202
	TagSUNStructTemplate         Tag = 0x4203
	TagSUNUnionTemplate          Tag = 0x4204
	TagSUNIndirectInheritance    Tag = 0x4205
	TagSUNCodeflags              Tag = 0x4206
	TagSUNMemopInfo              Tag = 0x4207
	TagSUNOmpChildFunc           Tag = 0x4208
	TagSUNRTTIDescriptor         Tag = 0x4209
	TagSUNDtorInfo               Tag = 0x420a
	TagSUNDtor                   Tag = 0x420b
	TagSUNF90Interface           Tag = 0x420c
	TagSUNFortranVaxStructure    Tag = 0x420d
	TagSUNHi                     Tag = 0x42ff
	TagLLVMPtrauthType           Tag = 0x4300
	TagALTIUMCircType            Tag = 0x5101
	TagALTIUMMwaCircType         Tag = 0x5102
	TagALTIUMRevCarryType        Tag = 0x5103
	TagALTIUMRom                 Tag = 0x5111
	TagLLVMAnnotation            Tag = 0x6000
	TagGHSNamespace              Tag = 0x8004
	TagGHSUsingNamespace         Tag = 0x8005
	TagGHSUsingDeclaration       Tag = 0x8006
	TagGHSTemplateTemplParam     Tag = 0x8007
	TagUPCSharedType             Tag = 0x8765
	TagUPCStrictType             Tag = 0x8766
	TagUPCRelaxed                Tag = 0x8767
	TagPGIKanjiType              Tag = 0xa000
	TagPGIInterfaceBlock         Tag = 0xa020
	TagBORLANDProperty           Tag = 0xb000
	TagBORLANDDelphiString       Tag = 0xb001
	TagBORLANDDelphiDynamicArray Tag = 0xb002
	TagBORLANDDelphiSet          Tag = 0xb003
	TagBORLANDDelphiVariant      Tag = 0xb004
)

var tagNames = sync.OnceValue(func() map[Tag]string {
	return map[Tag]string{
		TagArrayType:                 "DW_TAG_array_type",
		TagClassType:                 "DW_TAG_class_type",
		TagEntryPoint:                "DW_TAG_entry_point",
		TagEnumerationType:           "DW_TAG_enumeration_type",
		TagFormalParameter:           "DW_TAG_formal_parameter",
		TagImportedDeclaration:       "DW_TAG_imported_declaration",
		TagLabel:                     "DW_TAG_label",
		TagLexicalBlock:              "DW_TAG_lexical_block",
		TagMember:                    "DW_TAG_member",
		TagPointerType:               "DW_TAG_pointer_type",
		TagReferenceType:             "DW_TAG_reference_type",
		TagCompileUnit:               "DW_TAG_compile_unit",
		TagStringType:                "DW_TAG_string_type",
		TagStructureType:             "DW_TAG_structure_type",
		TagSubroutineType:            "DW_TAG_subroutine_type",
		TagTypedef:                   "DW_TAG_typedef",
		TagUnionType:                 "DW_TAG_union_type",
		TagUnspecifiedParameters:     "DW_TAG_unspecified_parameters",
		TagVariant:                   "DW_TAG_variant",
		TagCommonBlock:               "DW_TAG_common_block",
		TagCommonInclusion:           "DW_TAG_common_inclusion",
		TagInheritance:               "DW_TAG_inheritance",
		TagInlinedSubroutine:         "DW_TAG_inlined_subroutine",
		TagModule:                    "DW_TAG_module",
		TagPtrToMemberType:           "DW_TAG_ptr_to_member_type",
		TagSetType:                   "DW_TAG_set_type",
		TagSubrangeType:              "DW_TAG_subrange_type",
		TagWithStmt:                  "DW_TAG_with_stmt",
		TagAccessDeclaration:         "DW_TAG_access_declaration",
		TagBaseType:                  "DW_TAG_base_type",
		TagCatchBlock:                "DW_TAG_catch_block",
		TagConstType:                 "DW_TAG_const_type",
		TagConstant:                  "DW_TAG_constant",
		TagEnumerator:                "DW_TAG_enumerator",
		TagFileType:                  "DW_TAG_file_type",
		TagFriend:                    "DW_TAG_friend",
		TagNamelist:                  "DW_TAG_namelist",
		TagNamelistItem:              "DW_TAG_namelist_item",
		TagPackedType:                "DW_TAG_packed_type",
		TagSubprogram:                "DW_TAG_subprogram",
		TagTemplateTypeParameter:     "DW_TAG_template_type_parameter",
		TagTemplateValueParameter:    "DW_TAG_template_value_parameter",
		TagThrownType:                "DW_TAG_thrown_type",
		TagTryBlock:                  "DW_TAG_try_block",
		TagVariantPart:               "DW_TAG_variant_part",
		TagVariable:                  "DW_TAG_variable",
		TagVolatileType:              "DW_TAG_volatile_type",
		TagDwarfProcedure:            "DW_TAG_dwarf_procedure",
		TagRestrictType:              "DW_TAG_restrict_type",
		TagInterfaceType:             "DW_TAG_interface_type",
		TagNamespace:                 "DW_TAG_namespace",
		TagImportedModule:            "DW_TAG_imported_module",
		TagUnspecifiedType:           "DW_TAG_unspecified_type",
		TagPartialUnit:               "DW_TAG_partial_unit",
		TagImportedUnit:              "DW_TAG_imported_unit",
		TagCondition:                 "DW_TAG_condition",
		TagSharedType:                "DW_TAG_shared_type",
		TagTypeUnit:                  "DW_TAG_type_unit",
		TagRvalueReferenceType:       "DW_TAG_rvalue_reference_type",
		TagTemplateAlias:             "DW_TAG_template_alias",
		TagCoarrayType:               "DW_TAG_coarray_type",
		TagGenericSubrange:           "DW_TAG_generic_subrange",
		TagDynamicType:               "DW_TAG_dynamic_type",
		TagAtomicType:                "DW_TAG_atomic_type",
		TagCallSite:                  "DW_TAG_call_site",
		TagCallSiteParameter:         "DW_TAG_call_site_parameter",
		TagSkeletonUnit:              "DW_TAG_skeleton_unit",
		TagImmutableType:             "DW_TAG_immutable_type",
		TagMIPSLoop:                  "DW_TAG_MIPS_loop",
		TagFormatLabel:               "DW_TAG_format_label",
		TagFunctionTemplate:          "DW_TAG_function_template",
		TagClassTemplate:             "DW_TAG_class_template",
		TagGNUBINCL:                  "DW_TAG_GNU_BINCL",
		TagGNUEINCL:                  "DW_TAG_GNU_EINCL",
		TagGNUTemplateTemplateParam:  "DW_TAG_GNU_template_template_param",
		TagGNUTemplateParameterPack:  "DW_TAG_GNU_template_parameter_pack",
		TagGNUFormalParameterPack:    "DW_TAG_GNU_formal_parameter_pack",
		TagGNUCallSite:               "DW_TAG_GNU_call_site",
		TagGNUCallSiteParameter:      "DW_TAG_GNU_call_site_parameter",
		TagAPPLEProperty:             "DW_TAG_APPLE_property",
		TagSUNFunctionTemplate:       "DW_TAG_SUN_function_template",
		TagSUNClassTemplate:          "DW_TAG_SUN_class_template",
		TagSUNStructTemplate:         "DW_TAG_SUN_struct_template",
		TagSUNUnionTemplate:          "DW_TAG_SUN_union_template",
		TagSUNIndirectInheritance:    "DW_TAG_SUN_indirect_inheritance",
		TagSUNCodeflags:              "DW_TAG_SUN_codeflags",
		TagSUNMemopInfo:              "DW_TAG_SUN_memop_info",
		TagSUNOmpChildFunc:           "DW_TAG_SUN_omp_child_func",
		TagSUNRTTIDescriptor:         "DW_TAG_SUN_rtti_descriptor",
		TagSUNDtorInfo:               "DW_TAG_SUN_dtor_info",
		TagSUNDtor:                   "DW_TAG_SUN_dtor",
		TagSUNF90Interface:           "DW_TAG_SUN_f90_interface",
		TagSUNFortranVaxStructure:    "DW_TAG_SUN_fortran_vax_structure",
		TagSUNHi:                     "DW_TAG_SUN_hi",
		TagLLVMPtrauthType:           "DW_TAG_LLVM_ptrauth_type",
		TagALTIUMCircType:            "DW_TAG_ALTIUM_circ_type",
		TagALTIUMMwaCircType:         "DW_TAG_ALTIUM_mwa_circ_type",
		TagALTIUMRevCarryType:        "DW_TAG_ALTIUM_rev_carry_type",
		TagALTIUMRom:                 "DW_TAG_ALTIUM_rom",
		TagLLVMAnnotation:            "DW_TAG_LLVM_annotation",
		TagGHSNamespace:              "DW_TAG_GHS_namespace",
		TagGHSUsingNamespace:         "DW_TAG_GHS_using_namespace",
		TagGHSUsingDeclaration:       "DW_TAG_GHS_using_declaration",
		TagGHSTemplateTemplParam:     "DW_TAG_GHS_template_templ_param",
		TagUPCSharedType:             "DW_TAG_UPC_shared_type",
		TagUPCStrictType:             "DW_TAG_UPC_strict_type",
		TagUPCRelaxed:                "DW_TAG_UPC_relaxed",
		TagPGIKanjiType:              "DW_TAG_PGI_kanji_type",
		TagPGIInterfaceBlock:         "DW_TAG_PGI_interface_block",
		TagBORLANDProperty:           "DW_TAG_BORLAND_property",
		TagBORLANDDelphiString:       "DW_TAG_BORLAND_Delphi_string",
		TagBORLANDDelphiDynamicArray: "DW_TAG_BORLAND_Delphi_dynamic_array",
		TagBORLANDDelphiSet:          "DW_TAG_BORLAND_Delphi_set",
		TagBORLANDDelphiVariant:      "DW_TAG_BORLAND_Delphi_variant",
	}
})
