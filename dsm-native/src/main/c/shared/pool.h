/*
 * A pool: memory that all nodes of a run address, in one file:
 *
 *    header | words of the coherent map | frames
 *
 * Page i of the pool is machine page i of the regions, and the frame of offset X is at X. A
 * page of several machine pages is in the map as its first one.
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
#define DSM_POOL_VERSION 1

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
	uint8_t *frames;
	uint64_t words_bytes;
	uint64_t frames_bytes;
	int32_t announces;
	int fd;
};

/*
 * Maps a pool from its file for a process with this many pages of regions; frames only for
 * reading, unless `writes`. `run` 0: of any run. The pool owns the descriptor, on success
 * only. Returns 0; -EINVAL with the reason in `verdict`; or another -errno.
 */
int dsm_pool_map(int fd, uint64_t run, uint64_t pages, int32_t node, int writes,
		 struct dsm_verdict *verdict, struct dsm_pool **pool);

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
