package cxxname

// builtin are the types that have a letter.
var builtin = map[byte]string{
	'v': "void", 'w': "wchar_t", 'b': "bool", 'c': "char", 'a': "signed char", 'h': "unsigned char",
	's': "short", 't': "unsigned short", 'i': "int", 'j': "unsigned int", 'l': "long", 'm': "unsigned long",
	'x': "long long", 'y': "unsigned long long", 'n': "__int128", 'o': "unsigned __int128", 'f': "float",
	'd': "double", 'e': "long double", 'g': "__float128", 'z': "...",
}

// extendedNames are those that have D and more.
var extendedNames = map[string]string{
	"Dd": "decimal64", "De": "decimal128", "Df": "decimal32", "Dh": "half", "Di": "char32_t",
	"Ds": "char16_t", "Du": "char8_t", "Da": "auto", "Dc": "decltype(auto)", "Dn": "decltype(nullptr)",
	"DF16_": "_Float16", "DF16b": "std::bfloat16_t",
}

// suffixes are those of literals by the letters of their types.
var suffixes = map[byte]string{'i': "", 'j': "u", 'l': "l", 'm': "ul", 'x': "ll", 'y': "ull"}

// abbreviations are what S and a letter stand for.
var abbreviations = map[byte]string{'a': "std::allocator", 'b': "std::basic_string",
	's': "std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
	'i': "std::basic_istream<char, std::char_traits<char> >",
	'o': "std::basic_ostream<char, std::char_traits<char> >",
	'd': "std::basic_iostream<char, std::char_traits<char> >"}

// operators are the names of operators by their codes.
var operators = map[string]string{
	"nw": " new", "na": " new[]", "dl": " delete", "da": " delete[]", "ps": "+", "ng": "-", "ad": "&",
	"de": "*", "co": "~", "pl": "+", "mi": "-", "ml": "*", "dv": "/", "rm": "%", "an": "&", "or": "|",
	"eo": "^", "aS": "=", "pL": "+=", "mI": "-=", "mL": "*=", "dV": "/=", "rM": "%=", "aN": "&=", "oR": "|=",
	"eO": "^=", "ls": "<<", "rs": ">>", "lS": "<<=", "rS": ">>=", "eq": "==", "ne": "!=", "lt": "<",
	"gt": ">", "le": "<=", "ge": ">=", "ss": "<=>", "nt": "!", "aa": "&&", "oo": "||", "pp": "++", "mm": "--",
	"cm": ",", "pm": "->*", "pt": "->", "cl": "()", "ix": "[]", "qu": "?",
}
