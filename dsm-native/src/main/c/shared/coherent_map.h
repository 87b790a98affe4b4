/*
 * The coherent map of pages whose frames all nodes address: which nodes map a page, which
 * have published stores to it, and the weak list of each node. Mirrors the operations of
 * io.muninn.pool.CoherentMap that a trap needs; the layout is that of PoolLayout and
 * PageHistory. No operation waits for another.
 *
 * Source: Kontothanassis and Scott, "Software Cache Coherence for Large Scale
 * Multiprocessors", section 2; departures are listed at the Java class.
 */
#ifndef DSM_COHERENT_MAP_H
#define DSM_COHERENT_MAP_H

#include <stdint.h>

#define DSM_MAP_NODES_MAX 64

/* The words, and the rules by which all nodes change them. */
struct dsm_map {
	uint64_t *words;
	uint64_t pages;
	uint64_t summaries; /* words of a summary of a weak list */
	uint64_t leaves;    /* words of a weak list without its summary */
	uint64_t all_nodes; /* a bit each */
	uint32_t nodes;
	int32_t lists_at_transition;
	int32_t notices_max;
};

/* Number of words of a map. */
uint64_t dsm_map_words(uint64_t pages, uint32_t nodes);

/* Sets all but the rules. */
void dsm_map_shape(struct dsm_map *map, uint64_t *words, uint64_t pages, uint32_t nodes);

/*
 * Enters a node as a mapper of a page, before it copies the frame. Returns 1 if the node
 * must check the page at each acquire until it leaves it, otherwise 0.
 */
int dsm_map_enter(const struct dsm_map *map, uint32_t node, uint64_t page);

/* Tells the home of a page that another node has entered it, before the copy. */
void dsm_map_tell_home(const struct dsm_map *map, uint32_t home, uint64_t page);

/*
 * Announces stores of a mapper. Returns 1 if the page has become unsafe, so that the node
 * must check it from now on, otherwise 0.
 */
int dsm_map_publish(const struct dsm_map *map, uint32_t node, uint64_t page);

/* Returns 1 if the node has published the page since it entered it, otherwise 0. */
int dsm_map_is_writer(const struct dsm_map *map, uint32_t node, uint64_t page);

#endif
