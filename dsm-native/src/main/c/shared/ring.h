/*
 * Two rings of bytes between two agents of one host, in memory that both map. Each end
 * writes one and reads the other; positions count bytes for ever, and wrap around.
 *
 *    file:     header | ring 0 | ring 1
 *    address:  header | ring 0 | ring 0 again | ring 1 | ring 1 again
 *
 * Each ring is mapped twice in a row, so any range that starts within the ring is
 * contiguous. End 0 created the memory and writes ring 0. Each end has an eventfd that
 * notifies it. Java reads and writes the rings (RingEnd); the table in
 * docs/decisions/0050-agents-of-one-host-talk-through-rings.md defines which end changes
 * which word when.
 */
#ifndef DSM_RING_H
#define DSM_RING_H

#include <stddef.h>
#include <stdint.h>

#define DSM_RING_BYTES (UINT32_C(1) << 20) /* a power of two, and whole pages on every machine */

/* The words of one ring. */
struct dsm_ring {
	_Alignas(64) uint32_t tail; /* position of the next byte to write */
	uint32_t reader_waits; /* 1: the reader has read all and must be notified of more */
	_Alignas(64) uint32_t head; /* position of the first unread byte */
	uint32_t writer_waits; /* 1: the writer has too little room and must be notified of more */
};

struct dsm_ring_header {
	struct dsm_ring rings[2];
};

_Static_assert(offsetof(struct dsm_ring, head) == 64, "dsm_ring.head");
_Static_assert(sizeof(struct dsm_ring) == 128, "dsm_ring");

#endif
