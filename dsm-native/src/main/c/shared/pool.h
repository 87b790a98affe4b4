/*
 * A pool: memory that all nodes of a run address, in one file:
 *
 *    header | words of the coherent map | homes | memory of the regions of each node
 *
 * Page i of the pool is machine page i of the regions. A page of several machine pages is in
 * the map as its first one. The frame of a page is the memory of its home, which uses it in
 * place; the other nodes copy it to their own. There is one byte per machine page with its
 * home.
 *
 * Words are coherent: every node sees them change in one order. Frames need not be: the node
 * that writes stores back to a frame flushes it before it publishes them, and a node
 * invalidates a frame before it copies it, behind its entry. On one machine both are no
 * operations.
 */
#ifndef DSM_POOL_H
#define DSM_POOL_H

#include "coherent_map.h"
#include "dsm_fault.h"

#define DSM_POOL_MAGIC UINT64_C(0x4c4f4f504e494e4d) /* "MNINPOOL" */
#define DSM_POOL_VERSION 2

struct dsm_pool_header {
	uint64_t magic;
	uint64_t run;
	uint64_t pages;
	uint32_t version;
	uint32_t page_bytes;
	uint32_t nodes;
	int32_t lists_at_transition;
	int32_t notices_max;
	int32_t announces; /* the first store to an entered page publishes it at its fault */
};

/* One process's view. */
struct dsm_pool {
	struct dsm_map map;
	uint8_t *words; /* the header and the words of the map */
	uint8_t *homes; /* one byte per page, followed by the memory of the nodes */
	uint8_t *memory;
	uint64_t words_bytes;
	uint64_t homes_bytes;
	uint64_t node_bytes; /* memory of the regions of one node */
	uint64_t page_bytes;
	int32_t announces;
	int fd;
};

/*
 * Maps a pool from its file for a process with this many pages of regions; homes and memory
 * only for reading, unless `writes`. `run` 0: of any run. The pool owns the descriptor, on success
 * only. Returns 0; -EINVAL with the reason in `verdict`; or another -errno.
 */
int dsm_pool_map(int fd, uint64_t run, uint64_t pages, int32_t node, int writes,
		 struct dsm_verdict *verdict, struct dsm_pool **pool);

/* The frame of the page at this offset of the regions. */
static inline uint8_t *dsm_pool_frame(const struct dsm_pool *pool, uint64_t offset)
{
	uint64_t home = pool->homes[offset / pool->page_bytes];

	return pool->memory + home * pool->node_bytes + offset;
}

/* Place in the file of the memory of a node. */
static inline uint64_t dsm_pool_memory_at(const struct dsm_pool *pool, int32_t node)
{
	return pool->words_bytes + pool->homes_bytes + (uint64_t)node * pool->node_bytes;
}

/*
 * Enters a node as a mapper of the page at this offset of the regions, which has another home.
 * The copy of the frame follows. Returns as dsm_map_enter().
 */
static inline int dsm_pool_enter_page(const struct dsm_pool *pool, int32_t node, uint64_t offset)
{
	uint64_t page = offset / pool->page_bytes;
	int is_unsafe = dsm_map_enter(&pool->map, (uint32_t)node, page);

	dsm_map_tell_home(&pool->map, pool->homes[page], page);
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* the loads of the copy are behind it */
	return is_unsafe;
}

/* Behind a write-back to a frame, before the stores are published. */
static inline void dsm_frame_flush(const void *frame, uint64_t bytes)
{
	(void)frame;
	(void)bytes;
}

/* Behind the entry, before a copy of a frame. */
static inline void dsm_frame_invalidate(const void *frame, uint64_t bytes)
{
	(void)frame;
	(void)bytes;
}

#endif
