package dwarf

import (
	"fmt"
	"sync"
)

// An At is the number that names an attribute of a debugging information entry (DWARF 5 section 7.5.4, table
// 7.5).
type At uint16

func (n At) String() string {
	if s, ok := attrNames()[n]; ok {
		return s
	}
	return fmt.Sprintf("DW_AT_unknown_%x", uint16(n))
}

// Attributes of DWARF 2 to 5 and of the vendors, with the values of DWARF 5 table 7.5 and of LLVM 22.
// The document "DWARF Extensions For Heterogeneous Debugging" numbers the AMDGPU ones differently
// (0x3e08 to 0x3e0c); these are the numbers that compilers write.
const (
	AttrSibling                            At = 0x01
	AttrLocation                           At = 0x02
	AttrName                               At = 0x03
	AttrOrdering                           At = 0x09
	AttrByteSize                           At = 0x0b
	AttrBitOffset                          At = 0x0c
	AttrBitSize                            At = 0x0d
	AttrStmtList                           At = 0x10
	AttrLowPC                              At = 0x11
	AttrHighPC                             At = 0x12
	AttrLanguage                           At = 0x13
	AttrDiscr                              At = 0x15
	AttrDiscrValue                         At = 0x16
	AttrVisibility                         At = 0x17
	AttrImport                             At = 0x18
	AttrStringLength                       At = 0x19
	AttrCommonReference                    At = 0x1a
	AttrCompDir                            At = 0x1b
	AttrConstValue                         At = 0x1c
	AttrContainingType                     At = 0x1d
	AttrDefaultValue                       At = 0x1e
	AttrInline                             At = 0x20
	AttrIsOptional                         At = 0x21
	AttrLowerBound                         At = 0x22
	AttrProducer                           At = 0x25
	AttrPrototyped                         At = 0x27
	AttrReturnAddr                         At = 0x2a
	AttrStartScope                         At = 0x2c
	AttrBitStride                          At = 0x2e
	AttrUpperBound                         At = 0x2f
	AttrAbstractOrigin                     At = 0x31
	AttrAccessibility                      At = 0x32
	AttrAddressClass                       At = 0x33
	AttrArtificial                         At = 0x34
	AttrBaseTypes                          At = 0x35
	AttrCallingConvention                  At = 0x36
	AttrCount                              At = 0x37
	AttrDataMemberLocation                 At = 0x38
	AttrDeclColumn                         At = 0x39
	AttrDeclFile                           At = 0x3a
	AttrDeclLine                           At = 0x3b
	AttrDeclaration                        At = 0x3c
	AttrDiscrList                          At = 0x3d
	AttrEncoding                           At = 0x3e
	AttrExternal                           At = 0x3f
	AttrFrameBase                          At = 0x40
	AttrFriend                             At = 0x41
	AttrIdentifierCase                     At = 0x42
	AttrMacroInfo                          At = 0x43
	AttrNamelistItem                       At = 0x44
	AttrPriority                           At = 0x45
	AttrSegment                            At = 0x46
	AttrSpecification                      At = 0x47
	AttrStaticLink                         At = 0x48
	AttrType                               At = 0x49
	AttrUseLocation                        At = 0x4a
	AttrVariableParameter                  At = 0x4b
	AttrVirtuality                         At = 0x4c
	AttrVtableElemLocation                 At = 0x4d
	AttrAllocated                          At = 0x4e
	AttrAssociated                         At = 0x4f
	AttrDataLocation                       At = 0x50
	AttrByteStride                         At = 0x51
	AttrEntryPC                            At = 0x52
	AttrUseUTF8                            At = 0x53
	AttrExtension                          At = 0x54
	AttrRanges                             At = 0x55
	AttrTrampoline                         At = 0x56
	AttrCallColumn                         At = 0x57
	AttrCallFile                           At = 0x58
	AttrCallLine                           At = 0x59
	AttrDescription                        At = 0x5a
	AttrBinaryScale                        At = 0x5b
	AttrDecimalScale                       At = 0x5c
	AttrSmall                              At = 0x5d
	AttrDecimalSign                        At = 0x5e
	AttrDigitCount                         At = 0x5f
	AttrPictureString                      At = 0x60
	AttrMutable                            At = 0x61
	AttrThreadsScaled                      At = 0x62
	AttrExplicit                           At = 0x63
	AttrObjectPointer                      At = 0x64
	AttrEndianity                          At = 0x65
	AttrElemental                          At = 0x66
	AttrPure                               At = 0x67
	AttrRecursive                          At = 0x68
	AttrSignature                          At = 0x69
	AttrMainSubprogram                     At = 0x6a
	AttrDataBitOffset                      At = 0x6b
	AttrConstExpr                          At = 0x6c
	AttrEnumClass                          At = 0x6d
	AttrLinkageName                        At = 0x6e
	AttrStringLengthBitSize                At = 0x6f
	AttrStringLengthByteSize               At = 0x70
	AttrRank                               At = 0x71
	AttrStrOffsetsBase                     At = 0x72
	AttrAddrBase                           At = 0x73
	AttrRnglistsBase                       At = 0x74
	AttrDWOID                              At = 0x75
	AttrDWOName                            At = 0x76
	AttrReference                          At = 0x77
	AttrRvalueReference                    At = 0x78
	AttrMacros                             At = 0x79
	AttrCallAllCalls                       At = 0x7a
	AttrCallAllSourceCalls                 At = 0x7b
	AttrCallAllTailCalls                   At = 0x7c
	AttrCallReturnPC                       At = 0x7d
	AttrCallValue                          At = 0x7e
	AttrCallOrigin                         At = 0x7f
	AttrCallParameter                      At = 0x80
	AttrCallPC                             At = 0x81
	AttrCallTailCall                       At = 0x82
	AttrCallTarget                         At = 0x83
	AttrCallTargetClobbered                At = 0x84
	AttrCallDataLocation                   At = 0x85
	AttrCallDataValue                      At = 0x86
	AttrNoreturn                           At = 0x87
	AttrAlignment                          At = 0x88
	AttrExportSymbols                      At = 0x89
	AttrDeleted                            At = 0x8a
	AttrDefaulted                          At = 0x8b
	AttrLoclistsBase                       At = 0x8c
	AttrLanguageName                       At = 0x90
	AttrLanguageVersion                    At = 0x91
	AttrGHSNamespaceAlias                  At = 0x806
	AttrGHSUsingNamespace                  At = 0x807
	AttrGHSUsingDeclaration                At = 0x808
	AttrMIPSFde                            At = 0x2001
	AttrMIPSLoopBegin                      At = 0x2002
	AttrMIPSTailLoopBegin                  At = 0x2003
	AttrMIPSEpilogBegin                    At = 0x2004
	AttrMIPSLoopUnrollFactor               At = 0x2005
	AttrMIPSSoftwarePipelineDepth          At = 0x2006
	AttrMIPSLinkageName                    At = 0x2007
	AttrMIPSStride                         At = 0x2008
	AttrMIPSAbstractName                   At = 0x2009
	AttrMIPSCloneOrigin                    At = 0x200a
	AttrMIPSHasInlines                     At = 0x200b
	AttrMIPSStrideByte                     At = 0x200c
	AttrMIPSStrideElem                     At = 0x200d
	AttrMIPSPtrDopetype                    At = 0x200e
	AttrMIPSAllocatableDopetype            At = 0x200f
	AttrMIPSAssumedShapeDopetype           At = 0x2010
	AttrMIPSAssumedSize                    At = 0x2011
	AttrHPRawDataPtr                       At = 0x2012
	AttrHPPassByReference                  At = 0x2013
	AttrHPOptLevel                         At = 0x2014
	AttrHPProfVersionID                    At = 0x2015
	AttrHPOptFlags                         At = 0x2016
	AttrHPColdRegionLowPC                  At = 0x2017
	AttrHPColdRegionHighPC                 At = 0x2018
	AttrHPAllVariablesModifiable           At = 0x2019
	AttrHPLinkageName                      At = 0x201a
	AttrHPProfFlags                        At = 0x201b
	AttrHPUnitName                         At = 0x201f
	AttrHPUnitSize                         At = 0x2020
	AttrHPWidenedByteSize                  At = 0x2021
	AttrHPDefinitionPoints                 At = 0x2022
	AttrHPDefaultLocation                  At = 0x2023
	AttrINTELOtherEndian                   At = 0x2026
	AttrHPIsResultParam                    At = 0x2029
	AttrGHSRsm                             At = 0x2083
	AttrGHSFrsm                            At = 0x2085
	AttrGHSFrames                          At = 0x2086
	AttrGHSRso                             At = 0x2087
	AttrGHSSubcpu                          At = 0x2092
	AttrGHSLbraceLine                      At = 0x2093
	AttrSfNames                            At = 0x2101
	AttrSrcInfo                            At = 0x2102
	AttrMacInfo                            At = 0x2103
	AttrSrcCoords                          At = 0x2104
	AttrBodyBegin                          At = 0x2105
	AttrBodyEnd                            At = 0x2106
	AttrGNUVector                          At = 0x2107
	AttrGNUODRSignature                    At = 0x210f
	AttrGNUTemplateName                    At = 0x2110
	AttrGNUCallSiteValue                   At = 0x2111
	AttrGNUCallSiteDataValue               At = 0x2112
	AttrGNUCallSiteTarget                  At = 0x2113
	AttrGNUCallSiteTargetClobbered         At = 0x2114
	AttrGNUTailCall                        At = 0x2115
	AttrGNUAllTailCallSites                At = 0x2116
	AttrGNUAllCallSites                    At = 0x2117
	AttrGNUAllSourceCallSites              At = 0x2118
	AttrGNUMacros                          At = 0x2119
	AttrGNUDeleted                         At = 0x211a
	AttrGNUDWOName                         At = 0x2130
	AttrGNUDWOID                           At = 0x2131
	AttrGNURangesBase                      At = 0x2132
	AttrGNUAddrBase                        At = 0x2133
	AttrGNUPubnames                        At = 0x2134
	AttrGNUPubtypes                        At = 0x2135
	AttrGNUDiscriminator                   At = 0x2136
	AttrGNULocviews                        At = 0x2137
	AttrGNUEntryView                       At = 0x2138
	AttrSUNTemplate                        At = 0x2201
	AttrSUNAlignment                       At = 0x2202
	AttrSUNVtable                          At = 0x2203
	AttrSUNCountGuarantee                  At = 0x2204
	AttrSUNCommandLine                     At = 0x2205
	AttrSUNVbase                           At = 0x2206
	AttrSUNCompileOptions                  At = 0x2207
	AttrSUNLanguage                        At = 0x2208
	AttrSUNBrowserFile                     At = 0x2209
	AttrSUNVtableABI                       At = 0x2210
	AttrSUNFuncOffsets                     At = 0x2211
	AttrSUNCfKind                          At = 0x2212
	AttrSUNVtableIndex                     At = 0x2213
	AttrSUNOmpTprivAddr                    At = 0x2214
	AttrSUNOmpChildFunc                    At = 0x2215
	AttrSUNFuncOffset                      At = 0x2216
	AttrSUNMemopTypeRef                    At = 0x2217
	AttrSUNProfileID                       At = 0x2218
	AttrSUNMemopSignature                  At = 0x2219
	AttrSUNObjDir                          At = 0x2220
	AttrSUNObjFile                         At = 0x2221
	AttrSUNOriginalName                    At = 0x2222
	AttrSUNHwcprofSignature                At = 0x2223
	AttrSUNAmd64Parmdump                   At = 0x2224
	AttrSUNPartLinkName                    At = 0x2225
	AttrSUNLinkName                        At = 0x2226
	AttrSUNPassWithConst                   At = 0x2227
	AttrSUNReturnWithConst                 At = 0x2228
	AttrSUNImportByName                    At = 0x2229
	AttrSUN90Pointer                       At = 0x222a
	AttrSUNPassByRef                       At = 0x222b
	AttrSUNF90Allocatable                  At = 0x222c
	AttrSUNF90AssumedShapeArray            At = 0x222d
	AttrSUNCVla                            At = 0x222e
	AttrSUNReturnValuePtr                  At = 0x2230
	AttrSUNDtorStart                       At = 0x2231
	AttrSUNDtorLength                      At = 0x2232
	AttrSUNDtorStateInitial                At = 0x2233
	AttrSUNDtorStateFinal                  At = 0x2234
	AttrSUNDtorStateDeltas                 At = 0x2235
	AttrSUNImportByLname                   At = 0x2236
	AttrSUNF90UseOnly                      At = 0x2237
	AttrSUNNamelistSpec                    At = 0x2238
	AttrSUNIsOmpChildFunc                  At = 0x2239
	AttrSUNFortranMainAlias                At = 0x223a
	AttrSUNFortranBased                    At = 0x223b
	AttrALTIUMLoclist                      At = 0x2300
	AttrUseGNATDescriptiveType             At = 0x2301
	AttrGNATDescriptiveType                At = 0x2302
	AttrGNUNumerator                       At = 0x2303
	AttrGNUDenominator                     At = 0x2304
	AttrGNUBias                            At = 0x2305
	AttrGOKind                             At = 0x2900
	AttrGOKey                              At = 0x2901
	AttrGOElem                             At = 0x2902
	AttrGOEmbeddedField                    At = 0x2903
	AttrGORuntimeType                      At = 0x2904
	AttrUPCThreadsScaled                   At = 0x3210
	AttrIBMWsaAddr                         At = 0x393e
	AttrIBMHomeLocation                    At = 0x393f
	AttrIBMAltSrcview                      At = 0x3940
	AttrPGILbase                           At = 0x3a00
	AttrPGISoffset                         At = 0x3a01
	AttrPGILstride                         At = 0x3a02
	AttrBORLANDPropertyRead                At = 0x3b11
	AttrBORLANDPropertyWrite               At = 0x3b12
	AttrBORLANDPropertyImplements          At = 0x3b13
	AttrBORLANDPropertyIndex               At = 0x3b14
	AttrBORLANDPropertyDefault             At = 0x3b15
	AttrBORLANDDelphiUnit                  At = 0x3b20
	AttrBORLANDDelphiClass                 At = 0x3b21
	AttrBORLANDDelphiRecord                At = 0x3b22
	AttrBORLANDDelphiMetaclass             At = 0x3b23
	AttrBORLANDDelphiConstructor           At = 0x3b24
	AttrBORLANDDelphiDestructor            At = 0x3b25
	AttrBORLANDDelphiAnonymousMethod       At = 0x3b26
	AttrBORLANDDelphiInterface             At = 0x3b27
	AttrBORLANDDelphiABI                   At = 0x3b28
	AttrBORLANDDelphiReturn                At = 0x3b29
	AttrBORLANDDelphiFrameptr              At = 0x3b30
	AttrBORLANDClosure                     At = 0x3b31
	AttrLLVMIncludePath                    At = 0x3e00
	AttrLLVMConfigMacros                   At = 0x3e01
	AttrLLVMSysroot                        At = 0x3e02
	AttrLLVMTagOffset                      At = 0x3e03
	AttrLLVMPtrauthKey                     At = 0x3e04
	AttrLLVMPtrauthAddressDiscriminated    At = 0x3e05
	AttrLLVMPtrauthExtraDiscriminator      At = 0x3e06
	AttrLLVMApinotes                       At = 0x3e07
	AttrLLVMPtrauthISAPointer              At = 0x3e08
	AttrLLVMPtrauthAuthenticatesNullValues At = 0x3e09
	AttrLLVMPtrauthAuthenticationMode      At = 0x3e0a
	AttrLLVMNumExtraInhabitants            At = 0x3e0b
	AttrLLVMStmtSequence                   At = 0x3e0c
	AttrLLVMCoroSuspendIdx                 At = 0x3e0d
	AttrLLVMAllocType                      At = 0x3e0e
	AttrLLVMMemorySpace                    At = 0x3e0f
	AttrLLVMAddressSpace                   At = 0x3e10
	AttrLLVMLanes                          At = 0x3e11
	AttrLLVMLanePC                         At = 0x3e12
	AttrLLVMVectorSize                     At = 0x3e13
	AttrAPPLEOptimized                     At = 0x3fe1
	AttrAPPLEFlags                         At = 0x3fe2
	AttrAPPLEISA                           At = 0x3fe3
	AttrAPPLEBlock                         At = 0x3fe4
	AttrAPPLEMajorRuntimeVers              At = 0x3fe5
	AttrAPPLERuntimeClass                  At = 0x3fe6
	AttrAPPLEOmitFramePtr                  At = 0x3fe7
	AttrAPPLEPropertyName                  At = 0x3fe8
	AttrAPPLEPropertyGetter                At = 0x3fe9
	AttrAPPLEPropertySetter                At = 0x3fea
	AttrAPPLEPropertyAttribute             At = 0x3feb
	AttrAPPLEObjcCompleteType              At = 0x3fec
	AttrAPPLEProperty                      At = 0x3fed
	AttrAPPLEObjcDirect                    At = 0x3fee
	AttrAPPLESDK                           At = 0x3fef
	AttrAPPLEOrigin                        At = 0x3ff0
	AttrAPPLEEnumKind                      At = 0x3ff1
)

var attrNames = sync.OnceValue(func() map[At]string {
	return map[At]string{
		AttrSibling:                            "DW_AT_sibling",
		AttrLocation:                           "DW_AT_location",
		AttrName:                               "DW_AT_name",
		AttrOrdering:                           "DW_AT_ordering",
		AttrByteSize:                           "DW_AT_byte_size",
		AttrBitOffset:                          "DW_AT_bit_offset",
		AttrBitSize:                            "DW_AT_bit_size",
		AttrStmtList:                           "DW_AT_stmt_list",
		AttrLowPC:                              "DW_AT_low_pc",
		AttrHighPC:                             "DW_AT_high_pc",
		AttrLanguage:                           "DW_AT_language",
		AttrDiscr:                              "DW_AT_discr",
		AttrDiscrValue:                         "DW_AT_discr_value",
		AttrVisibility:                         "DW_AT_visibility",
		AttrImport:                             "DW_AT_import",
		AttrStringLength:                       "DW_AT_string_length",
		AttrCommonReference:                    "DW_AT_common_reference",
		AttrCompDir:                            "DW_AT_comp_dir",
		AttrConstValue:                         "DW_AT_const_value",
		AttrContainingType:                     "DW_AT_containing_type",
		AttrDefaultValue:                       "DW_AT_default_value",
		AttrInline:                             "DW_AT_inline",
		AttrIsOptional:                         "DW_AT_is_optional",
		AttrLowerBound:                         "DW_AT_lower_bound",
		AttrProducer:                           "DW_AT_producer",
		AttrPrototyped:                         "DW_AT_prototyped",
		AttrReturnAddr:                         "DW_AT_return_addr",
		AttrStartScope:                         "DW_AT_start_scope",
		AttrBitStride:                          "DW_AT_bit_stride",
		AttrUpperBound:                         "DW_AT_upper_bound",
		AttrAbstractOrigin:                     "DW_AT_abstract_origin",
		AttrAccessibility:                      "DW_AT_accessibility",
		AttrAddressClass:                       "DW_AT_address_class",
		AttrArtificial:                         "DW_AT_artificial",
		AttrBaseTypes:                          "DW_AT_base_types",
		AttrCallingConvention:                  "DW_AT_calling_convention",
		AttrCount:                              "DW_AT_count",
		AttrDataMemberLocation:                 "DW_AT_data_member_location",
		AttrDeclColumn:                         "DW_AT_decl_column",
		AttrDeclFile:                           "DW_AT_decl_file",
		AttrDeclLine:                           "DW_AT_decl_line",
		AttrDeclaration:                        "DW_AT_declaration",
		AttrDiscrList:                          "DW_AT_discr_list",
		AttrEncoding:                           "DW_AT_encoding",
		AttrExternal:                           "DW_AT_external",
		AttrFrameBase:                          "DW_AT_frame_base",
		AttrFriend:                             "DW_AT_friend",
		AttrIdentifierCase:                     "DW_AT_identifier_case",
		AttrMacroInfo:                          "DW_AT_macro_info",
		AttrNamelistItem:                       "DW_AT_namelist_item",
		AttrPriority:                           "DW_AT_priority",
		AttrSegment:                            "DW_AT_segment",
		AttrSpecification:                      "DW_AT_specification",
		AttrStaticLink:                         "DW_AT_static_link",
		AttrType:                               "DW_AT_type",
		AttrUseLocation:                        "DW_AT_use_location",
		AttrVariableParameter:                  "DW_AT_variable_parameter",
		AttrVirtuality:                         "DW_AT_virtuality",
		AttrVtableElemLocation:                 "DW_AT_vtable_elem_location",
		AttrAllocated:                          "DW_AT_allocated",
		AttrAssociated:                         "DW_AT_associated",
		AttrDataLocation:                       "DW_AT_data_location",
		AttrByteStride:                         "DW_AT_byte_stride",
		AttrEntryPC:                            "DW_AT_entry_pc",
		AttrUseUTF8:                            "DW_AT_use_UTF8",
		AttrExtension:                          "DW_AT_extension",
		AttrRanges:                             "DW_AT_ranges",
		AttrTrampoline:                         "DW_AT_trampoline",
		AttrCallColumn:                         "DW_AT_call_column",
		AttrCallFile:                           "DW_AT_call_file",
		AttrCallLine:                           "DW_AT_call_line",
		AttrDescription:                        "DW_AT_description",
		AttrBinaryScale:                        "DW_AT_binary_scale",
		AttrDecimalScale:                       "DW_AT_decimal_scale",
		AttrSmall:                              "DW_AT_small",
		AttrDecimalSign:                        "DW_AT_decimal_sign",
		AttrDigitCount:                         "DW_AT_digit_count",
		AttrPictureString:                      "DW_AT_picture_string",
		AttrMutable:                            "DW_AT_mutable",
		AttrThreadsScaled:                      "DW_AT_threads_scaled",
		AttrExplicit:                           "DW_AT_explicit",
		AttrObjectPointer:                      "DW_AT_object_pointer",
		AttrEndianity:                          "DW_AT_endianity",
		AttrElemental:                          "DW_AT_elemental",
		AttrPure:                               "DW_AT_pure",
		AttrRecursive:                          "DW_AT_recursive",
		AttrSignature:                          "DW_AT_signature",
		AttrMainSubprogram:                     "DW_AT_main_subprogram",
		AttrDataBitOffset:                      "DW_AT_data_bit_offset",
		AttrConstExpr:                          "DW_AT_const_expr",
		AttrEnumClass:                          "DW_AT_enum_class",
		AttrLinkageName:                        "DW_AT_linkage_name",
		AttrStringLengthBitSize:                "DW_AT_string_length_bit_size",
		AttrStringLengthByteSize:               "DW_AT_string_length_byte_size",
		AttrRank:                               "DW_AT_rank",
		AttrStrOffsetsBase:                     "DW_AT_str_offsets_base",
		AttrAddrBase:                           "DW_AT_addr_base",
		AttrRnglistsBase:                       "DW_AT_rnglists_base",
		AttrDWOID:                              "DW_AT_dwo_id",
		AttrDWOName:                            "DW_AT_dwo_name",
		AttrReference:                          "DW_AT_reference",
		AttrRvalueReference:                    "DW_AT_rvalue_reference",
		AttrMacros:                             "DW_AT_macros",
		AttrCallAllCalls:                       "DW_AT_call_all_calls",
		AttrCallAllSourceCalls:                 "DW_AT_call_all_source_calls",
		AttrCallAllTailCalls:                   "DW_AT_call_all_tail_calls",
		AttrCallReturnPC:                       "DW_AT_call_return_pc",
		AttrCallValue:                          "DW_AT_call_value",
		AttrCallOrigin:                         "DW_AT_call_origin",
		AttrCallParameter:                      "DW_AT_call_parameter",
		AttrCallPC:                             "DW_AT_call_pc",
		AttrCallTailCall:                       "DW_AT_call_tail_call",
		AttrCallTarget:                         "DW_AT_call_target",
		AttrCallTargetClobbered:                "DW_AT_call_target_clobbered",
		AttrCallDataLocation:                   "DW_AT_call_data_location",
		AttrCallDataValue:                      "DW_AT_call_data_value",
		AttrNoreturn:                           "DW_AT_noreturn",
		AttrAlignment:                          "DW_AT_alignment",
		AttrExportSymbols:                      "DW_AT_export_symbols",
		AttrDeleted:                            "DW_AT_deleted",
		AttrDefaulted:                          "DW_AT_defaulted",
		AttrLoclistsBase:                       "DW_AT_loclists_base",
		AttrLanguageName:                       "DW_AT_language_name",
		AttrLanguageVersion:                    "DW_AT_language_version",
		AttrGHSNamespaceAlias:                  "DW_AT_GHS_namespace_alias",
		AttrGHSUsingNamespace:                  "DW_AT_GHS_using_namespace",
		AttrGHSUsingDeclaration:                "DW_AT_GHS_using_declaration",
		AttrMIPSFde:                            "DW_AT_MIPS_fde",
		AttrMIPSLoopBegin:                      "DW_AT_MIPS_loop_begin",
		AttrMIPSTailLoopBegin:                  "DW_AT_MIPS_tail_loop_begin",
		AttrMIPSEpilogBegin:                    "DW_AT_MIPS_epilog_begin",
		AttrMIPSLoopUnrollFactor:               "DW_AT_MIPS_loop_unroll_factor",
		AttrMIPSSoftwarePipelineDepth:          "DW_AT_MIPS_software_pipeline_depth",
		AttrMIPSLinkageName:                    "DW_AT_MIPS_linkage_name",
		AttrMIPSStride:                         "DW_AT_MIPS_stride",
		AttrMIPSAbstractName:                   "DW_AT_MIPS_abstract_name",
		AttrMIPSCloneOrigin:                    "DW_AT_MIPS_clone_origin",
		AttrMIPSHasInlines:                     "DW_AT_MIPS_has_inlines",
		AttrMIPSStrideByte:                     "DW_AT_MIPS_stride_byte",
		AttrMIPSStrideElem:                     "DW_AT_MIPS_stride_elem",
		AttrMIPSPtrDopetype:                    "DW_AT_MIPS_ptr_dopetype",
		AttrMIPSAllocatableDopetype:            "DW_AT_MIPS_allocatable_dopetype",
		AttrMIPSAssumedShapeDopetype:           "DW_AT_MIPS_assumed_shape_dopetype",
		AttrMIPSAssumedSize:                    "DW_AT_MIPS_assumed_size",
		AttrHPRawDataPtr:                       "DW_AT_HP_raw_data_ptr",
		AttrHPPassByReference:                  "DW_AT_HP_pass_by_reference",
		AttrHPOptLevel:                         "DW_AT_HP_opt_level",
		AttrHPProfVersionID:                    "DW_AT_HP_prof_version_id",
		AttrHPOptFlags:                         "DW_AT_HP_opt_flags",
		AttrHPColdRegionLowPC:                  "DW_AT_HP_cold_region_low_pc",
		AttrHPColdRegionHighPC:                 "DW_AT_HP_cold_region_high_pc",
		AttrHPAllVariablesModifiable:           "DW_AT_HP_all_variables_modifiable",
		AttrHPLinkageName:                      "DW_AT_HP_linkage_name",
		AttrHPProfFlags:                        "DW_AT_HP_prof_flags",
		AttrHPUnitName:                         "DW_AT_HP_unit_name",
		AttrHPUnitSize:                         "DW_AT_HP_unit_size",
		AttrHPWidenedByteSize:                  "DW_AT_HP_widened_byte_size",
		AttrHPDefinitionPoints:                 "DW_AT_HP_definition_points",
		AttrHPDefaultLocation:                  "DW_AT_HP_default_location",
		AttrINTELOtherEndian:                   "DW_AT_INTEL_other_endian",
		AttrHPIsResultParam:                    "DW_AT_HP_is_result_param",
		AttrGHSRsm:                             "DW_AT_GHS_rsm",
		AttrGHSFrsm:                            "DW_AT_GHS_frsm",
		AttrGHSFrames:                          "DW_AT_GHS_frames",
		AttrGHSRso:                             "DW_AT_GHS_rso",
		AttrGHSSubcpu:                          "DW_AT_GHS_subcpu",
		AttrGHSLbraceLine:                      "DW_AT_GHS_lbrace_line",
		AttrSfNames:                            "DW_AT_sf_names",
		AttrSrcInfo:                            "DW_AT_src_info",
		AttrMacInfo:                            "DW_AT_mac_info",
		AttrSrcCoords:                          "DW_AT_src_coords",
		AttrBodyBegin:                          "DW_AT_body_begin",
		AttrBodyEnd:                            "DW_AT_body_end",
		AttrGNUVector:                          "DW_AT_GNU_vector",
		AttrGNUODRSignature:                    "DW_AT_GNU_odr_signature",
		AttrGNUTemplateName:                    "DW_AT_GNU_template_name",
		AttrGNUCallSiteValue:                   "DW_AT_GNU_call_site_value",
		AttrGNUCallSiteDataValue:               "DW_AT_GNU_call_site_data_value",
		AttrGNUCallSiteTarget:                  "DW_AT_GNU_call_site_target",
		AttrGNUCallSiteTargetClobbered:         "DW_AT_GNU_call_site_target_clobbered",
		AttrGNUTailCall:                        "DW_AT_GNU_tail_call",
		AttrGNUAllTailCallSites:                "DW_AT_GNU_all_tail_call_sites",
		AttrGNUAllCallSites:                    "DW_AT_GNU_all_call_sites",
		AttrGNUAllSourceCallSites:              "DW_AT_GNU_all_source_call_sites",
		AttrGNUMacros:                          "DW_AT_GNU_macros",
		AttrGNUDeleted:                         "DW_AT_GNU_deleted",
		AttrGNUDWOName:                         "DW_AT_GNU_dwo_name",
		AttrGNUDWOID:                           "DW_AT_GNU_dwo_id",
		AttrGNURangesBase:                      "DW_AT_GNU_ranges_base",
		AttrGNUAddrBase:                        "DW_AT_GNU_addr_base",
		AttrGNUPubnames:                        "DW_AT_GNU_pubnames",
		AttrGNUPubtypes:                        "DW_AT_GNU_pubtypes",
		AttrGNUDiscriminator:                   "DW_AT_GNU_discriminator",
		AttrGNULocviews:                        "DW_AT_GNU_locviews",
		AttrGNUEntryView:                       "DW_AT_GNU_entry_view",
		AttrSUNTemplate:                        "DW_AT_SUN_template",
		AttrSUNAlignment:                       "DW_AT_SUN_alignment",
		AttrSUNVtable:                          "DW_AT_SUN_vtable",
		AttrSUNCountGuarantee:                  "DW_AT_SUN_count_guarantee",
		AttrSUNCommandLine:                     "DW_AT_SUN_command_line",
		AttrSUNVbase:                           "DW_AT_SUN_vbase",
		AttrSUNCompileOptions:                  "DW_AT_SUN_compile_options",
		AttrSUNLanguage:                        "DW_AT_SUN_language",
		AttrSUNBrowserFile:                     "DW_AT_SUN_browser_file",
		AttrSUNVtableABI:                       "DW_AT_SUN_vtable_abi",
		AttrSUNFuncOffsets:                     "DW_AT_SUN_func_offsets",
		AttrSUNCfKind:                          "DW_AT_SUN_cf_kind",
		AttrSUNVtableIndex:                     "DW_AT_SUN_vtable_index",
		AttrSUNOmpTprivAddr:                    "DW_AT_SUN_omp_tpriv_addr",
		AttrSUNOmpChildFunc:                    "DW_AT_SUN_omp_child_func",
		AttrSUNFuncOffset:                      "DW_AT_SUN_func_offset",
		AttrSUNMemopTypeRef:                    "DW_AT_SUN_memop_type_ref",
		AttrSUNProfileID:                       "DW_AT_SUN_profile_id",
		AttrSUNMemopSignature:                  "DW_AT_SUN_memop_signature",
		AttrSUNObjDir:                          "DW_AT_SUN_obj_dir",
		AttrSUNObjFile:                         "DW_AT_SUN_obj_file",
		AttrSUNOriginalName:                    "DW_AT_SUN_original_name",
		AttrSUNHwcprofSignature:                "DW_AT_SUN_hwcprof_signature",
		AttrSUNAmd64Parmdump:                   "DW_AT_SUN_amd64_parmdump",
		AttrSUNPartLinkName:                    "DW_AT_SUN_part_link_name",
		AttrSUNLinkName:                        "DW_AT_SUN_link_name",
		AttrSUNPassWithConst:                   "DW_AT_SUN_pass_with_const",
		AttrSUNReturnWithConst:                 "DW_AT_SUN_return_with_const",
		AttrSUNImportByName:                    "DW_AT_SUN_import_by_name",
		AttrSUN90Pointer:                       "DW_AT_SUN_90_pointer",
		AttrSUNPassByRef:                       "DW_AT_SUN_pass_by_ref",
		AttrSUNF90Allocatable:                  "DW_AT_SUN_f90_allocatable",
		AttrSUNF90AssumedShapeArray:            "DW_AT_SUN_f90_assumed_shape_array",
		AttrSUNCVla:                            "DW_AT_SUN_c_vla",
		AttrSUNReturnValuePtr:                  "DW_AT_SUN_return_value_ptr",
		AttrSUNDtorStart:                       "DW_AT_SUN_dtor_start",
		AttrSUNDtorLength:                      "DW_AT_SUN_dtor_length",
		AttrSUNDtorStateInitial:                "DW_AT_SUN_dtor_state_initial",
		AttrSUNDtorStateFinal:                  "DW_AT_SUN_dtor_state_final",
		AttrSUNDtorStateDeltas:                 "DW_AT_SUN_dtor_state_deltas",
		AttrSUNImportByLname:                   "DW_AT_SUN_import_by_lname",
		AttrSUNF90UseOnly:                      "DW_AT_SUN_f90_use_only",
		AttrSUNNamelistSpec:                    "DW_AT_SUN_namelist_spec",
		AttrSUNIsOmpChildFunc:                  "DW_AT_SUN_is_omp_child_func",
		AttrSUNFortranMainAlias:                "DW_AT_SUN_fortran_main_alias",
		AttrSUNFortranBased:                    "DW_AT_SUN_fortran_based",
		AttrALTIUMLoclist:                      "DW_AT_ALTIUM_loclist",
		AttrUseGNATDescriptiveType:             "DW_AT_use_GNAT_descriptive_type",
		AttrGNATDescriptiveType:                "DW_AT_GNAT_descriptive_type",
		AttrGNUNumerator:                       "DW_AT_GNU_numerator",
		AttrGNUDenominator:                     "DW_AT_GNU_denominator",
		AttrGNUBias:                            "DW_AT_GNU_bias",
		AttrGOKind:                             "DW_AT_GO_kind",
		AttrGOKey:                              "DW_AT_GO_key",
		AttrGOElem:                             "DW_AT_GO_elem",
		AttrGOEmbeddedField:                    "DW_AT_GO_embedded_field",
		AttrGORuntimeType:                      "DW_AT_GO_runtime_type",
		AttrUPCThreadsScaled:                   "DW_AT_UPC_threads_scaled",
		AttrIBMWsaAddr:                         "DW_AT_IBM_wsa_addr",
		AttrIBMHomeLocation:                    "DW_AT_IBM_home_location",
		AttrIBMAltSrcview:                      "DW_AT_IBM_alt_srcview",
		AttrPGILbase:                           "DW_AT_PGI_lbase",
		AttrPGISoffset:                         "DW_AT_PGI_soffset",
		AttrPGILstride:                         "DW_AT_PGI_lstride",
		AttrBORLANDPropertyRead:                "DW_AT_BORLAND_property_read",
		AttrBORLANDPropertyWrite:               "DW_AT_BORLAND_property_write",
		AttrBORLANDPropertyImplements:          "DW_AT_BORLAND_property_implements",
		AttrBORLANDPropertyIndex:               "DW_AT_BORLAND_property_index",
		AttrBORLANDPropertyDefault:             "DW_AT_BORLAND_property_default",
		AttrBORLANDDelphiUnit:                  "DW_AT_BORLAND_Delphi_unit",
		AttrBORLANDDelphiClass:                 "DW_AT_BORLAND_Delphi_class",
		AttrBORLANDDelphiRecord:                "DW_AT_BORLAND_Delphi_record",
		AttrBORLANDDelphiMetaclass:             "DW_AT_BORLAND_Delphi_metaclass",
		AttrBORLANDDelphiConstructor:           "DW_AT_BORLAND_Delphi_constructor",
		AttrBORLANDDelphiDestructor:            "DW_AT_BORLAND_Delphi_destructor",
		AttrBORLANDDelphiAnonymousMethod:       "DW_AT_BORLAND_Delphi_anonymous_method",
		AttrBORLANDDelphiInterface:             "DW_AT_BORLAND_Delphi_interface",
		AttrBORLANDDelphiABI:                   "DW_AT_BORLAND_Delphi_ABI",
		AttrBORLANDDelphiReturn:                "DW_AT_BORLAND_Delphi_return",
		AttrBORLANDDelphiFrameptr:              "DW_AT_BORLAND_Delphi_frameptr",
		AttrBORLANDClosure:                     "DW_AT_BORLAND_closure",
		AttrLLVMIncludePath:                    "DW_AT_LLVM_include_path",
		AttrLLVMConfigMacros:                   "DW_AT_LLVM_config_macros",
		AttrLLVMSysroot:                        "DW_AT_LLVM_sysroot",
		AttrLLVMTagOffset:                      "DW_AT_LLVM_tag_offset",
		AttrLLVMPtrauthKey:                     "DW_AT_LLVM_ptrauth_key",
		AttrLLVMPtrauthAddressDiscriminated:    "DW_AT_LLVM_ptrauth_address_discriminated",
		AttrLLVMPtrauthExtraDiscriminator:      "DW_AT_LLVM_ptrauth_extra_discriminator",
		AttrLLVMApinotes:                       "DW_AT_LLVM_apinotes",
		AttrLLVMPtrauthISAPointer:              "DW_AT_LLVM_ptrauth_isa_pointer",
		AttrLLVMPtrauthAuthenticatesNullValues: "DW_AT_LLVM_ptrauth_authenticates_null_values",
		AttrLLVMPtrauthAuthenticationMode:      "DW_AT_LLVM_ptrauth_authentication_mode",
		AttrLLVMNumExtraInhabitants:            "DW_AT_LLVM_num_extra_inhabitants",
		AttrLLVMStmtSequence:                   "DW_AT_LLVM_stmt_sequence",
		AttrLLVMCoroSuspendIdx:                 "DW_AT_LLVM_coro_suspend_idx",
		AttrLLVMAllocType:                      "DW_AT_LLVM_alloc_type",
		AttrLLVMMemorySpace:                    "DW_AT_LLVM_memory_space",
		AttrLLVMAddressSpace:                   "DW_AT_LLVM_address_space",
		AttrLLVMLanes:                          "DW_AT_LLVM_lanes",
		AttrLLVMLanePC:                         "DW_AT_LLVM_lane_pc",
		AttrLLVMVectorSize:                     "DW_AT_LLVM_vector_size",
		AttrAPPLEOptimized:                     "DW_AT_APPLE_optimized",
		AttrAPPLEFlags:                         "DW_AT_APPLE_flags",
		AttrAPPLEISA:                           "DW_AT_APPLE_isa",
		AttrAPPLEBlock:                         "DW_AT_APPLE_block",
		AttrAPPLEMajorRuntimeVers:              "DW_AT_APPLE_major_runtime_vers",
		AttrAPPLERuntimeClass:                  "DW_AT_APPLE_runtime_class",
		AttrAPPLEOmitFramePtr:                  "DW_AT_APPLE_omit_frame_ptr",
		AttrAPPLEPropertyName:                  "DW_AT_APPLE_property_name",
		AttrAPPLEPropertyGetter:                "DW_AT_APPLE_property_getter",
		AttrAPPLEPropertySetter:                "DW_AT_APPLE_property_setter",
		AttrAPPLEPropertyAttribute:             "DW_AT_APPLE_property_attribute",
		AttrAPPLEObjcCompleteType:              "DW_AT_APPLE_objc_complete_type",
		AttrAPPLEProperty:                      "DW_AT_APPLE_property",
		AttrAPPLEObjcDirect:                    "DW_AT_APPLE_objc_direct",
		AttrAPPLESDK:                           "DW_AT_APPLE_sdk",
		AttrAPPLEOrigin:                        "DW_AT_APPLE_origin",
		AttrAPPLEEnumKind:                      "DW_AT_APPLE_enum_kind",
	}
})
