// Memory for libcmark from a few large blocks, all given back at once.
//
// libcmark asks for memory for every node and every text, and for a page's worth of Markdown that costs as much as
// understanding it. Its allocator interface takes no context, so the arena in use is the calling thread's own.
#ifndef THREADSITE_CCMARKARENA_H
#define THREADSITE_CCMARKARENA_H

#include <cmark.h>

typedef struct ccmark_arena ccmark_arena;

/// Makes an arena the one that this thread's documents use, until it is ended. Null where there is no memory.
ccmark_arena *ccmark_arena_begin(void);

/// Gives all memory of the arena back. The thread that began it ends it, the one begun last first.
void ccmark_arena_end(ccmark_arena *arena);

/// An allocator that takes from the calling thread's arena and frees nothing by itself. An arena must have begun.
/// Like libcmark's own, it ends the program where there is no memory.
cmark_mem *ccmark_arena_allocator(void);

#endif
