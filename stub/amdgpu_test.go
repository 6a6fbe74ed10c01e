package stub

import _ "simtgdb/stub/arch/all" // the families of the test kernels
