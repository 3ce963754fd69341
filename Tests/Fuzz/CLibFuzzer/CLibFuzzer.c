// Only the header matters: the function itself is in the compiler's fuzzer runtime.
#include "CLibFuzzer.h"
