// Memory for libcmark from a few large blocks, which are all freed at once.
//
// libcmark allocates memory for every node and every text, which takes as long as parsing the Markdown of a page. Its
// allocator interface has no context argument, so each thread has its own current arena.
#ifndef THREADSITE_CCMARKARENA_H
#define THREADSITE_CCMARKARENA_H

#include <cmark.h>

typedef struct ccmark_arena ccmark_arena;

/// Begins an arena, which this thread's documents use until it is ended. Returns null if there is no memory.
ccmark_arena *ccmark_arena_begin(void);

/// Frees all memory of the arena. Must be called on the thread that began it, for the last begun arena first.
void ccmark_arena_end(ccmark_arena *arena);

/// Returns an allocator that uses the calling thread's arena and never frees memory itself. An arena must have begun.
/// Like libcmark's own, it ends the program if there is no memory.
cmark_mem *ccmark_arena_allocator(void);

#endif
