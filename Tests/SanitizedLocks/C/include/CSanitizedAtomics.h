#pragma once

/// Atomic operations that the thread sanitizer sees, with relaxed ordering.
long sanitized_add(long *value, long amount);
long sanitized_load(const long *value);
void sanitized_store(long *value, long other);
