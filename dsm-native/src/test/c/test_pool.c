/*
 * Pages of a pool: threads enter them in the coherent map and copy their frames while the
 * agent does nothing, and traps are held at every step while the agent takes pages. Other
 * nodes are played by the test, which changes the map and the frames as they would.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "pair.h"

#define RUN UINT64_C(77)
#define PAGES UINT64_C(128)
#define NODES 8
#define NODE 5 /* of pairs */
#define OTHER 2
#define UNIT 4
#define ROUNDS 20

static uint64_t index_of(uint64_t offset)
{
	return offset / page_bytes;
}

static uint64_t *map_word(uint64_t offset, int which)
{
	return &pool->map.words[4 * index_of(offset) + (uint64_t)which];
}

static int is_mapper(uint64_t offset)
{
	return (*map_word(offset, 0) >> NODE & 1) != 0;
}

/* Whether the page is on the weak list of this node. */
static int is_listed(uint64_t offset)
{
	const uint64_t *list = &pool->map.words[4 * PAGES + NODE * (pool->map.summaries +
								    pool->map.leaves)];
	uint64_t leaf = index_of(offset) / 64;

	CHECK_EQUAL(list[pool->map.summaries + leaf] != 0, (list[0] >> leaf & 1) != 0);
	return (list[pool->map.summaries + leaf] >> index_of(offset) % 64 & 1) != 0;
}

/* Another node writes a word back to the frame, and publishes the page. */
static void publish_by_other(uint64_t offset, uint64_t value)
{
	*(uint64_t *)(void *)dsm_pool_frame(pool, offset) = value;
	(void)dsm_map_publish(&pool->map, OTHER, index_of(offset / page_bytes * page_bytes));
}

static void set_frame(uint64_t offset, uint64_t value)
{
	*(uint64_t *)(void *)dsm_pool_frame(pool, offset) = value;
}

/* The agent discards a page that it has, and leaves it. */
static void leave(uint64_t offset, uint64_t bytes)
{
	CHECK_EQUAL(0, dsm_engine_discard(engine, offset, bytes));
	__atomic_and_fetch(map_word(offset, 0), ~(UINT64_C(1) << NODE), __ATOMIC_SEQ_CST);
	__atomic_and_fetch(map_word(offset, 1), ~(UINT64_C(1) << NODE), __ATOMIC_SEQ_CST);
}

static void offer_absent(uint64_t offset, uint64_t bytes)
{
	CHECK_EQUAL(1, dsm_engine_offer_absent(engine, offset, bytes));
}

static void next_news(uint64_t offset, uint32_t news)
{
	CHECK_EQUAL(1, dsm_engine_read_news(engine));
	CHECK_EQUAL(offset, engine->told.batch[0].offset);
	CHECK_EQUAL(news, engine->told.batch[0].news);
	CHECK_EQUAL(0, dsm_engine_read_news(engine));
}

static uint64_t load(uint64_t offset)
{
	begin(LOAD, offset, 0);
	await_done();
	return talk->value;
}

static void hold(uint32_t gate)
{
	__atomic_store_n(&engine->traps->at_gate, 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&engine->traps->gate, gate, __ATOMIC_SEQ_CST);
}

static void await_held(void)
{
	while (dsm_trap_load(&engine->traps->at_gate) == 0)
		let_run();
}

/* A load and a store of absent pages; the agent does nothing meanwhile. */
static void check_alone(uint64_t bytes, uint64_t at)
{
	uint64_t last = at + bytes - 8;
	int64_t twin;

	set_frame(at, 11);
	set_frame(last, 12);
	CHECK_EQUAL(0, is_mapper(at));
	offer_absent(at, bytes);
	CHECK_EQUAL(DSM_TRAP_ABSENT, dsm_engine_trap_state(engine, at));
	CHECK_EQUAL(-EBUSY, dsm_engine_offer(engine, at, bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_enter(engine, 0, at, bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, 0, at, bytes, DSM_ACCESS_READ));
	talk->watch = 0;
	CHECK_EQUAL(12, load(last));
	CHECK_EQUAL(11, load(at));
	CHECK_EQUAL(0, talk->watch);
	CHECK_EQUAL(DSM_TRAP_READ, dsm_engine_trap_state(engine, at));
	CHECK(is_mapper(at));
	next_news(at, DSM_NEWS_ENTERED);
	CHECK_EQUAL(1, dsm_engine_is_mapped(engine, 0, at, bytes));

	begin(STORE, at + 8, 13); /* as of any readable page */
	await_done();
	next_news(at, DSM_NEWS_DIRTIED);
	twin = dsm_engine_twin_adopt(engine, at, (uint32_t)bytes);
	CHECK_EQUAL(11, word_of((uint64_t)twin));
	CHECK_EQUAL(0, word_of((uint64_t)twin + 8));
	CHECK_EQUAL(13, content(at + 8));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_offer_absent(engine, at, bytes)); /* it is mapped */
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)bytes));
	leave(at, bytes);

	set_frame(at, 21);
	offer_absent(at, bytes);
	begin(STORE, at + 8, 23); /* both in one trap */
	await_done();
	CHECK_EQUAL(1, talk->watch);
	next_news(at, DSM_NEWS_ENTERED | DSM_NEWS_DIRTIED);
	twin = dsm_engine_twin_adopt(engine, at, (uint32_t)bytes);
	CHECK_EQUAL(21, word_of((uint64_t)twin));
	CHECK_EQUAL(0, word_of((uint64_t)twin + 8));
	CHECK_EQUAL(23, content(at + 8));
	CHECK_EQUAL(12, word_of((uint64_t)twin + bytes - 8));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, bytes));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)bytes));
	leave(at, bytes);
	CHECK_EQUAL(0, dsm_engine_read_faults(engine, 0));
}

/* Stores of another node reach this one through the frame, and its own the other way. */
static void check_stores_pass(uint64_t at)
{
	_Alignas(64) uint8_t diff[DSM_PAGE_BYTES_MAX];
	uint32_t bytes = (uint32_t)page_bytes;
	int64_t twin;
	int64_t length;

	offer_absent(at, page_bytes);
	begin(STORE, at + 8, 5);
	await_done();
	twin = dsm_engine_twin_adopt(engine, at, bytes);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_limit(engine, at, page_bytes)); /* of a page that a trap mapped */
	length = dsm_engine_diff(engine, at, (uint64_t)twin, bytes, 8, diff, sizeof(diff));
	publish_by_other(at, 6);
	CHECK_EQUAL(0, dsm_engine_write_back(engine, diff, (uint32_t)length, at, bytes, 8));
	CHECK_EQUAL(5, word_of((uint64_t)(uintptr_t)dsm_pool_frame(pool, at) + 8));
	CHECK_EQUAL(6, word_of((uint64_t)(uintptr_t)dsm_pool_frame(pool, at)));
	CHECK(is_listed(at)); /* by the other's publication */
	CHECK_EQUAL(-EBADMSG, dsm_engine_write_back(engine, diff, 3, at, bytes, 8));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, bytes));
	begin(STORE, at + 16, 7); /* limited: no store without a fault */
	next_fault(at + 16, DSM_FAULT_UPGRADE);
	leave(at, page_bytes);
	offer_absent(at, page_bytes);
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes));
	await_done();
	CHECK_EQUAL(6, content(at));
	CHECK_EQUAL(5, content(at + 8));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	leave(at, page_bytes);
	while (dsm_engine_read_news(engine) > 0)
		; /* what is known */
}

/* The agent takes a page before a trap claims it; the thread asks the agent, which enters it. */
static void check_taken(uint64_t at)
{
	set_frame(at, 31);
	offer_absent(at, page_bytes);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_freeze(engine, at, page_bytes));
	begin(LOAD, at, 0);
	next_fault(at, DSM_FAULT_READ);
	CHECK_EQUAL(0, is_mapper(at));
	CHECK_EQUAL(0, dsm_engine_enter(engine, 0, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes));
	await_done();
	CHECK_EQUAL(31, talk->value);
	CHECK(is_mapper(at));
	CHECK_EQUAL(0, dsm_engine_read_news(engine));
	CHECK_EQUAL(1, dsm_engine_offer(engine, at, page_bytes));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	leave(at, page_bytes);
}

/*
 * A thread is held at a step of entering, while another node publishes the page and the
 * agent tries to take it: it cannot, the page is on the node's list or its copy is the new
 * one, and a second thread waits for the first. The copy can be discarded afterwards.
 */
static void check_held(uint32_t gate, uint64_t at)
{
	int is_told = gate == DSM_GATE_TOLD || gate >= DSM_GATE_FILLED;

	set_frame(at, 41);
	offer_absent(at, page_bytes);
	hold(gate);
	begin(LOAD, at, 0);
	await_held();
	CHECK_EQUAL(DSM_TRAP_ENTERING, dsm_engine_freeze(engine, at, page_bytes));
	CHECK_EQUAL(DSM_TRAP_ENTERING, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_offer(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_offer_absent(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_enter(engine, 0, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(-EBUSY, dsm_engine_discard(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_withdraw(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_poison(engine, at, page_bytes));
	CHECK_EQUAL(is_told, dsm_engine_read_news(engine));
	publish_by_other(at, 42); /* delayed by nobody */
	CHECK_EQUAL(gate != DSM_GATE_ENTERING, is_listed(at));
	CHECK(!is_done());
	hold(DSM_GATE_OPEN);
	await_done();
	CHECK(talk->value == 42 || is_listed(at));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	leave(at, page_bytes);
	while (dsm_engine_read_news(engine) > 0)
		; /* what is known */
	offer_absent(at, page_bytes);
	CHECK_EQUAL(42, load(at));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	leave(at, page_bytes);
	CHECK_EQUAL(1, dsm_engine_read_news(engine));
}

/*
 * A trap that was making a twin lost its page, which was discarded since: its read leaves a
 * page of zeros. The frame is copied over it.
 */
static void check_zeros_in_the_hole(uint64_t at)
{
	set_frame(at, 51);
	offer_absent(at, page_bytes);
	CHECK_EQUAL(51, load(at));
	hold(DSM_GATE_TWINNING);
	begin(STORE, at + 8, 52);
	await_held();
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_freeze(engine, at, page_bytes));
	leave(at, page_bytes);
	CHECK_EQUAL(0, dsm_engine_offer_absent(engine, at, page_bytes)); /* it may still read */
	hold(DSM_GATE_OPEN);
	next_fault(at + 8, DSM_FAULT_UPGRADE);
	set_frame(at, 53);
	offer_absent(at, page_bytes);
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes));
	await_done();
	CHECK_EQUAL(53, content(at));
	CHECK_EQUAL(52, content(at + 8));
	CHECK_EQUAL(DSM_TRAP_DIRTY, dsm_engine_trap_state(engine, at));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	leave(at, page_bytes);
	while (dsm_engine_read_news(engine) > 0)
		; /* what is known */
}

/* Threads that fault on one absent page at once: it is entered once. */
static void check_threads(uint64_t at)
{
	uint64_t entered = 0;

	for (int round = 0; round < ROUNDS; round++) {
		int32_t count;

		for (size_t i = 0; i < THREADS; i++)
			set_frame(at + 8 * i, 3);
		offer_absent(at, page_bytes);
		begin(STORE_IN_THREADS, at, 0);
		while (!is_done()) {
			/* A fault of a page that has become dirty since. */
			count = dsm_engine_read_faults(engine, 0);
			CHECK(count >= 0);
			if (count > 0)
				CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes));
			let_run();
		}
		for (size_t i = 0; i < THREADS; i += 2)
			CHECK_EQUAL(at + 8 * i, content(at + 8 * i));
		CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
		leave(at, page_bytes);
		while ((count = dsm_engine_read_news(engine)) > 0) {
			for (int32_t i = 0; i < count; i++)
				entered += (engine->told.batch[i].news & DSM_NEWS_ENTERED) != 0;
		}
	}
	CHECK_EQUAL(ROUNDS, entered);
}

/*
 * Threads that load from one absent page at once: the first enters it, and none of the others
 * needs the agent.
 */
static void check_loads(uint64_t at)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < THREADS; i++)
			set_frame(at + 8 * i, 3);
		offer_absent(at, page_bytes);
		hold(DSM_GATE_ENTERED);
		begin(LOAD_IN_THREADS, at, 0);
		await_held();
		for (int i = 0; i < 10; i++)
			let_run(); /* some of the others arrive */
		CHECK_EQUAL(1, engine->traps->at_gate);
		hold(DSM_GATE_OPEN);
		while (!is_done()) {
			CHECK_EQUAL(0, dsm_engine_read_faults(engine, 0));
			let_run();
		}
		CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
		leave(at, page_bytes);
		CHECK_EQUAL(1, dsm_engine_read_news(engine));
		CHECK_EQUAL(DSM_NEWS_ENTERED, engine->told.batch[0].news);
	}
}

/* An unsafe page: the agent learns that it has to check it. */
static void check_unsafe(uint64_t at)
{
	*map_word(at, 3) = 3; /* unsafe and settled */
	offer_absent(at, page_bytes);
	(void)load(at);
	next_news(at, DSM_NEWS_ENTERED | DSM_NEWS_UNSAFE);
	publish_by_other(at, 1);
	CHECK_EQUAL(0, is_listed(at));
	CHECK_EQUAL(1, *map_word(at, 2) >> NODE & 1);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	leave(at, page_bytes);
}

/*
 * Two things happen to a page before the agent looks: the page is on the stack once, and what
 * the agent took from the stack at different times comes in order.
 */
static void check_order(uint64_t at)
{
	uint64_t other = at + page_bytes;

	offer_absent(at, page_bytes);
	offer_absent(other, page_bytes);
	(void)load(at);
	(void)load(other);
	begin(STORE, at, 1);
	await_done();
	CHECK_EQUAL(2, dsm_engine_read_news(engine));
	CHECK_EQUAL(other, engine->told.batch[0].offset);
	CHECK_EQUAL(DSM_NEWS_ENTERED, engine->told.batch[0].news);
	CHECK_EQUAL(at, engine->told.batch[1].offset);
	CHECK_EQUAL(DSM_NEWS_ENTERED | DSM_NEWS_DIRTIED, engine->told.batch[1].news);
	CHECK_EQUAL(0, dsm_engine_read_news(engine));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, other, page_bytes));
	leave(at, page_bytes);
	leave(other, page_bytes);

	offer_absent(at, page_bytes);
	(void)load(at);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_freeze(engine, at, page_bytes));
	CHECK_EQUAL(1, dsm_engine_offer(engine, at, page_bytes));
	begin(STORE, at, 1);
	await_done();
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(2, dsm_engine_read_news(engine));
	CHECK_EQUAL(DSM_NEWS_ENTERED, engine->told.batch[0].news);
	CHECK_EQUAL(DSM_NEWS_DIRTIED, engine->told.batch[1].news);
	leave(at, page_bytes);
}

/* A frame that cannot be copied: the agent has the page, and hears of it before the fault. */
static void check_failed_copy(uint64_t at)
{
	set_frame(at, 91);
	offer_absent(at, page_bytes);
	begin(HIDE_FRAMES, 0, 0);
	await_done();
	begin(LOAD, at, 0);
	next_fault(at, DSM_FAULT_READ);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_trap_state(engine, at));
	CHECK_EQUAL(-ENOMEM, dsm_engine_read_news(engine));
	CHECK_EQUAL(0, dsm_engine_read_news(engine));
	CHECK_EQUAL(0, dsm_engine_discard(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_enter(engine, 0, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes));
	await_done();
	CHECK_EQUAL(91, talk->value);
}

/* Poisoned before a trap claims it. */
static void check_poison(uint64_t at)
{
	offer_absent(at, page_bytes);
	CHECK_EQUAL(-EBUSY, dsm_engine_poison(engine, at, page_bytes));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_poison(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_offer_absent(engine, at, page_bytes));
	begin(ENDED, at, 0);
	await_done();
}

/* The pages that alternate, with mprotect: their boundaries are known when all are told. */
static void check_maps(void)
{
	uint64_t first = 64;
	int32_t before = dsm_engine_maps(engine, 0);
	int32_t count = 0;

	for (uint64_t page = first; page < PAGES; page += 2)
		offer_absent(page * page_bytes, page_bytes);
	for (uint64_t page = first; page < PAGES; page += 2)
		(void)load(page * page_bytes);
	if (dsm_engine_kind(engine) == DSM_ENGINE_MPROTECT_SIGNAL)
		CHECK_EQUAL(before + (int32_t)(PAGES - first), dsm_engine_maps(engine, 0));
	for (uint64_t page = first; page < PAGES; page += 2) {
		CHECK_EQUAL(DSM_TRAP_AGENT,
			    dsm_engine_seize(engine, page * page_bytes, page_bytes));
		leave(page * page_bytes, page_bytes);
	}
	for (int32_t some; (some = dsm_engine_read_news(engine)) > 0;)
		count += some;
	CHECK_EQUAL((PAGES - first) / 2, count);
	CHECK_EQUAL(before, dsm_engine_maps(engine, 0));
}

/* On a machine that is busy, the checks of a pair may take longer than its patience. */
static void show_life(void)
{
	CHECK(dsm_engine_ping(engine, 0) > 0);
	CHECK(dsm_engine_read_replies(engine, 0) >= 0);
}

static void check_traps(int32_t kind)
{
	check_alone(page_bytes, 3 * page_bytes);
	check_alone(UNIT * page_bytes, 4 * UNIT * page_bytes);
	check_stores_pass(5 * page_bytes);
	check_taken(6 * page_bytes);
	show_life();
	check_held(DSM_GATE_ENTERING, 30 * page_bytes);
	check_held(DSM_GATE_ENTERED, 31 * page_bytes);
	check_held(DSM_GATE_TOLD, 32 * page_bytes);
	if (kind == DSM_ENGINE_MPROTECT_SIGNAL)
		check_held(DSM_GATE_FILLED, 33 * page_bytes);
	check_held(DSM_GATE_MAPPED, 34 * page_bytes);
	check_zeros_in_the_hole(35 * page_bytes);
	show_life();
	check_threads(36 * page_bytes);
	show_life();
	check_loads(42 * page_bytes);
	show_life();
	check_unsafe(37 * page_bytes);
	check_poison(38 * page_bytes);
	check_order(39 * page_bytes);
	show_life();
	check_maps();
	check_failed_copy(41 * page_bytes);
}

/* With events the agent enters, at once. */
static void check_events(void)
{
	uint64_t at = 3 * page_bytes;

	set_frame(at, 61);
	CHECK_EQUAL(0, dsm_engine_offer_absent(engine, at, page_bytes));
	begin(LOAD, at, 0);
	next_fault(at, DSM_FAULT_READ);
	CHECK_EQUAL(0, dsm_engine_enter(engine, 0, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes));
	await_done();
	CHECK_EQUAL(61, talk->value);
	CHECK(is_mapper(at));
	begin(STORE, at, 62);
	next_fault(at, DSM_FAULT_UPGRADE);
	give(at, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
	leave(at, page_bytes);
	*map_word(at, 3) = 3;
	CHECK_EQUAL(1, dsm_engine_enter(engine, 0, at, page_bytes));
	CHECK_EQUAL(61, load(at));
	leave(at, page_bytes);
	CHECK_EQUAL(-EINVAL, dsm_engine_enter(engine, 1, at, page_bytes));
	CHECK_EQUAL(-EINVAL, dsm_engine_enter(engine, 0, at + 1, page_bytes));
}

/* A page that one process enters is mapped by the other's trap, too. */
static void check_siblings(int32_t kind)
{
	pid_t children[2];
	uint64_t at = 3 * page_bytes;

	start_siblings(kind, PAGES, children, 2);
	set_frame(at, 71);
	offer_absent(at, page_bytes);
	turn_to(1);
	CHECK_EQUAL(71, load(at));
	next_news(at, DSM_NEWS_ENTERED);
	CHECK_EQUAL(0, dsm_engine_is_mapped(engine, 0, at, page_bytes));
	CHECK_EQUAL(1, dsm_engine_is_mapped(engine, 1, at, page_bytes));
	turn_to(0);
	CHECK_EQUAL(71, load(at));
	next_news(at, 0);
	CHECK_EQUAL(1, dsm_engine_is_mapped(engine, 0, at, page_bytes));
	turn_to(1);
	begin(STORE, at + 8, 72);
	await_done();
	turn_to(0);
	CHECK_EQUAL(72, load(at + 8));
	next_news(at, DSM_NEWS_DIRTIED);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_limit(engine, at, page_bytes));
	leave(at, page_bytes);
	for (int32_t i = 0; i < 2; i++) { /* taken from both */
		set_frame(at, 73 + (uint64_t)i);
		offer_absent(at, page_bytes);
		turn_to(i);
		CHECK_EQUAL(73 + (uint64_t)i, load(at));
		turn_to(1 - i);
		CHECK_EQUAL(73 + (uint64_t)i, load(at));
		CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
		leave(at, page_bytes);
	}
	for (int32_t i = 0; i < 2; i++) {
		CHECK_EQUAL(0, kill(children[i], SIGKILL));
		CHECK_EQUAL(children[i], waitpid(children[i], NULL, 0));
	}
	end_pair();
}

/* A process that is killed at a step leaves a map that other nodes go on with. */
static void check_killed(int32_t kind, uint32_t gate)
{
	uint64_t at = 3 * page_bytes;
	pid_t child = start_pair(kind, PAGES, -1);

	offer_absent(at, page_bytes);
	hold(gate);
	begin(STORE, at, 9);
	await_held();
	CHECK_EQUAL(0, kill(child, SIGKILL));
	CHECK_EQUAL(child, waitpid(child, NULL, 0));
	publish_by_other(at, 81);
	publish_by_other(at, 82);
	CHECK_EQUAL(82, word_of((uint64_t)(uintptr_t)dsm_pool_frame(pool, at)));
	end_pair();
	__atomic_and_fetch(map_word(at, 0), ~(UINT64_C(1) << NODE), __ATOMIC_SEQ_CST);
	*map_word(at, 3) = 0;
}

/* The first store after an entry publishes the page before it happens. */
static void check_announcement(int32_t kind)
{
	uint64_t at = 3 * page_bytes;
	pid_t child = start_pair(kind, PAGES, -1);

	(void)dsm_map_enter(&pool->map, OTHER, index_of(at));
	offer_absent(at, page_bytes);
	(void)load(at);
	CHECK_EQUAL(0, *map_word(at, 1));
	hold(DSM_GATE_ANNOUNCED);
	begin(STORE, at, 1);
	await_held();
	CHECK_EQUAL(UINT64_C(1) << NODE, *map_word(at, 1));
	CHECK(is_listed(at)); /* of all mappers at the transition */
	CHECK_EQUAL(4, *map_word(at, 3)); /* one notice */
	hold(DSM_GATE_OPEN);
	await_done();
	next_news(at, DSM_NEWS_ENTERED | DSM_NEWS_DIRTIED);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_limit(engine, at, page_bytes));
	CHECK_EQUAL(1, dsm_engine_offer(engine, at, page_bytes));
	begin(STORE, at, 2); /* it is a writer already */
	await_done();
	CHECK_EQUAL(4, *map_word(at, 3));
	next_news(at, DSM_NEWS_DIRTIED);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	leave(at, page_bytes);
	*map_word(at, 3) = 4 * 3; /* as many notices as are allowed */
	offer_absent(at, page_bytes);
	begin(STORE, at, 3);
	await_done();
	next_news(at, DSM_NEWS_ENTERED | DSM_NEWS_DIRTIED | DSM_NEWS_UNSAFE);
	CHECK_EQUAL(3, *map_word(at, 3));
	CHECK_EQUAL(0, kill(child, SIGKILL));
	CHECK_EQUAL(child, waitpid(child, NULL, 0));
	end_pair();
}

static void expect_unsuitable(int fd, uint64_t run, uint64_t pages, int32_t node, const char *text)
{
	struct dsm_verdict verdict;
	struct dsm_pool *other;

	CHECK_EQUAL(-EINVAL, dsm_pool_open(fd, run, pages, node, &other, &verdict));
	CHECK_EQUAL(EINVAL, verdict.status);
	if (strcmp(verdict.text, text) != 0)
		fprintf(stderr, "%s\n", verdict.text);
	CHECK_EQUAL(0, strcmp(verdict.text, text));
}

/* A file that is not this run's pool is refused with a sentence. */
static void check_open(void)
{
	struct dsm_pool_header header;
	struct dsm_verdict verdict;
	struct dsm_pool *second;
	int empty = dsm_memory_open("empty", 0);
	int zeros = dsm_memory_open("zeros", 8192);
	int small = memfd_create("small", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	CHECK_EQUAL(-EINVAL, dsm_pool_create(0, PAGES, NODES, 0, 2, 0, &second));
	CHECK_EQUAL(-EINVAL, dsm_pool_create(RUN, 0, NODES, 0, 2, 0, &second));
	CHECK_EQUAL(-EINVAL, dsm_pool_create(RUN, PAGES, 65, 0, 2, 0, &second));
	CHECK_EQUAL(-EINVAL, dsm_pool_create(RUN, PAGES, NODES, 0, -1, 0, &second));
	expect_unsuitable(empty, RUN, 1, 0, "this is not a pool");
	expect_unsuitable(zeros, RUN, 1, 0, "this is not a pool");
	expect_unsuitable(pool->fd, RUN + 1, 1, 0, "the pool belongs to run 4d, not to run 4e");
	expect_unsuitable(pool->fd, RUN, PAGES + 1, 0,
			  "the pool has 128 pages, the regions have 129");
	expect_unsuitable(pool->fd, RUN, PAGES, NODES,
			  "the pool has 8 nodes, and none is node 8");
	memcpy(&header, pool->words, sizeof(header));
	CHECK_EQUAL(sizeof(header), pwrite(small, &header, sizeof(header), 0));
	CHECK_EQUAL(-EINVAL, dsm_pool_open(small, RUN, 1, 0, &second, &verdict));
	CHECK(strstr(verdict.text, "the pool's file is smaller than ") == verdict.text);
	CHECK_EQUAL(0, ftruncate(small, 8 << 20));
	expect_unsuitable(small, RUN, 1, 0, "the pool's file is not sealed");
	header.version = 9;
	CHECK_EQUAL(sizeof(header), pwrite(small, &header, sizeof(header), 0));
	expect_unsuitable(small, RUN, 1, 0, "the pool has version 9, not 2");
	header.version = DSM_POOL_VERSION;
	header.nodes = 65;
	CHECK_EQUAL(sizeof(header), pwrite(small, &header, sizeof(header), 0));
	expect_unsuitable(small, RUN, 1, 0, "a pool of 128 pages and 65 nodes");

	CHECK_EQUAL(0, dsm_pool_open(pool->fd, RUN, PAGES, NODES - 1, &second, &verdict));
	*(uint64_t *)(void *)dsm_pool_frame(second, 0) = 5;
	CHECK_EQUAL(5, word_of((uint64_t)(uintptr_t)dsm_pool_frame(pool, 0)));
	CHECK_EQUAL(0, dsm_pool_enter(second, 1, 3));
	CHECK_EQUAL(2, pool->map.words[4 * 3]);
	CHECK_EQUAL(-EINVAL, dsm_pool_enter(second, NODES, 3));
	CHECK_EQUAL(-EINVAL, dsm_pool_publish(second, 1, PAGES));
	CHECK_EQUAL(-EINVAL, dsm_pool_set_home(second, 0, 1, NODES));
	CHECK_EQUAL(-EINVAL, dsm_pool_set_home(second, PAGES, 1, 0));
	pool->map.words[4 * 3] = 0;
	dsm_pool_close(second);
	close(empty);
	close(zeros);
	close(small);
}

static void check_signals(int32_t kind)
{
	pid_t child;

	CHECK_EQUAL(0, dsm_pool_create(RUN, PAGES, NODES, 0, 1000, 0, &pool));
	CHECK_EQUAL(0, dsm_pool_set_home(pool, 0, PAGES, OTHER));
	child = start_pair(kind, PAGES, -1);
	check_traps(kind);
	CHECK_EQUAL(0, kill(child, SIGKILL));
	CHECK_EQUAL(child, waitpid(child, NULL, 0));
	end_pair();
	check_siblings(kind);
	check_killed(kind, DSM_GATE_ENTERING);
	check_killed(kind, DSM_GATE_ENTERED);
	check_killed(kind, DSM_GATE_TOLD);
	check_killed(kind, DSM_GATE_MAPPED);
	dsm_pool_close(pool);
	CHECK_EQUAL(0, dsm_pool_create(RUN, PAGES, NODES, 1, 3, 1, &pool));
	CHECK_EQUAL(0, dsm_pool_set_home(pool, 0, PAGES, OTHER));
	check_announcement(kind);
	dsm_pool_close(pool);
}

void test_pool(void)
{
	pid_t child;

	page_bytes = (uint64_t)dsm_page_bytes();
	CHECK_EQUAL(0, dsm_pool_create(RUN, PAGES, NODES, 0, 1000, 0, &pool));
	CHECK_EQUAL(0, dsm_pool_set_home(pool, 0, PAGES, OTHER));
	check_open();
	child = start_pair(DSM_ENGINE_UFFD_EVENT, PAGES, -1);
	check_events();
	CHECK_EQUAL(0, kill(child, SIGKILL));
	CHECK_EQUAL(child, waitpid(child, NULL, 0));
	end_pair();
	dsm_pool_close(pool);
	check_signals(DSM_ENGINE_UFFD_SIGNAL);
	check_signals(DSM_ENGINE_MPROTECT_SIGNAL);
	pool = NULL;
}
