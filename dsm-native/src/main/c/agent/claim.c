/*
 * The agent's side of pages and faults of a signal engine. Before the agent changes the
 * access of a page that a trap may claim, or applies a diff to it, it claims the page
 * itself. It never waits for a trap, whose thread may have been stopped.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "state.h"
#include "futex.h"

#define DIRTIED_MIN 64

static struct dsm_trap_page *page_at(const struct dsm_engine *engine, uint64_t offset)
{
	return &engine->traps->pages[offset / engine->page_bytes];
}

/*
 * Takes a page from the traps unless a trap has made its twin. Returns DSM_TRAP_AGENT: no
 * trap changes it before the next offer; DSM_TRAP_LIFTING or DSM_TRAP_DIRTY: the twin is
 * complete, and threads may store. -EINVAL for a range that is not a page.
 */
int32_t dsm_engine_freeze(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	struct dsm_trap_page *page;
	uint32_t word;

	if (!dsm_is_trap_page(engine, offset, bytes))
		return -EINVAL;
	page = page_at(engine, offset);
	word = dsm_trap_load(&page->word);
	for (;;) {
		uint32_t state = word & DSM_TRAP_STATE;
		uint32_t taken = dsm_trap_with_state(word, DSM_TRAP_AGENT);

		if (state != DSM_TRAP_READ && state != DSM_TRAP_TWINNING)
			return (int32_t)state;
		/* The trap may still store to the twin for a while. */
		if (state == DSM_TRAP_TWINNING)
			taken |= DSM_TRAP_STALE;
		if (dsm_trap_change(&page->word, &word, taken))
			return DSM_TRAP_AGENT;
	}
}

/*
 * Moves the pages that traps have pushed to memory of the engine, so that they can be
 * pushed again. The chain is in memory of the application: if it is longer than the number
 * of pages, it has a cycle, which no trap makes. Returns 0, -EPROTO for such a chain, or
 * -ENOMEM.
 */
static int collect_dirtied(struct dsm_engine *engine)
{
	struct dsm_dirtied *dirtied = &engine->dirtied;
	uint64_t pages = engine->region_bytes / engine->page_bytes;
	uint64_t taken = 0;

	if (dirtied->chain == 0)
		dirtied->chain = dsm_trap_take_all(&engine->traps->dirtied);
	while (dirtied->chain != 0) {
		uint32_t index = dirtied->chain - 1;

		if (index >= pages || taken++ == pages)
			return -EPROTO;
		if (dirtied->count == dirtied->capacity) {
			uint64_t capacity = dirtied->capacity == 0 ? DIRTIED_MIN :
								     2 * dirtied->capacity;
			uint32_t *more = realloc(dirtied->pages, capacity * sizeof(*more));

			if (more == NULL)
				return -ENOMEM;
			dirtied->pages = more;
			dirtied->capacity = capacity;
		}
		dirtied->chain = dsm_trap_load(&engine->traps->pages[index].next);
		dirtied->pages[dirtied->count++] = index;
	}
	return 0;
}

/*
 * As dsm_engine_freeze(), but also takes a dirty page; its access does not change. Returns
 * DSM_TRAP_AGENT, or DSM_TRAP_LIFTING if a trap is about to give access.
 */
int32_t dsm_engine_seize(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int32_t state = dsm_engine_freeze(engine, offset, bytes);
	struct dsm_trap_page *page;
	uint32_t word;
	int ret;

	if (state != DSM_TRAP_DIRTY)
		return state;
	ret = collect_dirtied(engine); /* this page has been pushed */
	if (ret < 0)
		return ret;
	page = page_at(engine, offset);
	word = dsm_trap_load(&page->word); /* only the agent changes it now */
	__atomic_store_n(&page->word, dsm_trap_with_state(word, DSM_TRAP_AGENT), __ATOMIC_SEQ_CST);
	return DSM_TRAP_AGENT;
}

/*
 * Permits traps to make the twin of a page whose access is READ, and to give READ_WRITE.
 * Returns 1; 0 while a trap from which the page was taken may store to the twin; -EBUSY if
 * the agent does not have the page.
 */
int32_t dsm_engine_offer(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	uint64_t count = bytes / engine->page_bytes;
	struct dsm_trap_page *page;
	uint32_t order;
	uint32_t word;

	if (!dsm_is_trap_page(engine, offset, bytes))
		return -EINVAL;
	page = page_at(engine, offset);
	word = dsm_trap_load(&page->word);
	if ((word & DSM_TRAP_STATE) == DSM_TRAP_READ)
		return 1;
	if ((word & DSM_TRAP_STATE) != DSM_TRAP_AGENT)
		return -EBUSY;
	if ((word & DSM_TRAP_STALE) != 0)
		return 0;
	order = (uint32_t)__builtin_ctzll(count) << DSM_TRAP_ORDER_SHIFT;
	for (uint64_t i = count - 1; i > 0; i--)
		__atomic_store_n(&page[i].word, order, __ATOMIC_RELAXED);
	__atomic_store_n(&page->word, order | DSM_TRAP_READ, __ATOMIC_SEQ_CST);
	return 1;
}

/* Returns enum dsm_trap_state of the page at this offset. */
int32_t dsm_engine_trap_state(struct dsm_engine *engine, uint64_t offset)
{
	if (!dsm_is_trap_page(engine, offset, engine->page_bytes))
		return -EINVAL;
	return (int32_t)(dsm_trap_load(&page_at(engine, offset)->word) & DSM_TRAP_STATE);
}

/*
 * Reads the offsets of up to DSM_DIRTIED_BATCH_MAX pages whose twins traps have made into
 * the array dsm_engine_dirtied(), and returns their number. Call until it returns 0. They
 * may include pages that have been seized since or were read before.
 */
int32_t dsm_engine_read_dirtied(struct dsm_engine *engine)
{
	struct dsm_dirtied *dirtied = &engine->dirtied;
	int32_t count = 0;
	int ret;

	if (engine->traps == NULL)
		return 0;
	ret = collect_dirtied(engine);
	if (ret < 0)
		return ret;
	while (count < DSM_DIRTIED_BATCH_MAX && dirtied->count > 0)
		dirtied->batch[count++] = dirtied->pages[--dirtied->count] * engine->page_bytes;
	return count;
}

uint64_t dsm_engine_dirtied(const struct dsm_engine *engine)
{
	return (uint64_t)(uintptr_t)engine->dirtied.batch;
}

/*
 * For tests: the address of the word that holds traps at a step, followed by the number of
 * traps that have reached it.
 */
uint64_t dsm_engine_gate(const struct dsm_engine *engine)
{
	return engine->traps == NULL ? 0 : (uint64_t)(uintptr_t)&engine->traps->gate;
}

/* True if the access can be set to this value: no trap may undo it or has given more. */
int dsm_claim_allows(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes,
		     int32_t access)
{
	if (engine->traps == NULL)
		return 1;
	for (uint64_t at = offset; at < offset + bytes; at += engine->page_bytes) {
		uint32_t state = dsm_trap_load(&page_at(engine, at)->word) & DSM_TRAP_STATE;
		int stored = state == DSM_TRAP_LIFTING || state == DSM_TRAP_DIRTY;

		if (state != DSM_TRAP_AGENT && state != DSM_TRAP_POISONED &&
		    !(stored && access == DSM_ACCESS_READ_WRITE))
			return 0;
	}
	return 1;
}

/* Moves the posts of threads to memory of the engine; the last is the oldest. */
static int collect_posted(struct dsm_engine *engine)
{
	struct dsm_posted *posted = &engine->posted;
	uint32_t chain = dsm_trap_take_all(&engine->traps->posted);

	while (chain != 0) {
		if (chain > DSM_SLOTS || posted->count == DSM_SLOTS)
			return -EPROTO;
		posted->slots[posted->count++] = chain - 1;
		chain = dsm_trap_load(&engine->traps->slots[chain - 1].next);
	}
	return 0;
}

/* From now on threads that access these pages get the signal. */
void dsm_claim_poison(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	for (uint64_t at = offset; at < offset + bytes; at += engine->page_bytes)
		__atomic_store_n(&page_at(engine, at)->word, DSM_TRAP_POISONED, __ATOMIC_SEQ_CST);
	for (int32_t i = 0; i < engine->process_count; i++)
		dsm_claim_wake(engine, i, offset, bytes);
}

static int read_slot(struct dsm_engine *engine, uint32_t index, struct dsm_fault *fault)
{
	struct dsm_slot *slot = &engine->traps->slots[index];
	struct dsm_open_slot *open = &engine->posted.open[engine->posted.open_count];
	uint32_t process;
	uint32_t kind;

	if (engine->posted.open_count == DSM_SLOTS)
		return -EPROTO;
	open->index = index;
	open->word = dsm_trap_load(&slot->word);
	open->offset = slot->offset;
	kind = *(const volatile uint32_t *)&slot->kind; /* loaded once: it may change */
	process = *(const volatile uint32_t *)&slot->process;
	if ((open->word & DSM_SLOT_STATE) != DSM_SLOT_POSTED)
		return -EPROTO;
	if (open->offset >= engine->region_bytes || kind > DSM_FAULT_UPGRADE ||
	    process >= (uint32_t)engine->process_count)
		return -EFAULT;
	engine->posted.open_count++;
	*fault = (struct dsm_fault){
		.offset = open->offset,
		.kind = kind,
		.thread = *(const volatile uint32_t *)&slot->thread,
		.process = process,
	};
	return 0;
}

/* Answers the fault at position `at` of the open slots. */
static void answer(struct dsm_engine *engine, uint32_t at)
{
	struct dsm_posted *posted = &engine->posted;
	struct dsm_open_slot open = posted->open[at];
	uint32_t *word = &engine->traps->slots[open.index].word;
	uint32_t expected = open.word;

	posted->open[at] = posted->open[--posted->open_count];
	if (dsm_trap_change(word, &expected, open.word - DSM_SLOT_POSTED + DSM_SLOT_ANSWERED))
		dsm_futex_wake(word, INT_MAX);
}

/*
 * dsm_engine_read_faults() of a signal engine. A fault on a page that has been poisoned
 * since is answered at once: the thread repeats the access and gets SIGBUS.
 */
int dsm_claim_read_faults(struct dsm_engine *engine)
{
	struct dsm_posted *posted = &engine->posted;
	uint64_t told;
	int count = 0;
	int ret = 0;

	/* Read before the stack: a thread that finds the stack empty afterwards notifies again. */
	if (!engine->edges && read(engine->event_fd, &told, sizeof(told)) < 0 &&
	    errno != EAGAIN && errno != EINTR)
		return -errno;
	if (posted->count == 0)
		ret = collect_posted(engine);
	while (ret == 0 && posted->count > 0 && count < DSM_FAULT_BATCH_MAX) {
		struct dsm_fault *fault = &engine->faults[count];

		ret = read_slot(engine, posted->slots[--posted->count], fault);
		if (ret < 0)
			break;
		if (dsm_has_state(engine, &engine->processes[fault->process], fault->offset,
				  engine->page_bytes, DSM_PAGE_POISONED)) {
			answer(engine, posted->open_count - 1);
			continue;
		}
		dsm_engine_note_fault(engine, fault);
		count++;
	}
	if (ret < 0)
		return ret;
	/* Notify again, also for posts whose notifications were read since this chain was taken. */
	if (posted->count > 0 || dsm_trap_load(&engine->traps->posted) != 0)
		dsm_trap_notify(engine->event_fd);
	return count;
}

/* Resumes the threads of a process with faults on these pages that have been read. */
void dsm_claim_wake(struct dsm_engine *engine, int32_t process, uint64_t offset, uint64_t bytes)
{
	uint32_t at = 0;

	while (at < engine->posted.open_count) {
		const struct dsm_open_slot *open = &engine->posted.open[at];

		if (open->offset >= offset && open->offset - offset < bytes &&
		    engine->traps->slots[open->index].process == (uint32_t)process)
			answer(engine, at);
		else
			at++;
	}
}
