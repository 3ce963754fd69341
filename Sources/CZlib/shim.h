// The one header through which Swift sees zlib (https://zlib.net/, 1.2 and later).
#include <zlib.h>

// A macro, which Swift does not import: a stream of deflate alone, as zip files hold it (a negative number of window bits).
static inline int czlib_deflate_raw_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
