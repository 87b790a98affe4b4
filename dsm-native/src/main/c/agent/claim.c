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

#define TOLD_MIN 64

static struct dsm_trap_page *page_at(const struct dsm_engine *engine, uint64_t offset)
{
	return &engine->traps->pages[offset / engine->page_bytes];
}

/* Records which processes' traps have mapped a page. Returns -EPROTO if it cannot be right. */
static int note_mapped(struct dsm_engine *engine, uint32_t index, uint32_t news)
{
	uint32_t by = news >> DSM_NEWS_MAPPED_SHIFT;
	uint64_t pages = engine->region_bytes / engine->page_bytes;
	uint64_t count = UINT64_C(1) << dsm_trap_order(dsm_trap_load(&engine->traps->pages[index].word));

	if (by >> engine->process_count != 0 || count > pages - index)
		return -EPROTO;
	for (; by != 0; by &= by - 1) {
		uint8_t *states = engine->processes[__builtin_ctz(by)].states;

		for (uint64_t page = index; page < index + count; page++) {
			if (states[page] == DSM_PAGE_UNMAPPED)
				states[page] = DSM_PAGE_MAPPED;
		}
	}
	return 0;
}

static int make_room(struct dsm_told *told)
{
	uint64_t capacity = told->capacity == 0 ? TOLD_MIN : 2 * told->capacity;
	struct dsm_told_page *more;

	if (told->count < told->capacity)
		return 0;
	more = realloc(told->pages, capacity * sizeof(*more));
	if (more == NULL)
		return -ENOMEM;
	told->pages = more;
	told->capacity = capacity;
	return 0;
}

/*
 * Moves the pages that traps have pushed, with their news, to memory of the engine. A trap
 * may push a page again when its news have been taken. The chain is in memory of the
 * application: a page without news, or more pages than there are, show a chain that no trap
 * makes. Returns 0, -EPROTO for such a chain, or -ENOMEM.
 */
static int collect(struct dsm_engine *engine)
{
	struct dsm_told *told = &engine->told;
	uint64_t pages = engine->region_bytes / engine->page_bytes;
	uint64_t taken = 0;

	if (told->chain == 0)
		told->chain = dsm_trap_take_all(&engine->traps->told);
	while (told->chain != 0) {
		uint32_t index = told->chain - 1;
		struct dsm_trap_page *page;
		uint32_t news;
		int ret;

		if (index >= pages || taken++ == pages)
			return -EPROTO;
		ret = make_room(told);
		if (ret < 0)
			return ret;
		page = &engine->traps->pages[index];
		told->chain = dsm_trap_load(&page->next); /* before it can be pushed again */
		news = __atomic_exchange_n(&page->news, 0, __ATOMIC_SEQ_CST);
		ret = news == 0 ? -EPROTO : note_mapped(engine, index, news);
		if (ret < 0)
			return ret;
		told->pages[told->count++] = (struct dsm_told_page){
			.index = index,
			.news = news & ((UINT32_C(1) << DSM_NEWS_MAPPED_SHIFT) - 1),
		};
	}
	return 0;
}

/*
 * Takes a page from the traps unless a trap has made its twin or is entering it. Returns
 * DSM_TRAP_AGENT: no trap changes it before the next offer; DSM_TRAP_LIFTING or
 * DSM_TRAP_DIRTY: the twin is complete, and threads may store; DSM_TRAP_ENTERING: threads are
 * about to have READ. -EINVAL for a range that is not a page; -EPROTO or -ENOMEM as
 * dsm_engine_read_news().
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
		int ret;

		if (state != DSM_TRAP_READ && state != DSM_TRAP_TWINNING &&
		    state != DSM_TRAP_ABSENT)
			return (int32_t)state;
		/* The trap may still store to the twin for a while. */
		if (state == DSM_TRAP_TWINNING)
			taken |= DSM_TRAP_STALE;
		if (!dsm_trap_change(&page->word, &word, taken))
			continue;
		/* What a trap has mapped must be known before the access is changed. */
		ret = dsm_trap_load(&page->news) == 0 ? 0 : collect(engine);
		return ret < 0 ? ret : DSM_TRAP_AGENT;
	}
}

/*
 * As dsm_engine_freeze(), but also takes a dirty page; its access does not change. Returns
 * DSM_TRAP_AGENT, or DSM_TRAP_LIFTING or DSM_TRAP_ENTERING if a trap is about to give access.
 */
int32_t dsm_engine_seize(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int32_t state = dsm_engine_freeze(engine, offset, bytes);
	struct dsm_trap_page *page;
	uint32_t word;
	int ret;

	if (state != DSM_TRAP_DIRTY)
		return state;
	ret = collect(engine); /* this page has been pushed */
	if (ret < 0)
		return ret;
	page = page_at(engine, offset);
	word = dsm_trap_load(&page->word); /* only the agent changes it now */
	__atomic_store_n(&page->word, dsm_trap_with_state(word, DSM_TRAP_AGENT), __ATOMIC_SEQ_CST);
	return DSM_TRAP_AGENT;
}

/* Sets the words of a page of the agent; its first one, with the state, last. */
static void hand_over(struct dsm_trap_page *page, uint64_t count, uint32_t state)
{
	uint32_t order = (uint32_t)__builtin_ctzll(count) << DSM_TRAP_ORDER_SHIFT;

	for (uint64_t i = count - 1; i > 0; i--)
		__atomic_store_n(&page[i].word, order, __ATOMIC_RELAXED);
	__atomic_store_n(&page->word, order | state, __ATOMIC_SEQ_CST);
}

/*
 * Permits traps to make the twin of a page whose access is READ, and to give READ_WRITE.
 * Returns 1; 0 while a trap from which the page was taken may store to the twin; -EBUSY if
 * the agent does not have the page.
 */
int32_t dsm_engine_offer(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	struct dsm_trap_page *page;
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
	hand_over(page, bytes / engine->page_bytes, (word & DSM_TRAP_POOLED) | DSM_TRAP_READ);
	return 1;
}

/* True if a process may have access to a page, or must not have any. */
static int is_in_use(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	for (int32_t i = 0; i < engine->process_count; i++) {
		const struct dsm_process *process = &engine->processes[i];

		if (dsm_has_state(engine, process, offset, bytes, DSM_PAGE_MAPPED) ||
		    dsm_check_states(engine, process, offset, bytes) < 0)
			return 1;
	}
	return 0;
}

/*
 * Permits traps to enter a page without access in the coherent map of the engine's pool: to
 * copy its frame to it and to give READ; the page is offered as by dsm_engine_offer() then.
 *
 * Returns 1; 0 while a trap from which the page was taken may read it, and always without
 * signals; -EBUSY if the agent does not have the page, or a process may have access to it;
 * -EINVAL for a range that is not a page, or without a pool.
 */
int32_t dsm_engine_offer_absent(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	uint64_t end = (offset + bytes) / engine->page_bytes;
	struct dsm_trap_page *page;
	uint32_t word;

	if (engine->pool == NULL)
		return -EINVAL;
	if (engine->traps == NULL)
		return 0;
	if (!dsm_is_trap_page(engine, offset, bytes))
		return -EINVAL;
	page = page_at(engine, offset);
	word = dsm_trap_load(&page->word);
	if ((word & DSM_TRAP_STATE) == DSM_TRAP_ABSENT)
		return 1;
	if ((word & DSM_TRAP_STATE) != DSM_TRAP_AGENT || is_in_use(engine, offset, bytes))
		return -EBUSY;
	if ((word & DSM_TRAP_STALE) != 0)
		return 0;
	if (engine->absent_end < end)
		engine->absent_end = end;
	hand_over(page, bytes / engine->page_bytes, DSM_TRAP_POOLED | DSM_TRAP_ABSENT);
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
 * Reads up to DSM_NEWS_BATCH_MAX pages with what traps have told of them into the array
 * dsm_engine_news(), and returns their number. Call until it returns 0. They may include
 * pages that have been taken since or were read before. -ENOMEM, also for a trap that could
 * not copy a frame; -EPROTO for words that no trap writes.
 */
int32_t dsm_engine_read_news(struct dsm_engine *engine)
{
	struct dsm_told *told = &engine->told;
	int32_t count = 0;
	int ret;

	if (engine->traps == NULL)
		return 0;
	ret = collect(engine);
	if (ret < 0)
		return ret;
	while (count < DSM_NEWS_BATCH_MAX && told->first < told->count) {
		struct dsm_told_page page = told->pages[told->first++];

		if ((page.news & DSM_NEWS_FAILED) != 0)
			return -ENOMEM;
		told->batch[count++] = (struct dsm_trap_news){
			.offset = page.index * engine->page_bytes,
			.news = page.news,
		};
	}
	if (told->first == told->count)
		told->first = told->count = 0;
	return count;
}

uint64_t dsm_engine_news(const struct dsm_engine *engine)
{
	return (uint64_t)(uintptr_t)engine->told.batch;
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
