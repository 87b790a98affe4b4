/*
 * Processes of one node: they share content and twins, each has access of its own, and what
 * is revoked is revoked in all of them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "check.h"
#include "pair.h"

#define PAGES UINT64_C(16)
#define PROCESSES 2
#define TIMES UINT64_C(20000)

static pid_t children[PROCESSES];

/* A store of a process that faults in this way; the agent gives READ_WRITE. */
static void store_by(int32_t process, uint64_t offset, uint64_t value, uint32_t kind)
{
	turn_to(process);
	begin(STORE, offset, value);
	next_fault(offset, kind);
	give(offset / page_bytes * page_bytes, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
}

static void load_by(int32_t process, uint64_t offset, uint64_t expected)
{
	turn_to(process);
	begin(LOAD, offset, 0);
	next_fault(offset, DSM_FAULT_READ);
	give(offset / page_bytes * page_bytes, page_bytes, DSM_ACCESS_READ);
	await_done();
	CHECK_EQUAL(expected, talk->value);
}

/* Without a fault. */
static void store_freely(int32_t process, uint64_t offset, uint64_t value)
{
	turn_to(process);
	begin(STORE, offset, value);
	await_done();
}

/* What one process stores the other loads; each has faulted once. */
static void check_content_is_shared(void)
{
	CHECK_EQUAL(0, dsm_engine_touch(engine, 0, page_bytes));
	store_by(0, 8, 71, DSM_FAULT_WRITE);
	load_by(1, 8, 71);
	store_freely(0, 8, 72);
	turn_to(1);
	begin(LOAD, 8, 0);
	await_done();
	CHECK_EQUAL(72, talk->value);
	store_by(1, 16, 73, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(72, content(8));
	CHECK_EQUAL(73, content(16));
}

/* Both processes may store to page 0; neither may afterwards, and both may load. */
static void check_limit(void)
{
	CHECK_EQUAL(0, dsm_engine_limit(engine, 0, PAGES * page_bytes));
	for (int32_t i = 0; i < PROCESSES; i++) {
		turn_to(i);
		begin(LOAD, 8, 0);
		await_done();
		CHECK_EQUAL(72, talk->value);
	}
	store_by(1, 8, 74, DSM_FAULT_UPGRADE);
	store_by(0, 8, 72, DSM_FAULT_UPGRADE);
}

static void check_withdrawal(void)
{
	CHECK_EQUAL(0, dsm_engine_withdraw(engine, 0, page_bytes));
	load_by(0, 8, 72);
	load_by(1, 16, 73);
	CHECK_EQUAL(0, dsm_engine_discard(engine, 0, page_bytes));
	CHECK_EQUAL(0, dsm_engine_touch(engine, 0, page_bytes));
	load_by(1, 8, 0);
	load_by(0, 8, 0);
}

static uint32_t next_reply(int32_t process)
{
	struct pollfd target = { .fd = dsm_engine_command_fd(engine, process), .events = POLLIN };

	CHECK_EQUAL(1, poll(&target, 1, PATIENCE_MILLIS));
	CHECK_EQUAL(1, dsm_engine_read_replies(engine, process));
	return engine->replies[0].kind;
}

/* A process keeps its access until its own command thread has dropped the page. */
static void check_drop(void)
{
	CHECK(dsm_engine_drop(engine, 1, 0, page_bytes) > 0);
	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, 1, 0, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(DSM_REPLY_DROPPED, next_reply(1));
	turn_to(0);
	begin(LOAD, 8, 0);
	await_done();
	CHECK(dsm_engine_drop(engine, 0, 0, page_bytes) > 0);
	CHECK_EQUAL(DSM_REPLY_DROPPED, next_reply(0));
	load_by(1, 8, 0);
	load_by(0, 8, 0);
}

/* A process whose command thread has not dropped the page yet cannot store after a limit. */
static void check_limit_of_dropped(int32_t kind)
{
	uint8_t *state = &engine->processes[1].states[0];

	store_by(1, 8, 75, DSM_FAULT_UPGRADE);
	if (!dsm_has_uffd(kind))
		return; /* a drop begins with the withdrawal of the access */
	*state = DSM_PAGE_DROPPING;
	CHECK_EQUAL(0, dsm_engine_limit(engine, 0, page_bytes));
	turn_to(1);
	begin(STORE, 8, 76);
	next_fault(8, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(75, content(8));
	*state = DSM_PAGE_MAPPED;
	give(0, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
	store_by(0, 8, 0, DSM_FAULT_UPGRADE);
}

/* A process that counts loses its page again and again, also to its sibling; no store is lost. */
static void check_no_store_is_lost(uint64_t offset)
{
	uint64_t page = offset / page_bytes * page_bytes;

	CHECK_EQUAL(0, dsm_engine_touch(engine, page, page_bytes));
	for (int32_t i = 0; i < PROCESSES; i++) {
		turn_to(i);
		begin(COUNT, offset + 8 * (uint64_t)i, TIMES);
	}
	for (int done = 0; !done;) {
		CHECK_EQUAL(0, dsm_engine_withdraw(engine, page, page_bytes));
		for (int32_t i = 0; i < PROCESSES; i++)
			CHECK_EQUAL(0, dsm_engine_allow(engine, i, page, page_bytes,
							DSM_ACCESS_READ_WRITE));
		while (dsm_engine_read_faults(engine, 0) + dsm_engine_read_faults(engine, 1) > 0) {
		}
		CHECK_EQUAL(0, dsm_engine_wake(engine, page, page_bytes));
		done = 1;
		for (int32_t i = 0; i < PROCESSES; i++) {
			turn_to(i);
			done = done && is_done();
			let_run();
		}
	}
	CHECK_EQUAL(TIMES, content(offset));
	CHECK_EQUAL(TIMES, content(offset + 8));
}

/*
 * The trap of one process makes the twin; the other's store is sent to the agent, which gives
 * access without another twin.
 */
static void check_twins(uint64_t offset)
{
	int64_t twin;

	CHECK_EQUAL(0, dsm_engine_touch(engine, offset, page_bytes));
	load_by(0, offset, 0);
	load_by(1, offset, 0);
	CHECK_EQUAL(1, dsm_engine_offer(engine, offset, page_bytes));
	store_freely(0, offset + 8, 81);
	next_dirtied(offset);
	store_by(1, offset + 16, 82, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(0, dsm_engine_read_news(engine));
	CHECK_EQUAL(DSM_TRAP_DIRTY, dsm_engine_freeze(engine, offset, page_bytes));
	twin = dsm_engine_twin_adopt(engine, offset, (uint32_t)page_bytes);
	CHECK(twin > 0);
	CHECK_EQUAL(0, word_of((uint64_t)twin + 8));
	CHECK_EQUAL(0, word_of((uint64_t)twin + 16));

	CHECK_EQUAL(-EBUSY, dsm_engine_limit(engine, offset, page_bytes));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, offset, page_bytes));
	CHECK_EQUAL(0, dsm_engine_limit(engine, offset, page_bytes));
	store_by(0, offset + 8, 83, DSM_FAULT_UPGRADE);
	store_by(1, offset + 8, 84, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(84, content(offset + 8));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)page_bytes));
}

static void check_poison(uint64_t offset)
{
	CHECK_EQUAL(0, dsm_engine_touch(engine, offset, page_bytes));
	load_by(1, offset, 0);
	CHECK_EQUAL(0, dsm_engine_poison(engine, offset, page_bytes));
	for (int32_t i = 0; i < PROCESSES; i++) {
		turn_to(i);
		begin(ENDED, offset, 0);
		await_done();
	}
}

static void check(int32_t kind)
{
	start_siblings(kind, PAGES, children, PROCESSES);
	check_content_is_shared();
	check_limit();
	check_withdrawal();
	check_drop();
	check_limit_of_dropped(kind);
	check_no_store_is_lost(2 * page_bytes);
	if (dsm_has_traps(kind))
		check_twins(4 * page_bytes);
	check_poison(6 * page_bytes);
	for (int32_t i = 0; i < PROCESSES; i++) {
		kill(children[i], SIGKILL);
		CHECK_EQUAL(children[i], waitpid(children[i], NULL, 0));
		CHECK_EQUAL(DSM_REPLY_GONE, next_reply(i));
	}
	end_pair();
}

void test_siblings(void)
{
	check(DSM_ENGINE_UFFD_EVENT);
	check(DSM_ENGINE_UFFD_SIGNAL);
	check(DSM_ENGINE_MPROTECT_SIGNAL);
}
