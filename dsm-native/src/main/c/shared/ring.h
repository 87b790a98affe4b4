/*
 * Two rings of bytes between two agents of one host, in memory that both map. Each end
 * writes one and reads the other; positions count bytes for ever, and wrap around.
 *
 *    file:     header | ring 0 | ring 1
 *    address:  header | ring 0 | ring 0 again | ring 1 | ring 1 again
 *
 * What begins anywhere in a ring goes on behind its end, so no byte is ever apart from the
 * next. End 0 made the memory; it writes ring 0. Each end has an eventfd that tells it.
 * Java reads and writes (RingEnd); the table of
 * docs/decisions/0050-agents-of-one-host-talk-through-rings.md says who changes what when.
 */
#ifndef DSM_RING_H
#define DSM_RING_H

#include <stddef.h>
#include <stdint.h>

#define DSM_RING_BYTES (UINT32_C(1) << 20) /* a power of two, of whole pages anywhere */

/* The words of one ring. */
struct dsm_ring {
	_Alignas(64) uint32_t tail; /* where the next byte goes */
	uint32_t reader_waits; /* 1: it has read all, and has to be told of more */
	_Alignas(64) uint32_t head; /* the first byte that is unread */
	uint32_t writer_waits; /* 1: it has more than there is room for, likewise */
};

struct dsm_ring_header {
	struct dsm_ring rings[2];
};

_Static_assert(offsetof(struct dsm_ring, head) == 64, "dsm_ring.head");
_Static_assert(sizeof(struct dsm_ring) == 128, "dsm_ring");

#endif
