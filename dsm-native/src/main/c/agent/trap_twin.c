/*
 * Twins made by traps: the twin of offset X is at X of a file that both processes map. The
 * file keeps a twin's memory after the twin is freed, so that a later trap pays for the
 * copy only; beyond KEPT_BYTES_MAX the oldest memory is returned to the system. A trap
 * makes a twin only of a page that it can claim, so the agent claims a page before it
 * returns its memory.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "state.h"

#define KEPT_BYTES_MAX (UINT64_C(64) << 20)
#define TRIM_BYTES (UINT64_C(256) << 10) /* at a time, to keep the agent's steps short */
#define MARK_USED 1
#define MARK_KEPT 2 /* it is in the ring */
#define MARK_ORDER_SHIFT 2

int dsm_trap_twins_open(struct dsm_engine *engine)
{
	struct dsm_trap_twins *twins = &engine->trap_twins;
	void *marks;
	void *ring;
	int ret;

	twins->pages = engine->region_bytes / engine->page_bytes;
	ret = dsm_engine_map_zeroes(twins->pages, &marks);
	if (ret < 0)
		return ret;
	ret = dsm_engine_map_zeroes(twins->pages * sizeof(*twins->ring), &ring);
	if (ret < 0) {
		munmap(marks, twins->pages);
		return ret;
	}
	twins->marks = marks;
	twins->ring = ring;
	return 0;
}

void dsm_trap_twins_close(struct dsm_engine *engine)
{
	struct dsm_trap_twins *twins = &engine->trap_twins;

	munmap(twins->ring, twins->pages * sizeof(*twins->ring));
	munmap(twins->marks, twins->pages);
}

/*
 * Adopts a twin made by a trap; it is valid until dsm_engine_twin_free(). Returns its
 * address, or -EINVAL if the page is not dirty or its twin is already adopted.
 */
int64_t dsm_engine_twin_adopt(struct dsm_engine *engine, uint64_t offset, uint32_t bytes)
{
	uint8_t *mark;
	int32_t state;

	if (!dsm_is_trap_page(engine, offset, bytes))
		return -EINVAL;
	mark = &engine->trap_twins.marks[offset / engine->page_bytes];
	state = dsm_engine_trap_state(engine, offset);
	if ((state != DSM_TRAP_LIFTING && state != DSM_TRAP_DIRTY) || (*mark & MARK_USED) != 0)
		return -EINVAL;
	*mark |= MARK_USED;
	engine->trap_twins.used_bytes += bytes;
	return (int64_t)(uintptr_t)(engine->twins_of_traps + offset);
}

/*
 * Adopts the twin of a page that a trap is making writable, refreshed from the page's
 * current content: the trap's store and all later ones differ from it. Each word is read
 * once. Returns as dsm_engine_twin_adopt().
 */
int64_t dsm_engine_twin_remake(struct dsm_engine *engine, uint64_t offset, uint32_t bytes)
{
	int64_t twin = dsm_engine_twin_adopt(engine, offset, bytes);
	const volatile uint64_t *from = (const volatile uint64_t *)(engine->alias + offset);
	volatile uint64_t *to = (volatile uint64_t *)(uintptr_t)twin;

	if (twin < 0)
		return twin;
	for (uint32_t i = 0; i < bytes / sizeof(*to); i++)
		to[i] = from[i];
	return twin;
}

static int punch_twin(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	if (fallocate(engine->twins_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
		      (off_t)bytes) < 0)
		return errno == EINTR ? 0 : -errno; /* then it is kept longer */
	return 0;
}

/*
 * Claims the page for the duration, if a trap may claim it; a page claimed by a trap needs
 * its twin.
 */
static int give_back(struct dsm_engine *engine, uint32_t index, uint64_t bytes)
{
	uint32_t *word = &engine->traps->pages[index].word;
	uint32_t seen = dsm_trap_load(word);
	int ret;

	while ((seen & DSM_TRAP_STATE) == DSM_TRAP_READ ||
	       (seen & DSM_TRAP_STATE) == DSM_TRAP_ABSENT) {
		if (!dsm_trap_change(word, &seen, dsm_trap_with_state(seen, DSM_TRAP_AGENT)))
			continue;
		ret = punch_twin(engine, index * engine->page_bytes, bytes);
		__atomic_store_n(word, seen, __ATOMIC_SEQ_CST);
		return ret;
	}
	if ((seen & DSM_TRAP_STATE) != DSM_TRAP_AGENT)
		return 0;
	return punch_twin(engine, index * engine->page_bytes, bytes);
}

static int trim(struct dsm_engine *engine)
{
	struct dsm_trap_twins *twins = &engine->trap_twins;

	while (twins->kept_bytes > KEPT_BYTES_MAX - TRIM_BYTES) {
		uint32_t index = twins->ring[twins->head++ % twins->pages];
		uint8_t mark = twins->marks[index];
		uint64_t bytes = engine->page_bytes << (mark >> MARK_ORDER_SHIFT);
		int ret;

		twins->kept_bytes -= bytes;
		twins->marks[index] = mark & MARK_USED;
		if ((mark & MARK_USED) != 0)
			continue;
		ret = give_back(engine, index, bytes);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* Frees an adopted twin. */
int dsm_trap_twin_give(struct dsm_engine *engine, uint64_t offset, uint32_t bytes)
{
	struct dsm_trap_twins *twins = &engine->trap_twins;
	uint32_t index = (uint32_t)(offset / engine->page_bytes);
	uint8_t *mark;

	if (!dsm_is_trap_page(engine, offset, bytes))
		return -EINVAL;
	mark = &twins->marks[index];
	if ((*mark & MARK_USED) == 0)
		return -EINVAL;
	*mark &= (uint8_t)~MARK_USED;
	twins->used_bytes -= bytes;
	if ((*mark & MARK_KEPT) == 0) {
		unsigned int order = (unsigned int)__builtin_ctzll(bytes / engine->page_bytes);

		*mark = (uint8_t)(MARK_KEPT | order << MARK_ORDER_SHIFT);
		twins->ring[twins->tail++ % twins->pages] = index;
		twins->kept_bytes += bytes;
	}
	return twins->kept_bytes > KEPT_BYTES_MAX ? trim(engine) : 0;
}
