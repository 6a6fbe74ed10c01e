package stub

import _ "simtgdb/stub/arch/amdgpu" // the family of the test kernels
