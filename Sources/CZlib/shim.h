// The only header through which Swift uses zlib (https://zlib.net/, 1.2 and later).
#include <zlib.h>

// Wraps a macro, which Swift does not import. The stream is raw deflate, as in zip files (a negative number of window bits).
static inline int czlib_deflate_raw_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
