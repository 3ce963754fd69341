// The only header through which Swift uses wslay (https://tatsuhiro-t.github.io/wslay/, 1.1 and later).
#include <wslay/wslay.h>
