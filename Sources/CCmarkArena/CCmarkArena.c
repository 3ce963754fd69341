#include "CCmarkArena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { first_block = 64 * 1024, alignment = 16 };

struct block {
  struct block *next;
  size_t size;
  size_t used;
  // The bytes follow.
};

struct ccmark_arena {
  ccmark_arena *outer;
  struct block *blocks;
};

static _Thread_local ccmark_arena *current;

static size_t aligned(size_t size) {
  return (size + (alignment - 1)) & ~(size_t)(alignment - 1);
}

static char *start_of(struct block *block) {
  return (char *)block + aligned(sizeof(struct block));
}

static struct block *add_block(ccmark_arena *arena, size_t size) {
  struct block *block = malloc(aligned(sizeof(struct block)) + size);
  if (!block) return NULL;
  block->next = arena->blocks;
  block->size = size;
  block->used = 0;
  arena->blocks = block;
  return block;
}

ccmark_arena *ccmark_arena_begin(void) {
  ccmark_arena *arena = malloc(sizeof(ccmark_arena));
  if (!arena) return NULL;
  arena->outer = current;
  arena->blocks = NULL;
  if (!add_block(arena, first_block)) {
    free(arena);
    return NULL;
  }
  current = arena;
  return arena;
}

void ccmark_arena_end(ccmark_arena *arena) {
  struct block *block = arena->blocks;
  while (block) {
    struct block *next = block->next;
    free(block);
    block = next;
  }
  current = arena->outer;
  free(arena);
}

/// Returns memory for `size` bytes, preceded by the size, which `reallocate` needs.
static void *take(size_t size) {
  if (!current || size > SIZE_MAX / 4) abort();
  size_t needed = alignment + aligned(size);
  struct block *block = current->blocks;
  if (block->size - block->used < needed) {
    size_t larger = block->size * 2;
    block = add_block(current, needed > larger ? needed : larger);
    if (!block) abort();
  }
  char *place = start_of(block) + block->used;
  block->used += needed;
  *(size_t *)(void *)place = size;
  return place + alignment;
}

static void *allocate(size_t count, size_t size) {
  if (size && count > SIZE_MAX / 4 / size) abort();
  void *place = take(count * size);
  return memset(place, 0, count * size);
}

static void *reallocate(void *old, size_t size) {
  if (!old) return take(size);
  size_t old_size = *(size_t *)(void *)((char *)old - alignment);
  if (size <= old_size) return old;
  void *place = take(size);
  return memcpy(place, old, old_size);
}

static void release(void *place) { (void)place; }

cmark_mem *ccmark_arena_allocator(void) {
  static cmark_mem allocator = {allocate, reallocate, release};
  return &allocator;
}
