/*
 * What a trap does with a page that the agent has offered, by the table of
 * docs/decisions/0034-signals-as-traps.md: it enters a page in the coherent map and copies
 * its frame, or makes the twin of a page. The rules of trap.c apply.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "futex.h"
#include "pool.h"
#include "socket.h"
#include "trap_page.h"
#include "traps.h"
#include "uffd_abi.h"

#define RETRIES_MAX 1000
#define SPINS_MAX 100
#define ENTRY_WAIT_NANOS 100000
#define GATE_WAIT_NANOS 1000000
#define LINE_BYTES 64u

#if defined(__x86_64__)
#define TARGET __attribute__((target("prfchw"))) /* a CPU without it ignores the instruction */
#else
#define TARGET
#endif

void dsm_trap_pass_gate(const struct dsm_mapping *mapping, uint32_t gate)
{
	struct dsm_traps *traps = mapping->traps;

	if (!mapping->gated || dsm_trap_load(&traps->gate) != gate)
		return;
	__atomic_add_fetch(&traps->at_gate, 1, __ATOMIC_SEQ_CST);
	while (dsm_trap_load(&traps->gate) == gate) {
		struct timespec limit = { .tv_nsec = GATE_WAIT_NANOS };

		dsm_futex_wait(&traps->gate, gate, &limit);
	}
}

/* The first machine page of the page at this offset. */
static struct dsm_trap_page *page_of(const struct dsm_mapping *mapping, uint64_t offset)
{
	struct dsm_trap_page *pages = mapping->traps->pages;
	uint64_t index = offset / mapping->page_bytes;
	uint32_t order = dsm_trap_order(dsm_trap_load(&pages[index].word));

	return &pages[index & ~((UINT64_C(1) << order) - 1)];
}

static uint64_t offset_of(const struct dsm_mapping *mapping, const struct dsm_trap_page *page)
{
	return (uint64_t)(page - mapping->traps->pages) * mapping->page_bytes;
}

/*
 * Waits while another thread's trap works on the page. Returns the page's word when it has
 * finished, or after a while.
 */
static uint32_t await_other(const struct dsm_trap_page *page)
{
	uint32_t word = dsm_trap_load(&page->word);

	for (int i = 0; i < SPINS_MAX; i++) {
		uint32_t state = word & DSM_TRAP_STATE;

		if (state != DSM_TRAP_TWINNING && state != DSM_TRAP_LIFTING)
			break;
		dsm_trap_pause();
		word = dsm_trap_load(&page->word);
	}
	return word;
}

/*
 * Waits until another thread's trap has entered the page. The agent cannot help: whatever it
 * installed, that trap could overwrite later.
 */
static void await_entry(struct dsm_trap_page *page)
{
	for (int i = 0;; i++) {
		struct timespec limit = { .tv_nsec = ENTRY_WAIT_NANOS };
		uint32_t word = dsm_trap_load(&page->word);

		if ((word & DSM_TRAP_STATE) != DSM_TRAP_ENTERING)
			return;
		if (i < SPINS_MAX)
			dsm_trap_pause();
		else
			dsm_futex_wait(&page->word, word, &limit);
	}
}

/* The agent learns of this before it handles anything that a later access can cause. */
static void tell(const struct dsm_mapping *mapping, struct dsm_trap_page *page, uint32_t news)
{
	struct dsm_traps *traps = mapping->traps;

	if (__atomic_fetch_or(&page->news, news, __ATOMIC_SEQ_CST) == 0)
		(void)dsm_trap_push(&traps->told, &page->next,
				    (uint32_t)(page - traps->pages) + 1);
}

static void lift_by_uffd(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	struct dsm_k_uffdio_writeprotect range = {
		.start = (uint64_t)(uintptr_t)mapping->region + offset,
		.len = bytes,
		.mode = DSM_K_WRITEPROTECT_DONTWAKE,
	};

	for (int i = 0; i < RETRIES_MAX; i++) {
		if (ioctl(mapping->uffd, DSM_K_UFFDIO_WRITEPROTECT, &range) == 0 ||
		    (errno != EAGAIN && errno != EINTR))
			return;
	}
}

/* Adds two boundaries at most. An agent that recounts in between sees the state LIFTING. */
static void lift_by_mprotect(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	struct dsm_trap_process *own = &mapping->traps->processes[mapping->process];
	uint8_t *accesses = mapping->accesses + offset / mapping->page_bytes;

	__atomic_add_fetch(&own->maps, 2, __ATOMIC_SEQ_CST);
	if (mprotect(mapping->region + offset, bytes, PROT_READ | PROT_WRITE) == 0)
		dsm_trap_set_access(accesses, bytes / mapping->page_bytes, DSM_ACCESS_READ_WRITE);
	else
		__atomic_sub_fetch(&own->maps, 2, __ATOMIC_SEQ_CST);
}

/* A failure causes another fault, which is sent to the agent. */
static void lift(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	if (dsm_has_uffd(mapping->kind))
		lift_by_uffd(mapping, offset, bytes);
	else
		lift_by_mprotect(mapping, offset, bytes);
}

/* True if one more page may get other access within the regions' limit of mappings. */
static int may_lift(const struct dsm_mapping *mapping)
{
	const struct dsm_trap_process *own = &mapping->traps->processes[mapping->process];

	return dsm_has_uffd(mapping->kind) ||
	       dsm_trap_load(&own->maps) + 2 <= dsm_trap_load(&own->maps_max);
}

/*
 * Prefetches the cache lines of the twin's first page for writing: the locked instruction
 * after the copy waits until the last of them has arrived.
 */
static TARGET void fetch_twin(const struct dsm_mapping *mapping, uint64_t offset)
{
	for (uint64_t at = offset; at < offset + mapping->page_bytes; at += LINE_BYTES)
		__builtin_prefetch(mapping->twins + at, 1);
}

/* The first store of a node to a page that it has entered, in a pool with this rule. */
static uint32_t announce(const struct dsm_mapping *mapping, const struct dsm_trap_page *page,
			 uint32_t word)
{
	const struct dsm_pool *pool = mapping->pool;
	uint64_t index = (uint64_t)(page - mapping->traps->pages);
	uint32_t node = (uint32_t)mapping->node;

	if (pool == NULL || pool->announces == 0 || (word & DSM_TRAP_POOLED) == 0 ||
	    dsm_map_is_writer(&pool->map, node, index))
		return 0;
	return dsm_map_publish(&pool->map, node, index) ? DSM_NEWS_UNSAFE : 0;
}

/*
 * Makes the twin of a claimed page, to which no thread may store. Returns 1 when this
 * thread may store, 0 if the agent has taken the page in the meantime. The agent must learn
 * of the twin before any store: tell it, set the watch word, lift, in this order.
 */
static int make_twin(const struct dsm_mapping *mapping, struct dsm_trap_page *page, uint32_t word)
{
	uint64_t offset = offset_of(mapping, page);
	uint64_t bytes = mapping->page_bytes << dsm_trap_order(word);
	uint32_t expected = dsm_trap_with_state(word, DSM_TRAP_TWINNING);
	uint32_t news;

	dsm_trap_pass_gate(mapping, DSM_GATE_TWINNING);
	memcpy(mapping->twins + offset, mapping->alias + offset, bytes);
	dsm_trap_pass_gate(mapping, DSM_GATE_COPIED);
	if (!dsm_trap_change(&page->word, &expected, dsm_trap_with_state(word, DSM_TRAP_LIFTING))) {
		__atomic_and_fetch(&page->word, ~DSM_TRAP_STALE, __ATOMIC_SEQ_CST);
		return 0;
	}
	dsm_trap_pass_gate(mapping, DSM_GATE_LIFTING);
	news = announce(mapping, page, word);
	dsm_trap_pass_gate(mapping, DSM_GATE_ANNOUNCED);
	tell(mapping, page, DSM_NEWS_DIRTIED | news);
	dsm_trap_pass_gate(mapping, DSM_GATE_PUSHED);
	__atomic_store_n(mapping->watch, 1, __ATOMIC_SEQ_CST);
	lift(mapping, offset, bytes);
	dsm_trap_pass_gate(mapping, DSM_GATE_LIFTED);
	__atomic_store_n(&page->word, dsm_trap_with_state(word, DSM_TRAP_DIRTY), __ATOMIC_SEQ_CST);
	return 1;
}

/* Returns 1 if the store can be retried, 0 if the fault must be sent to the agent. */
static int resolve_upgrade(const struct dsm_mapping *mapping, uint64_t offset)
{
	for (;;) {
		struct dsm_trap_page *page = page_of(mapping, offset);
		uint32_t word = dsm_trap_load(&page->word);

		switch (word & DSM_TRAP_STATE) {
		case DSM_TRAP_READ:
			if (!may_lift(mapping))
				return 0; /* the agent recounts or refuses */
			fetch_twin(mapping, offset_of(mapping, page));
			if (dsm_trap_change(&page->word, &word,
					    dsm_trap_with_state(word, DSM_TRAP_TWINNING)) &&
			    make_twin(mapping, page, word))
				return 1;
			break;
		case DSM_TRAP_TWINNING:
		case DSM_TRAP_LIFTING:
			switch (await_other(page) & DSM_TRAP_STATE) {
			case DSM_TRAP_DIRTY:
				return 1;
			case DSM_TRAP_READ:
				break;
			default:
				return 0;
			}
			break;
		case DSM_TRAP_ENTERING: /* for another process of the node */
			await_entry(page);
			break;
		default:
			return 0; /* the agent has the page; or it is dirty but not mapped */
		}
	}
}

/* Copies the frame to the page's memory, which no process may access. Returns 0 or -errno. */
static int fill(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	const uint8_t *frame = dsm_pool_frame(mapping->pool, offset);
	uint64_t memory = dsm_pool_memory_at(mapping->pool, mapping->node) + offset;
	uint64_t done = 0;

	while (done < bytes) {
		ssize_t written = pwrite(mapping->pool->fd, frame + done, bytes - done,
					 (off_t)(memory + done));

		if (written < 0 && errno != EINTR)
			return -errno;
		done += written < 0 ? 0 : (uint64_t)written;
	}
	dsm_trap_pass_gate(mapping, DSM_GATE_FILLED);
	return 0;
}

/* Maps what the page's memory contains, write-protected; parts may be mapped already. */
static int map_by_uffd(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	uint64_t end = offset + bytes;

	for (int i = 0; i < RETRIES_MAX && offset < end;) {
		struct dsm_k_uffdio_install range = {
			.start = (uint64_t)(uintptr_t)mapping->region + offset,
			.len = end - offset,
			.mode = DSM_K_CONTINUE_DONTWAKE | DSM_K_CONTINUE_WP,
		};

		if (ioctl(mapping->uffd, DSM_K_UFFDIO_CONTINUE, &range) == 0)
			return 0;
		if (errno == EEXIST)
			range.done = (int64_t)mapping->page_bytes;
		else if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (range.done > 0)
			offset += (uint64_t)range.done;
		else
			i++;
	}
	return offset < end ? -EAGAIN : 0;
}

/*
 * Maps a copy of the frame, write-protected, where the page has no memory yet. Returns 0, or
 * -errno: -EEXIST if it has.
 */
static int copy_by_uffd(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	uint64_t done = 0;

	for (int i = 0; i < RETRIES_MAX && done < bytes; i++) {
		struct dsm_k_uffdio_copy copy = {
			.to = (uint64_t)(uintptr_t)mapping->region + offset + done,
			.from = (uint64_t)(uintptr_t)dsm_pool_frame(mapping->pool, offset) + done,
			.len = bytes - done,
			.mode = DSM_K_COPY_DONTWAKE | DSM_K_COPY_WP,
		};

		if (ioctl(mapping->uffd, DSM_K_UFFDIO_COPY, &copy) == 0)
			return 0;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (copy.done > 0)
			done += (uint64_t)copy.done;
	}
	return done < bytes ? -EAGAIN : 0;
}

/* Adds two boundaries at most. An agent that recounts in between sees the state ENTERING. */
static int map_by_mprotect(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	struct dsm_trap_process *own = &mapping->traps->processes[mapping->process];
	uint8_t *accesses = mapping->accesses + offset / mapping->page_bytes;

	__atomic_add_fetch(&own->maps, 2, __ATOMIC_SEQ_CST);
	if (mprotect(mapping->region + offset, bytes, PROT_READ) < 0) {
		int ret = -errno;

		__atomic_sub_fetch(&own->maps, 2, __ATOMIC_SEQ_CST);
		return ret;
	}
	dsm_trap_set_access(accesses, bytes / mapping->page_bytes, DSM_ACCESS_READ);
	return 0;
}

static int map_content(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	return dsm_has_uffd(mapping->kind) ? map_by_uffd(mapping, offset, bytes) :
					     map_by_mprotect(mapping, offset, bytes);
}

/* The results of entering a page, or of mapping one that its node has entered. */
enum outcome {
	SENT = 0,    /* the fault must be sent to the agent */
	RETRIED = 1, /* the access can be repeated */
	MAPPED = 2,  /* the access can be repeated, and this process has READ */
};

/*
 * Gives this process READ to a page in ENTERING, which has the content of its frame
 * afterwards. `is_failed`: the page has no content.
 */
static enum outcome map_frame(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes,
			      int *is_failed)
{
	int ret = -EEXIST;

	dsm_frame_invalidate(dsm_pool_frame(mapping->pool, offset), bytes);
	if (dsm_has_uffd(mapping->kind))
		ret = copy_by_uffd(mapping, offset, bytes);
	if (ret == 0)
		return MAPPED;
	*is_failed = ret != -EEXIST || fill(mapping, offset, bytes) < 0;
	if (*is_failed)
		return SENT;
	return map_content(mapping, offset, bytes) < 0 ? SENT : MAPPED;
}

/*
 * Works on a page that this trap has claimed for entering: with `word` ABSENT its node enters
 * it, with READ it has been entered for another process. From the claim to READ the agent
 * cannot take the page; it is told before any access.
 */
static enum outcome enter(const struct dsm_mapping *mapping, struct dsm_trap_page *page,
			  uint32_t word)
{
	uint64_t offset = offset_of(mapping, page);
	uint64_t bytes = mapping->page_bytes << dsm_trap_order(word);
	uint32_t news = UINT32_C(1) << (DSM_NEWS_MAPPED_SHIFT + mapping->process);
	int is_absent = (word & DSM_TRAP_STATE) == DSM_TRAP_ABSENT;
	int is_failed = 0;
	enum outcome outcome;

	dsm_trap_pass_gate(mapping, DSM_GATE_ENTERING);
	if (is_absent) {
		news |= DSM_NEWS_ENTERED;
		if (dsm_pool_enter_page(mapping->pool, mapping->node, offset))
			news |= DSM_NEWS_UNSAFE;
		dsm_trap_pass_gate(mapping, DSM_GATE_ENTERED);
	}
	tell(mapping, page, news);
	dsm_trap_pass_gate(mapping, DSM_GATE_TOLD);
	if (is_absent)
		outcome = map_frame(mapping, offset, bytes, &is_failed);
	else
		outcome = map_content(mapping, offset, bytes) < 0 ? SENT : MAPPED;
	if (is_failed)
		tell(mapping, page, DSM_NEWS_FAILED);
	dsm_trap_pass_gate(mapping, DSM_GATE_MAPPED);
	__atomic_store_n(&page->word,
			 dsm_trap_with_state(word, is_failed ? DSM_TRAP_AGENT : DSM_TRAP_READ),
			 __ATOMIC_SEQ_CST);
	return outcome;
}

/* Resolves the fault of a page to which this process may have no access. */
static enum outcome resolve_missing(const struct dsm_mapping *mapping, uint64_t offset)
{
	for (;;) {
		struct dsm_trap_page *page = page_of(mapping, offset);
		uint32_t word = dsm_trap_load(&page->word);

		switch (word & DSM_TRAP_STATE) {
		case DSM_TRAP_READ: /* entered for another process, or since the fault */
		case DSM_TRAP_ABSENT:
			if ((word & DSM_TRAP_POOLED) == 0 || !may_lift(mapping))
				return SENT;
			if (dsm_trap_change(&page->word, &word,
					    dsm_trap_with_state(word, DSM_TRAP_ENTERING)))
				return enter(mapping, page, word);
			break;
		case DSM_TRAP_ENTERING:
			await_entry(page);
			return RETRIED;
		default:
			return SENT;
		}
	}
}

int dsm_trap_resolve(const struct dsm_mapping *mapping, uint64_t offset, uint32_t kind)
{
	enum outcome outcome;

	if (kind == DSM_FAULT_UPGRADE)
		return resolve_upgrade(mapping, offset);
	if (mapping->pool == NULL)
		return 0;
	outcome = resolve_missing(mapping, offset);
	if (outcome == MAPPED && kind == DSM_FAULT_WRITE)
		(void)resolve_upgrade(mapping, offset); /* if not, the store faults again */
	return outcome != SENT;
}
