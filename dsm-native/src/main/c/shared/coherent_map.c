/*
 * The operations of the coherent map, in the order of io.muninn.pool.CoherentMap: a change
 * of either class is a change of both.
 */
#define _GNU_SOURCE
#include "coherent_map.h"

#define WORDS_OF_PAGE 4
#define MAPPERS 0
#define WRITERS 1
#define STALE 2
#define HISTORY 3

#define WORD_BITS 64

/* The history of a page: two flags, and a count from bit 2 on. */
#define UNSAFE UINT64_C(1)
#define SETTLED UINT64_C(2)
#define COUNT_SHIFT 2

static uint64_t words_for(uint64_t bits)
{
	return (bits + WORD_BITS - 1) / WORD_BITS;
}

uint64_t dsm_map_words(uint64_t pages, uint32_t nodes)
{
	uint64_t leaves = words_for(pages);

	return WORDS_OF_PAGE * pages + UINT64_C(2) * nodes * (words_for(leaves) + leaves);
}

void dsm_map_shape(struct dsm_map *map, uint64_t *words, uint64_t pages, uint32_t nodes)
{
	map->words = words;
	map->pages = pages;
	map->nodes = nodes;
	map->all_nodes = ~UINT64_C(0) >> (DSM_MAP_NODES_MAX - nodes);
	map->leaves = words_for(pages);
	map->summaries = words_for(map->leaves);
}

static uint64_t bit(uint64_t index)
{
	return UINT64_C(1) << index % WORD_BITS;
}

static uint64_t *word_of(const struct dsm_map *map, uint64_t page, int which)
{
	return &map->words[WORDS_OF_PAGE * page + (uint64_t)which];
}

static uint64_t load(const struct dsm_map *map, uint64_t page, int which)
{
	return __atomic_load_n(word_of(map, page, which), __ATOMIC_SEQ_CST);
}

/* Nodes of the run: a bit of another one is found by the agents, and posts nothing here. */
static uint64_t load_nodes(const struct dsm_map *map, uint64_t page, int which)
{
	return load(map, page, which) & map->all_nodes;
}

static void set_bits(const struct dsm_map *map, uint64_t page, int which, uint64_t bits)
{
	(void)__atomic_fetch_or(word_of(map, page, which), bits, __ATOMIC_SEQ_CST);
}

/* Sets a bit, which most often is set. */
static void set_once(uint64_t *word, uint64_t bits)
{
	if ((__atomic_load_n(word, __ATOMIC_SEQ_CST) & bits) == 0)
		(void)__atomic_fetch_or(word, bits, __ATOMIC_SEQ_CST);
}

/* Puts a page on a list: in the leaf first, which the summary announces. */
static void put(const struct dsm_map *map, uint64_t list, uint64_t page)
{
	uint64_t leaf = page / WORD_BITS;
	uint64_t *words =
		&map->words[WORDS_OF_PAGE * map->pages + list * (map->summaries + map->leaves)];

	set_once(&words[map->summaries + leaf], bit(page));
	set_once(&words[leaf / WORD_BITS], bit(leaf));
}

/* Puts a page on the weak lists of nodes. */
static void post(const struct dsm_map *map, uint64_t nodes, uint64_t page)
{
	for (; nodes != 0; nodes &= nodes - 1)
		put(map, (uint64_t)__builtin_ctzll(nodes), page);
}

void dsm_map_tell_home(const struct dsm_map *map, uint32_t home, uint64_t page)
{
	put(map, map->nodes + home, page);
}

int dsm_map_enter(const struct dsm_map *map, uint32_t node, uint64_t page)
{
	uint64_t self = bit(node);
	uint64_t writers;
	int is_unsafe;

	set_bits(map, page, MAPPERS, self);
	(void)__atomic_fetch_and(word_of(map, page, STALE), ~self, __ATOMIC_SEQ_CST);
	is_unsafe = (load(map, page, HISTORY) & UNSAFE) != 0;
	if (map->lists_at_transition == 0)
		return is_unsafe;
	writers = load_nodes(map, page, WRITERS) & ~self;
	if (writers != 0 && is_unsafe)
		set_bits(map, page, STALE, writers | self);
	else if (writers != 0)
		post(map, writers | self, page);
	return is_unsafe;
}

static int32_t count_in(uint64_t history)
{
	return (int32_t)(history >> COUNT_SHIFT);
}

/*
 * Counts a publication with notices, if the page is safe; the one behind the last makes it
 * unsafe. Returns the history before.
 */
static uint64_t count(const struct dsm_map *map, uint64_t page)
{
	uint64_t before = load(map, page, HISTORY);

	for (;;) {
		uint64_t after = count_in(before) == map->notices_max ?
					 UNSAFE :
					 before + (UINT64_C(1) << COUNT_SHIFT);

		if ((before & UNSAFE) != 0 ||
		    __atomic_compare_exchange_n(word_of(map, page, HISTORY), &before, after, 0,
						__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			return before;
	}
}

int dsm_map_publish(const struct dsm_map *map, uint32_t node, uint64_t page)
{
	uint64_t self = bit(node);
	uint64_t others;
	uint64_t before;
	uint64_t older;
	int is_marked;

	set_bits(map, page, WRITERS, self);
	others = load_nodes(map, page, MAPPERS) & ~self;
	if (others == 0)
		return 0;
	before = count(map, page);
	is_marked = (before & UNSAFE) == 0 && count_in(before) == map->notices_max;
	if (is_marked)
		others = load_nodes(map, page, MAPPERS) & ~self;
	older = map->lists_at_transition != 0 ? others | self : others;
	if ((before & SETTLED) != 0)
		set_bits(map, page, STALE, older);
	else
		post(map, older, page);
	if (is_marked)
		set_bits(map, page, HISTORY, SETTLED);
	return is_marked;
}

int dsm_map_is_writer(const struct dsm_map *map, uint32_t node, uint64_t page)
{
	return (load(map, page, WRITERS) & bit(node)) != 0;
}
