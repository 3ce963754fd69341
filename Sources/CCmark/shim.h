// The one header through which Swift sees libcmark (https://github.com/commonmark/cmark, 0.30 and later).
#include <cmark.h>
// strlen and memchr.
#include <string.h>
