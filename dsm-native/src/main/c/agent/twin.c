/*
 * Twins: copies of pages, in slabs of anonymous memory. A slab is aligned to its size, so a
 * twin's address leads to its slab; slot 0 holds the slab's header. Freed slots are reused;
 * a slab without twins is returned to the system unless it is the last of its class with
 * room.
 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "state.h"

#define SLAB_BYTES (UINT64_C(4) << 20)
#define SLAB_MAGIC UINT32_C(0x4e495754) /* "TWIN" */
#define TWIN_BYTES_MIN 4096
#define BITMAP_WORDS (SLAB_BYTES / TWIN_BYTES_MIN / 64)

struct dsm_slab {
	struct dsm_slab *next;
	struct dsm_slab *before;
	uint32_t magic;
	uint32_t slot_bytes;
	uint32_t slots;
	uint32_t used; /* slot 0 included */
	uint64_t taken[BITMAP_WORDS];
};

_Static_assert(sizeof(struct dsm_slab) <= TWIN_BYTES_MIN, "the header fits slot 0");

/* Returns 0 for 4 KiB up to DSM_TWIN_CLASSES - 1 for 64 KiB, or -EINVAL. */
static int class_of(const struct dsm_twin_pool *pool, uint32_t bytes)
{
	if (bytes < TWIN_BYTES_MIN || bytes > DSM_PAGE_BYTES_MAX || (bytes & (bytes - 1)) != 0 ||
	    bytes % pool->page_bytes != 0)
		return -EINVAL;
	return __builtin_ctz(bytes) - __builtin_ctz(TWIN_BYTES_MIN);
}

static void link_slab(struct dsm_slab **list, struct dsm_slab *slab)
{
	slab->before = NULL;
	slab->next = *list;
	if (*list != NULL)
		(*list)->before = slab;
	*list = slab;
}

static void unlink_slab(struct dsm_slab **list, struct dsm_slab *slab)
{
	if (slab->before != NULL)
		slab->before->next = slab->next;
	else
		*list = slab->next;
	if (slab->next != NULL)
		slab->next->before = slab->before;
}

/* Maps twice the size and unmaps the unaligned ends. */
static struct dsm_slab *map_slab(struct dsm_twin_pool *pool, uint32_t slot_bytes)
{
	uint8_t *mapped = mmap(NULL, 2 * SLAB_BYTES, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct dsm_slab *slab;
	uint64_t before;

	if (mapped == MAP_FAILED)
		return NULL;
	before = (SLAB_BYTES - (uint64_t)(uintptr_t)mapped % SLAB_BYTES) % SLAB_BYTES;
	if (before != 0)
		munmap(mapped, before);
	munmap(mapped + before + SLAB_BYTES, SLAB_BYTES - before);
	slab = (struct dsm_slab *)(void *)(mapped + before);
	(void)madvise(slab, SLAB_BYTES, MADV_NOHUGEPAGE); /* memory for twins in use only */
	slab->magic = SLAB_MAGIC;
	slab->slot_bytes = slot_bytes;
	slab->slots = (uint32_t)(SLAB_BYTES / slot_bytes);
	slab->used = 1;
	slab->taken[0] = 1;
	pool->slab_bytes += SLAB_BYTES;
	return slab;
}

static void unmap_slab(struct dsm_twin_pool *pool, struct dsm_slab *slab)
{
	munmap(slab, SLAB_BYTES);
	pool->slab_bytes -= SLAB_BYTES;
}

static uint32_t take_slot(struct dsm_slab *slab)
{
	for (uint32_t word = 0;; word++) { /* a slab of the partial list has a free slot */
		if (slab->taken[word] != UINT64_MAX) {
			uint32_t bit = (uint32_t)__builtin_ctzll(~slab->taken[word]);

			slab->taken[word] |= UINT64_C(1) << bit;
			slab->used++;
			return word * 64 + bit;
		}
	}
}

/* Returns the address of a slot of `bytes`, contents undefined; -ENOMEM; -EINVAL for a bad size. */
int64_t dsm_twin_pool_take(struct dsm_twin_pool *pool, uint32_t bytes)
{
	int class = class_of(pool, bytes);
	struct dsm_slab *slab;
	uint32_t index;

	if (class < 0)
		return class;
	slab = pool->partial[class];
	if (slab == NULL) {
		slab = map_slab(pool, bytes);
		if (slab == NULL)
			return -ENOMEM;
		link_slab(&pool->partial[class], slab);
	}
	index = take_slot(slab);
	if (slab->used == slab->slots) {
		unlink_slab(&pool->partial[class], slab);
		link_slab(&pool->full[class], slab);
	}
	pool->twin_bytes += bytes;
	return (int64_t)(uintptr_t)slab + (int64_t)index * bytes;
}

/* Returns 0, or -EINVAL for an address that is not a twin in use of this size. */
int dsm_twin_pool_give(struct dsm_twin_pool *pool, uint64_t twin, uint32_t bytes)
{
	struct dsm_slab *slab = (struct dsm_slab *)(uintptr_t)(twin & ~(SLAB_BYTES - 1));
	uint32_t offset = (uint32_t)(twin & (SLAB_BYTES - 1));
	int class = class_of(pool, bytes);
	uint32_t index;
	uint64_t bit;

	if (class < 0 || slab == NULL || slab->magic != SLAB_MAGIC || slab->slot_bytes != bytes ||
	    offset % bytes != 0)
		return -EINVAL;
	index = offset / bytes;
	bit = UINT64_C(1) << (index % 64);
	if (index == 0 || (slab->taken[index / 64] & bit) == 0)
		return -EINVAL;

	if (slab->used == slab->slots) {
		unlink_slab(&pool->full[class], slab);
		link_slab(&pool->partial[class], slab);
	}
	slab->taken[index / 64] &= ~bit;
	slab->used--;
	pool->twin_bytes -= bytes;
	if (slab->used == 1 && (slab->next != NULL || slab->before != NULL)) {
		unlink_slab(&pool->partial[class], slab);
		unmap_slab(pool, slab);
	}
	return 0;
}

void dsm_twin_pool_close(struct dsm_twin_pool *pool)
{
	for (int class = 0; class < DSM_TWIN_CLASSES; class++) {
		struct dsm_slab **lists[] = { &pool->partial[class], &pool->full[class] };

		for (size_t i = 0; i < 2; i++) {
			while (*lists[i] != NULL) {
				struct dsm_slab *slab = *lists[i];

				unlink_slab(lists[i], slab);
				unmap_slab(pool, slab);
			}
		}
	}
	pool->twin_bytes = 0;
}

/*
 * Copies a page of 4 KiB to 64 KiB, a power of two, with the alias's current content.
 * Returns the twin's address, -ENOMEM, or -EINVAL for a bad range or size.
 */
int64_t dsm_engine_twin_make(struct dsm_engine *engine, uint64_t offset, uint32_t bytes)
{
	int64_t twin;

	if (!dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	twin = dsm_twin_pool_take(&engine->twins, bytes);
	if (twin > 0)
		memcpy((void *)(uintptr_t)twin, engine->alias + offset, bytes);
	return twin;
}

/* Frees a twin. -EINVAL if it was neither made here nor adopted, or is already freed. */
int32_t dsm_engine_twin_free(struct dsm_engine *engine, uint64_t twin, uint32_t bytes)
{
	uint64_t offset = twin - (uint64_t)(uintptr_t)engine->twins_of_traps;

	if (engine->traps != NULL && offset < engine->region_bytes)
		return dsm_trap_twin_give(engine, offset, bytes);
	return dsm_twin_pool_give(&engine->twins, twin, bytes);
}

/* Total size of the twins in use, in bytes. */
uint64_t dsm_engine_twin_bytes(const struct dsm_engine *engine)
{
	return engine->twins.twin_bytes + engine->trap_twins.used_bytes;
}

/* Total size of the mapped slabs in bytes; only parts used for twins occupy memory. */
uint64_t dsm_engine_slab_bytes(const struct dsm_engine *engine)
{
	return engine->twins.slab_bytes;
}
