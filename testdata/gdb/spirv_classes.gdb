# C++ for OpenCL: names in classes and namespaces, methods, enumerations, templates.
source testdata/gdb/settings
directory testdata/spirv/src
target remote | bin/simtgdb serve --stdio --launch testdata/spirv/launch/cl_classes.json
break shapes::Derived::twice
continue
thread 4
next
print *this
print extra + size
print kind
print k
finish
delete
break 32
continue
thread 4
ptype d
print d
print shapes::Derived::kind
print shapes::Base::limit
print shapes::Base::fancy
print q
print m
print v
print v.w
kill
