// The only header through which Swift uses libcmark (https://github.com/commonmark/cmark, 0.30 and later).
#include <cmark.h>
// For strlen and memchr.
#include <string.h>
