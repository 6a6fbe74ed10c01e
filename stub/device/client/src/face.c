// A library that has nothing but a name: what it needs has the functions.
typedef int nothing;
