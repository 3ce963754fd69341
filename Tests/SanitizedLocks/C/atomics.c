#include "CSanitizedAtomics.h"

long sanitized_add(long *value, long amount) { return __atomic_fetch_add(value, amount, __ATOMIC_RELAXED); }

long sanitized_load(const long *value) { return __atomic_load_n(value, __ATOMIC_RELAXED); }

void sanitized_store(long *value, long other) { __atomic_store_n(value, other, __ATOMIC_RELAXED); }
