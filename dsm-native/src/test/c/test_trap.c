/*
 * Traps of an application in a separate process, held at every step while its agent
 * continues.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "pair.h"

#define PAGES (UINT64_C(17) << 10) /* more than the retained memory of twins */
#define UNIT 4

static void check_twin(void)
{
	uint64_t at = 2 * page_bytes;
	int64_t twin;

	offer(at, page_bytes);
	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ_WRITE));
	CHECK_EQUAL(-EBUSY, dsm_engine_discard(engine, at, page_bytes));
	talk->watch = 0;
	begin(STORE, at + 8, 7);
	await_done();
	CHECK_EQUAL(1, talk->watch);
	next_dirtied(at);
	CHECK_EQUAL(DSM_TRAP_DIRTY, dsm_engine_freeze(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_offer(engine, at, page_bytes));
	twin = dsm_engine_twin_adopt(engine, at, (uint32_t)page_bytes);
	CHECK(twin > 0);
	CHECK_EQUAL(-EINVAL, dsm_engine_twin_adopt(engine, at, (uint32_t)page_bytes));
	CHECK_EQUAL(page_bytes, dsm_engine_twin_bytes(engine));
	CHECK_EQUAL(0, word_of((uint64_t)twin + 8));
	CHECK_EQUAL(7, content(at + 8));

	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)page_bytes));
	CHECK_EQUAL(-EINVAL, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)page_bytes));
	CHECK_EQUAL(0, dsm_engine_twin_bytes(engine));
	begin(STORE, at + 8, 8); /* the agent has the page and gets the fault */
	next_fault(at + 8, DSM_FAULT_UPGRADE);
	give(at, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
	CHECK_EQUAL(0, dsm_engine_read_news(engine));
}

static void check_unit(void)
{
	uint64_t unit = UNIT * page_bytes;
	uint64_t at = 4 * unit;
	int64_t twin;

	CHECK_EQUAL(-EINVAL, dsm_engine_freeze(engine, at + page_bytes, unit));
	CHECK_EQUAL(-EINVAL, dsm_engine_freeze(engine, at, 3 * page_bytes));
	offer(at, unit);
	begin(STORE, at + 2 * page_bytes + 16, 9);
	await_done();
	next_dirtied(at);
	twin = dsm_engine_twin_adopt(engine, at, (uint32_t)unit);
	CHECK_EQUAL(0, word_of((uint64_t)twin + 2 * page_bytes + 16));
	begin(STORE, at + 3 * page_bytes, 9); /* all of it was lifted */
	await_done();
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, unit));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)unit));
}

static void check_slots(void)
{
	uint64_t at = 30 * page_bytes;
	int faults = 0;

	*(uint64_t *)(uintptr_t)(dsm_engine_alias(engine) + at) = 0;
	for (size_t i = 0; i < THREADS; i++)
		*(uint64_t *)(uintptr_t)(dsm_engine_alias(engine) + at + 8 * i) = 3;
	begin(LOAD_IN_THREADS, at, 0);
	while (faults < THREADS) {
		int32_t count = dsm_engine_read_faults(engine, 0);

		CHECK(count >= 0);
		faults += count;
		let_run();
	}
	CHECK(!is_done());
	CHECK_EQUAL(THREADS, engine->posted.open_count);
	CHECK_EQUAL(0, dsm_engine_wake(engine, 0, at)); /* other pages */
	CHECK_EQUAL(THREADS, engine->posted.open_count);
	give(at, page_bytes, DSM_ACCESS_READ);
	await_done();
	CHECK_EQUAL(0, engine->posted.open_count);
	CHECK_EQUAL(0, dsm_engine_read_faults(engine, 0));

	begin(STORE, at, 4);
	next_fault(at, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes)); /* too early: it faults again */
	next_fault(at, DSM_FAULT_UPGRADE);
	give(at, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
	CHECK_EQUAL(4, content(at));
}

static int is_told(void)
{
	struct pollfd told = { .fd = dsm_engine_fault_fd(engine, 0), .events = POLLIN };

	return poll(&told, 1, 0) > 0;
}

/* Posts a fault as a thread that loads from the first page. */
static void post(uint32_t index)
{
	struct dsm_slot *slot = &engine->traps->slots[index];

	*slot = (struct dsm_slot){ .word = DSM_SLOT_POSTED, .kind = DSM_FAULT_READ };
	if (dsm_trap_push(&engine->traps->posted, &slot->next, index + 1))
		dsm_trap_notify(engine->event_fd);
}

static void unpost(uint32_t slots)
{
	CHECK_EQUAL(slots, engine->posted.open_count);
	CHECK_EQUAL(0, dsm_engine_wake(engine, 0, page_bytes));
	for (uint32_t i = 0; i < slots; i++) {
		CHECK_EQUAL(DSM_SLOT_ANSWERED, engine->traps->slots[i].word);
		engine->traps->slots[i].word = DSM_SLOT_FREE;
	}
}

/* More faults than one call delivers, and one more while some of them are left. */
static void check_told(void)
{
	uint32_t most = DSM_FAULT_BATCH_MAX;

	for (uint32_t i = 0; i <= most; i++)
		post(i);
	CHECK(is_told());
	CHECK_EQUAL(most, dsm_engine_read_faults(engine, 0));
	post(most + 1);
	CHECK(is_told());
	CHECK_EQUAL(1, dsm_engine_read_faults(engine, 0));
	CHECK(is_told());
	CHECK_EQUAL(1, dsm_engine_read_faults(engine, 0));
	CHECK(!is_told());
	unpost(most + 2);
}

/*
 * An edge-triggered watcher is notified of each first fault, and the descriptor is not
 * read.
 */
static void check_edges(void)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int fd = epoll_create1(EPOLL_CLOEXEC);

	CHECK_EQUAL((uintptr_t)&engine->traps->posted, dsm_engine_watch_edges(engine));
	CHECK_EQUAL(0, epoll_ctl(fd, EPOLL_CTL_ADD, dsm_engine_fault_fd(engine, 0), &event));
	for (uint32_t i = 0; i < 3; i++) {
		post(0);
		CHECK_EQUAL(1, epoll_wait(fd, &event, 1, 0));
		CHECK_EQUAL(0, epoll_wait(fd, &event, 1, 0));
		CHECK_EQUAL(1, dsm_engine_read_faults(engine, 0));
		unpost(1);
	}
	CHECK(is_told()); /* unread */
	close(fd);
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

/*
 * The page is taken from a trap that is copying it: the trap's work has no visible effect.
 */
static void check_stale(uint32_t gate, uint64_t at)
{
	int64_t twin;

	offer(at, page_bytes);
	hold(gate);
	begin(STORE, at, 5);
	await_held();
	CHECK_EQUAL(DSM_TRAP_TWINNING, dsm_engine_trap_state(engine, at));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_freeze(engine, at, page_bytes));
	*(uint64_t *)(uintptr_t)(dsm_engine_alias(engine) + at + 8) = 6; /* a diff of another node */
	CHECK_EQUAL(0, dsm_engine_offer(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_read_news(engine));
	hold(DSM_GATE_OPEN);
	next_fault(at, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_trap_state(engine, at));
	CHECK_EQUAL(1, dsm_engine_offer(engine, at, page_bytes)); /* the trap has noticed */
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes));
	await_done();
	next_dirtied(at);
	twin = dsm_engine_twin_adopt(engine, at, (uint32_t)page_bytes);
	CHECK_EQUAL(6, word_of((uint64_t)twin + 8));
	CHECK_EQUAL(0, word_of((uint64_t)twin));
	CHECK_EQUAL(5, content(at));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)page_bytes));
}

/* The twin is complete: the page cannot be taken, and its current content is compared. */
static void check_lifting(uint32_t gate, uint64_t at)
{
	_Alignas(64) uint8_t diff[DSM_PAGE_BYTES_MAX];
	uint32_t bytes = (uint32_t)page_bytes;
	int64_t twin;

	offer(at, page_bytes);
	hold(gate);
	begin(STORE, at, 5);
	await_held();
	CHECK_EQUAL(DSM_TRAP_LIFTING, dsm_engine_freeze(engine, at, page_bytes));
	CHECK_EQUAL(DSM_TRAP_LIFTING, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(gate == DSM_GATE_LIFTING ? 0 : 1, dsm_engine_read_news(engine));
	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(-EBUSY, dsm_engine_withdraw(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_discard(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_poison(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_drop(engine, 0, at, page_bytes));

	twin = dsm_engine_twin_adopt(engine, at, bytes);
	CHECK_EQUAL(0, dsm_engine_diff(engine, at, (uint64_t)twin, bytes, 8, diff, sizeof(diff)));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, bytes));
	*(uint64_t *)(uintptr_t)(dsm_engine_alias(engine) + at + 8) = 6;
	CHECK_EQUAL(twin, dsm_engine_twin_remake(engine, at, bytes));
	CHECK_EQUAL(6, word_of((uint64_t)twin + 8));

	hold(DSM_GATE_OPEN);
	await_done();
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(INT64_C(1) << 32 | (4 + 8),
		    dsm_engine_diff(engine, at, (uint64_t)twin, bytes, 8, diff, sizeof(diff)));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, bytes));
	while (dsm_engine_read_news(engine) > 0)
		; /* what is known */
}

static uint64_t bytes_of_twins(void)
{
	struct stat status;

	CHECK_EQUAL(0, fstat(engine->twins_fd, &status));
	return (uint64_t)status.st_blocks * 512;
}

/*
 * Stores to all pages. With mprotect the traps' count of mappings, a worst case, reaches
 * the limit: one fault is sent to the agent, which recounts, and traps continue.
 */
static uint64_t store_to_all(uint64_t value)
{
	uint64_t asked = 0;

	begin(STORE_TO_ALL, 0, value);
	while (!is_done()) {
		int32_t count = dsm_engine_read_faults(engine, 0);

		for (int32_t i = 0; i < count; i++) {
			uint64_t at = engine->faults[i].offset;

			CHECK_EQUAL(DSM_FAULT_UPGRADE, engine->faults[i].kind);
			CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_freeze(engine, at, page_bytes));
			give(at, page_bytes, DSM_ACCESS_READ_WRITE);
			asked++;
		}
		let_run();
	}
	CHECK_EQUAL(2 * PAGES > (uint64_t)dsm_engine_maps_max(engine) &&
			    dsm_engine_kind(engine) == DSM_ENGINE_MPROTECT_SIGNAL,
		    asked);
	return PAGES - asked;
}

/*
 * Makes twins of more pages than are retained, twice: the second time some still have their
 * memory.
 */
static void check_kept_memory(void)
{
	uint64_t bound = UINT64_C(64) << 20;
	int32_t count;

	for (uint64_t round = 1; round <= 2; round++) {
		uint64_t pages = 0;
		uint64_t twins;

		for (uint64_t page = 0; page < PAGES; page++) {
			CHECK_EQUAL(DSM_TRAP_AGENT,
				    dsm_engine_freeze(engine, page * page_bytes, page_bytes));
			offer(page * page_bytes, page_bytes);
		}
		twins = store_to_all(100 + round);
		CHECK(bytes_of_twins() >= twins * page_bytes);
		while ((count = dsm_engine_read_news(engine)) > 0) {
			for (int32_t i = 0; i < count; i++) {
				uint64_t at = engine->told.batch[i].offset;
				int64_t twin = dsm_engine_twin_adopt(engine, at,
								     (uint32_t)page_bytes);

				CHECK(word_of((uint64_t)twin) != 100 + round);
				CHECK_EQUAL(DSM_TRAP_AGENT,
					    dsm_engine_seize(engine, at, page_bytes));
				CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin,
								    (uint32_t)page_bytes));
				pages++;
			}
		}
		CHECK_EQUAL(twins, pages);
		CHECK(bytes_of_twins() <= bound);
		CHECK(bytes_of_twins() >= bound / 2);
	}
}

/* Words that no trap writes, in memory of the application: refused without a hang. */
static void check_broken_words(void)
{
	struct dsm_traps *traps = engine->traps;

	traps->pages[5].next = 6; /* a page that follows itself */
	traps->pages[5].news = DSM_NEWS_DIRTIED;
	traps->told = 6;
	CHECK_EQUAL(-EPROTO, dsm_engine_read_news(engine));
	engine->told.chain = 0;
	traps->told = UINT32_MAX;
	CHECK_EQUAL(-EPROTO, dsm_engine_read_news(engine));
	engine->told.chain = 0;
	engine->told.count = 0;

	traps->slots[2].next = 3;
	traps->posted = 3;
	CHECK_EQUAL(-EPROTO, dsm_engine_read_faults(engine, 0));
	engine->posted.count = 0;
	traps->posted = DSM_SLOTS + 1;
	CHECK_EQUAL(-EPROTO, dsm_engine_read_faults(engine, 0));
	traps->slots[2] = (struct dsm_slot){ .word = DSM_SLOT_POSTED,
					     .offset = engine->region_bytes };
	traps->posted = 3;
	CHECK_EQUAL(-EFAULT, dsm_engine_read_faults(engine, 0));
}

static void check_engine(void)
{
	begin(LOAD, 0, 0);
	next_fault(0, DSM_FAULT_READ);
	CHECK_EQUAL(-EFAULT, dsm_engine_allow(engine, 0, 0, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(0, dsm_engine_touch(engine, 0, page_bytes));
	give(0, page_bytes, DSM_ACCESS_READ);
	await_done();
	check_twin();
	check_unit();
	check_slots();
	check_told();
	check_stale(DSM_GATE_TWINNING, 40 * page_bytes);
	check_stale(DSM_GATE_COPIED, 41 * page_bytes);
	check_lifting(DSM_GATE_LIFTING, 42 * page_bytes);
	check_lifting(DSM_GATE_PUSHED, 43 * page_bytes);
	check_lifting(DSM_GATE_LIFTED, 44 * page_bytes);
	begin(FOREIGN, 0, 0);
	await_done();
	check_kept_memory();
	check_edges();
	check_broken_words();
}

static void ping(void)
{
	struct pollfd target = { .fd = dsm_engine_command_fd(engine, 0), .events = POLLIN };

	CHECK(dsm_engine_ping(engine, 0) > 0);
	CHECK_EQUAL(1, poll(&target, 1, PATIENCE_MILLIS));
	CHECK_EQUAL(1, dsm_engine_read_replies(engine, 0));
}

/* A handler that another library installs later is noticed at the next ping, once. */
static void check_replaced(int32_t kind, const char *signal_name)
{
	char text[DSM_TEXT_MAX + 1] = { 0 };
	int errors[2];
	pid_t child;

	CHECK_EQUAL(0, pipe2(errors, O_CLOEXEC | O_NONBLOCK));
	child = start_pair(kind, 4, errors[1]);
	close(errors[1]);
	ping();
	CHECK_EQUAL(-1, read(errors[0], text, 1));
	begin(REPLACE, 0, 0);
	await_done();
	ping();
	CHECK(read(errors[0], text, sizeof(text) - 1) > 0);
	CHECK(strstr(text, "muninn: node 5: warning: /") == text);
	CHECK(strstr(text, program_invocation_short_name) != NULL);
	CHECK(strstr(text, " has replaced the handler of ") != NULL);
	CHECK(strstr(text, signal_name) != NULL);
	ping();
	CHECK_EQUAL(-1, read(errors[0], text, 1));
	CHECK_EQUAL(0, kill(child, SIGKILL));
	CHECK_EQUAL(child, waitpid(child, NULL, 0));
	close(errors[0]);
	end_pair();
}

void test_trap(void)
{
	static const int32_t kinds[] = { DSM_ENGINE_UFFD_SIGNAL, DSM_ENGINE_MPROTECT_SIGNAL };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		pid_t child = start_pair(kinds[i], PAGES, -1);

		check_engine();
		CHECK_EQUAL(0, kill(child, SIGKILL));
		CHECK_EQUAL(child, waitpid(child, NULL, 0));
		end_pair();
	}
	check_replaced(DSM_ENGINE_UFFD_SIGNAL, "SIGBUS");
	check_replaced(DSM_ENGINE_MPROTECT_SIGNAL, "SIGSEGV");
}
