package dwarf

// This file has the codes that attribute values are made of. They are untyped since a value is a
// number until its attribute says what it counts; CodeName gives the name for an attribute.

// Source languages, DWARF 5 section 7.12.
const (
	LangC89                = 0x01
	LangC                  = 0x02
	LangAda83              = 0x03
	LangCPlusPlus          = 0x04
	LangCobol74            = 0x05
	LangCobol85            = 0x06
	LangFortran77          = 0x07
	LangFortran90          = 0x08
	LangPascal83           = 0x09
	LangModula2            = 0x0a
	LangJava               = 0x0b
	LangC99                = 0x0c
	LangAda95              = 0x0d
	LangFortran95          = 0x0e
	LangPLI                = 0x0f
	LangObjC               = 0x10
	LangObjCPlusPlus       = 0x11
	LangUPC                = 0x12
	LangD                  = 0x13
	LangPython             = 0x14
	LangOpenCL             = 0x15
	LangGo                 = 0x16
	LangModula3            = 0x17
	LangHaskell            = 0x18
	LangCPlusPlus03        = 0x19
	LangCPlusPlus11        = 0x1a
	LangOCaml              = 0x1b
	LangRust               = 0x1c
	LangC11                = 0x1d
	LangSwift              = 0x1e
	LangJulia              = 0x1f
	LangDylan              = 0x20
	LangCPlusPlus14        = 0x21
	LangFortran03          = 0x22
	LangFortran08          = 0x23
	LangRenderScript       = 0x24
	LangBLISS              = 0x25
	LangKotlin             = 0x26
	LangZig                = 0x27
	LangCrystal            = 0x28
	LangCPlusPlus17        = 0x2a
	LangCPlusPlus20        = 0x2b
	LangC17                = 0x2c
	LangFortran18          = 0x2d
	LangAda2005            = 0x2e
	LangAda2012            = 0x2f
	LangHIP                = 0x30
	LangAssembly           = 0x31
	LangCSharp             = 0x32
	LangMojo               = 0x33
	LangGLSL               = 0x34
	LangGLSLES             = 0x35
	LangHLSL               = 0x36
	LangOpenCLCPP          = 0x37
	LangCPPForOpenCL       = 0x38
	LangSYCL               = 0x39
	LangMetal              = 0x3d
	LangRuby               = 0x40
	LangMove               = 0x41
	LangHylo               = 0x42
	LangMipsAssembler      = 0x8001
	LangGOOGLERenderScript = 0x8e57
	LangBORLANDDelphi      = 0xb000
)

// Source languages as DWARF 6 names them.
const (
	LNameAda          = 0x01
	LNameBLISS        = 0x02
	LNameC            = 0x03
	LNameCPlusPlus    = 0x04
	LNameCobol        = 0x05
	LNameCrystal      = 0x06
	LNameD            = 0x07
	LNameDylan        = 0x08
	LNameFortran      = 0x09
	LNameGo           = 0x0a
	LNameHaskell      = 0x0b
	LNameJava         = 0x0c
	LNameJulia        = 0x0d
	LNameKotlin       = 0x0e
	LNameModula2      = 0x0f
	LNameModula3      = 0x10
	LNameObjC         = 0x11
	LNameObjCPlusPlus = 0x12
	LNameOCaml        = 0x13
	LNameOpenCLC      = 0x14
	LNamePascal       = 0x15
	LNamePLI          = 0x16
	LNamePython       = 0x17
	LNameRenderScript = 0x18
	LNameRust         = 0x19
	LNameSwift        = 0x1a
	LNameUPC          = 0x1b
	LNameZig          = 0x1c
	LNameAssembly     = 0x1d
	LNameCSharp       = 0x1e
	LNameMojo         = 0x1f
	LNameGLSL         = 0x20
	LNameGLSLES       = 0x21
	LNameHLSL         = 0x22
	LNameOpenCLCPP    = 0x23
	LNameCPPForOpenCL = 0x24
	LNameSYCL         = 0x25
	LNameRuby         = 0x26
	LNameMove         = 0x27
	LNameHylo         = 0x28
	LNameMetal        = 0x2c
)

// Base type encodings, DWARF 5 section 7.8.
const (
	ATEAddress             = 0x01
	ATEBoolean             = 0x02
	ATEComplexFloat        = 0x03
	ATEFloat               = 0x04
	ATESigned              = 0x05
	ATESignedChar          = 0x06
	ATEUnsigned            = 0x07
	ATEUnsignedChar        = 0x08
	ATEImaginaryFloat      = 0x09
	ATEPackedDecimal       = 0x0a
	ATENumericString       = 0x0b
	ATEEdited              = 0x0c
	ATESignedFixed         = 0x0d
	ATEUnsignedFixed       = 0x0e
	ATEDecimalFloat        = 0x0f
	ATEUTF                 = 0x10
	ATEUCS                 = 0x11
	ATEASCII               = 0x12
	ATEHPComplexFloat      = 0x81
	ATEHPFloat128          = 0x82
	ATEHPComplexFloat128   = 0x83
	ATEHPFloathpintel      = 0x84
	ATEHPImaginaryFloat90  = 0x85
	ATEHPImaginaryFloat128 = 0x86
)

// Calling conventions, DWARF 5 section 7.15.
const (
	CCNormal                 = 0x01
	CCProgram                = 0x02
	CCNocall                 = 0x03
	CCPassByReference        = 0x04
	CCPassByValue            = 0x05
	CCGNURenesasSh           = 0x40
	CCGNUBorlandFastcallI386 = 0x41
	CCBORLANDSafecall        = 0xb0
	CCBORLANDStdcall         = 0xb1
	CCBORLANDPascal          = 0xb2
	CCBORLANDMsfastcall      = 0xb3
	CCBORLANDMsreturn        = 0xb4
	CCBORLANDThiscall        = 0xb5
	CCBORLANDFastcall        = 0xb6
	CCLLVMVectorcall         = 0xc0
	CCLLVMWin64              = 0xc1
	CCLLVMX8664SysV          = 0xc2
	CCLLVMAAPCS              = 0xc3
	CCLLVMAAPCSVFP           = 0xc4
	CCLLVMIntelOclBicc       = 0xc5
	CCLLVMSpirFunction       = 0xc6
	CCLLVMDeviceKernel       = 0xc7
	CCLLVMSwift              = 0xc8
	CCLLVMPreserveMost       = 0xc9
	CCLLVMPreserveAll        = 0xca
	CCLLVMX86RegCall         = 0xcb
	CCLLVMM68kRTD            = 0xcc
	CCLLVMPreserveNone       = 0xcd
	CCLLVMRISCVVectorCall    = 0xce
	CCLLVMSwiftTail          = 0xcf
	CCLLVMRISCVVLSCall       = 0xd0
	CCGDBIBMOpenCL           = 0xff
)

// Inline codes, DWARF 5 section 7.16.
const (
	InlNotInlined         = 0x00
	InlInlined            = 0x01
	InlDeclaredNotInlined = 0x02
	InlDeclaredInlined    = 0x03
)

// Accessibility codes, DWARF 5 section 7.9.
const (
	AccessPublic    = 0x01
	AccessProtected = 0x02
	AccessPrivate   = 0x03
)

// Visibility codes, DWARF 5 section 7.10.
const (
	VisLocal     = 0x01
	VisExported  = 0x02
	VisQualified = 0x03
)

// Virtuality codes, DWARF 5 section 7.11.
const (
	VirtualityNone        = 0x00
	VirtualityVirtual     = 0x01
	VirtualityPureVirtual = 0x02
)

// Identifier case codes, DWARF 5 section 7.14.
const (
	IDCaseSensitive   = 0x00
	IDUpCase          = 0x01
	IDDownCase        = 0x02
	IDCaseInsensitive = 0x03
)

// Array orderings, DWARF 5 section 7.17.
const (
	OrdRowMajor = 0x00
	OrdColMajor = 0x01
)

// Decimal signs, DWARF 5 section 7.8.
const (
	DSUnsigned          = 0x01
	DSLeadingOverpunch  = 0x02
	DSTrailingOverpunch = 0x03
	DSLeadingSeparate   = 0x04
	DSTrailingSeparate  = 0x05
)

// Byte orders, DWARF 5 section 7.8.
const (
	EndDefault = 0x00
	EndBig     = 0x01
	EndLittle  = 0x02
	EndLoUser  = 0x40
	EndHiUser  = 0xff
)

// Defaulted member function codes, DWARF 5 section 7.24.
const (
	DefaultedNo         = 0x00
	DefaultedInClass    = 0x01
	DefaultedOutOfClass = 0x02
)

// Enumeration kinds of Apple's extension.
const (
	AppleEnumKindClosed = 0x00
	AppleEnumKindOpen   = 0x01
)
