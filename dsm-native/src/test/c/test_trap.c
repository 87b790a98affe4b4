/* Traps of an application in a process of its own, held at every step while its agent goes on. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "engine.h"
#include "mapping.h"

#define PATIENCE_MILLIS 20000
#define PAGES (UINT64_C(17) << 10) /* more than the memory of twins that is kept */
#define UNIT 4
#define THREADS 8
#define WATCH 8

static const uint8_t token[DSM_TOKEN_BYTES] = { 4, 5, 6 };
static uint64_t page_bytes;

/* What the application is told to do, and says it has done, in the control memory. */
struct talk {
	uint64_t todo; /* number of the deed; 0 none */
	uint64_t watch;
	uint64_t done;
	uint64_t deed;
	uint64_t offset;
	uint64_t value;
};

enum deed { LOAD = 1, STORE = 2, STORE_TO_ALL = 3, LOAD_IN_THREADS = 4, FOREIGN = 5 };

static struct dsm_mapping *mapping;
static sigjmp_buf foreign;

static volatile uint64_t *word_at(uint64_t offset)
{
	return (volatile uint64_t *)(void *)(mapping->region + offset);
}

static void *load(void *argument)
{
	CHECK_EQUAL(3, *word_at((uint64_t)(uintptr_t)argument));
	return NULL;
}

static void load_in_threads(uint64_t offset)
{
	pthread_t threads[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		CHECK_EQUAL(0, pthread_create(&threads[i], NULL, load,
					      (void *)(uintptr_t)(offset + 8 * i)));
	for (size_t i = 0; i < THREADS; i++)
		CHECK_EQUAL(0, pthread_join(threads[i], NULL));
}

static void on_foreign(int signal)
{
	(void)signal;
	siglongjmp(foreign, 1);
}

/* A file that was cut: whoever had the signal before still gets it. */
static void touch_foreign(void)
{
	int fd = memfd_create("foreign", MFD_CLOEXEC);
	volatile uint8_t *mapped;

	CHECK_EQUAL(0, ftruncate(fd, (off_t)page_bytes));
	mapped = mmap(NULL, page_bytes, PROT_READ, MAP_SHARED, fd, 0);
	CHECK_EQUAL(0, ftruncate(fd, 0));
	if (sigsetjmp(foreign, 1) == 0) {
		(void)*mapped;
		CHECK(0);
	}
	close(fd);
}

static void obey(struct talk *talk)
{
	switch (talk->deed) {
	case LOAD:
		talk->value = *word_at(talk->offset);
		break;
	case STORE:
		*word_at(talk->offset) = talk->value;
		break;
	case STORE_TO_ALL:
		for (uint64_t page = 0; page < PAGES; page++)
			*word_at(page * page_bytes) = talk->value;
		break;
	case LOAD_IN_THREADS:
		load_in_threads(talk->offset);
		break;
	case FOREIGN:
		touch_foreign();
		break;
	default:
		CHECK(0);
	}
}

static _Noreturn void run_application(const char *name)
{
	struct sigaction action = { .sa_handler = on_foreign };
	struct dsm_open_report report;
	struct dsm_mapping *second;
	struct dsm_verdict verdict;
	struct talk *talk;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CHECK_EQUAL(0, sigaction(SIGBUS, &action, NULL));
	CHECK_EQUAL(0, setenv(DSM_GATE_VARIABLE, "1", 1));
	CHECK_EQUAL(-EINVAL, dsm_mapping_open(DSM_ENGINE_UFFD_SIGNAL, page_bytes, page_bytes,
					      page_bytes, &mapping, &report));
	CHECK_EQUAL(0, dsm_mapping_open(DSM_ENGINE_UFFD_SIGNAL, PAGES * page_bytes, page_bytes,
					WATCH, &mapping, &report));
	CHECK_EQUAL(-EEXIST, dsm_mapping_open(DSM_ENGINE_UFFD_SIGNAL, page_bytes, page_bytes, 0,
					      &second, &report));
	CHECK_EQUAL(0, dsm_mapping_attach(mapping, name, token, 5, PATIENCE_MILLIS, &verdict));
	talk = (struct talk *)(void *)mapping->control;
	for (;;) {
		uint64_t todo = __atomic_load_n(&talk->todo, __ATOMIC_ACQUIRE);

		if (todo == talk->done) {
			sched_yield();
			continue;
		}
		obey(talk);
		__atomic_store_n(&talk->done, todo, __ATOMIC_RELEASE);
	}
}

static struct dsm_engine *engine;
static struct talk *talk;

static void begin(enum deed deed, uint64_t offset, uint64_t value)
{
	talk->deed = deed;
	talk->offset = offset;
	talk->value = value;
	__atomic_store_n(&talk->todo, talk->todo + 1, __ATOMIC_RELEASE);
}

/* Lets the application run; it must not have ended. */
static void let_run(void)
{
	CHECK_EQUAL(0, waitpid(dsm_engine_pid(engine), NULL, WNOHANG));
	sched_yield();
}

static int is_done(void)
{
	return __atomic_load_n(&talk->done, __ATOMIC_ACQUIRE) == talk->todo;
}

static void await_done(void)
{
	while (!is_done())
		let_run();
}

static void next_fault(uint64_t offset, uint32_t kind)
{
	struct pollfd target = { .fd = dsm_engine_fault_fd(engine), .events = POLLIN };

	CHECK_EQUAL(1, poll(&target, 1, PATIENCE_MILLIS));
	CHECK_EQUAL(1, dsm_engine_read_faults(engine));
	CHECK_EQUAL(offset, engine->faults[0].offset);
	CHECK_EQUAL(kind, engine->faults[0].kind);
}

static void give(uint64_t offset, uint64_t bytes, int32_t access)
{
	CHECK_EQUAL(0, dsm_engine_allow(engine, offset, bytes, access));
	CHECK_EQUAL(0, dsm_engine_wake(engine, offset, bytes));
}

static uint64_t word_of(uint64_t address)
{
	return *(volatile uint64_t *)(uintptr_t)address;
}

static uint64_t content(uint64_t offset)
{
	return word_of(dsm_engine_alias(engine) + offset);
}

/* Read access, and a trap may do the rest. */
static void offer(uint64_t offset, uint64_t bytes)
{
	CHECK_EQUAL(0, dsm_engine_touch(engine, offset, bytes));
	CHECK_EQUAL(0, dsm_engine_allow(engine, offset, bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(1, dsm_engine_offer(engine, offset, bytes));
}

static void next_dirtied(uint64_t offset)
{
	CHECK_EQUAL(1, dsm_engine_read_dirtied(engine));
	CHECK_EQUAL(offset, engine->dirtied.batch[0]);
	CHECK_EQUAL(0, dsm_engine_read_dirtied(engine));
}

static void check_twin(void)
{
	uint64_t at = 2 * page_bytes;
	int64_t twin;

	offer(at, page_bytes);
	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, at, page_bytes, DSM_ACCESS_READ_WRITE));
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

	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_allow(engine, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)page_bytes));
	CHECK_EQUAL(-EINVAL, dsm_engine_twin_free(engine, (uint64_t)twin, (uint32_t)page_bytes));
	CHECK_EQUAL(0, dsm_engine_twin_bytes(engine));
	begin(STORE, at + 8, 8); /* the agent's: it is asked */
	next_fault(at + 8, DSM_FAULT_UPGRADE);
	give(at, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
	CHECK_EQUAL(0, dsm_engine_read_dirtied(engine));
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
		int32_t count = dsm_engine_read_faults(engine);

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
	CHECK_EQUAL(0, dsm_engine_read_faults(engine));

	begin(STORE, at, 4);
	next_fault(at, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(0, dsm_engine_wake(engine, at, page_bytes)); /* too early: it asks again */
	next_fault(at, DSM_FAULT_UPGRADE);
	give(at, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
	CHECK_EQUAL(4, content(at));
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

/* The page is taken from a trap that copies it: nothing of what that does is seen. */
static void check_stale(uint32_t gate, uint64_t at)
{
	int64_t twin;

	offer(at, page_bytes);
	hold(gate);
	begin(STORE, at, 5);
	await_held();
	CHECK_EQUAL(DSM_TRAP_TWINNING, dsm_engine_trap_state(engine, at));
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_freeze(engine, at, page_bytes));
	*(uint64_t *)(uintptr_t)(dsm_engine_alias(engine) + at + 8) = 6; /* a foreign diff */
	CHECK_EQUAL(0, dsm_engine_offer(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_read_dirtied(engine));
	hold(DSM_GATE_OPEN);
	next_fault(at, DSM_FAULT_UPGRADE);
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_trap_state(engine, at));
	CHECK_EQUAL(1, dsm_engine_offer(engine, at, page_bytes)); /* it has noticed */
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

/* The twin is complete: the page cannot be taken, and is compared as it is. */
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
	CHECK_EQUAL(gate == DSM_GATE_LIFTING ? 0 : 1, dsm_engine_read_dirtied(engine));
	CHECK_EQUAL(-EBUSY, dsm_engine_allow(engine, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(-EBUSY, dsm_engine_withdraw(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_discard(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_poison(engine, at, page_bytes));
	CHECK_EQUAL(-EBUSY, dsm_engine_drop(engine, at, page_bytes));

	twin = dsm_engine_twin_adopt(engine, at, bytes);
	CHECK_EQUAL(0, dsm_engine_diff(engine, at, (uint64_t)twin, bytes, 8, diff, sizeof(diff)));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, bytes));
	*(uint64_t *)(uintptr_t)(dsm_engine_alias(engine) + at + 8) = 6;
	CHECK_EQUAL(twin, dsm_engine_twin_remake(engine, at, bytes));
	CHECK_EQUAL(6, word_of((uint64_t)twin + 8));

	hold(DSM_GATE_OPEN);
	await_done();
	CHECK_EQUAL(DSM_TRAP_AGENT, dsm_engine_seize(engine, at, page_bytes));
	CHECK_EQUAL(0, dsm_engine_allow(engine, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(INT64_C(1) << 32 | (4 + 8),
		    dsm_engine_diff(engine, at, (uint64_t)twin, bytes, 8, diff, sizeof(diff)));
	CHECK_EQUAL(0, dsm_engine_twin_free(engine, (uint64_t)twin, bytes));
	while (dsm_engine_read_dirtied(engine) > 0)
		; /* what is known */
}

static uint64_t bytes_of_twins(void)
{
	struct stat status;

	CHECK_EQUAL(0, fstat(engine->twins_fd, &status));
	return (uint64_t)status.st_blocks * 512;
}

/* Twins of more pages than are kept; twice, since the second time some have their memory. */
static void check_kept_memory(void)
{
	uint64_t bound = UINT64_C(64) << 20;
	int32_t count;

	for (uint64_t round = 1; round <= 2; round++) {
		uint64_t pages = 0;

		for (uint64_t page = 0; page < PAGES; page++) {
			CHECK_EQUAL(DSM_TRAP_AGENT,
				    dsm_engine_freeze(engine, page * page_bytes, page_bytes));
			offer(page * page_bytes, page_bytes);
		}
		begin(STORE_TO_ALL, 0, 100 + round);
		await_done();
		CHECK(bytes_of_twins() >= PAGES * page_bytes);
		while ((count = dsm_engine_read_dirtied(engine)) > 0) {
			for (int32_t i = 0; i < count; i++) {
				uint64_t at = engine->dirtied.batch[i];
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
		CHECK_EQUAL(PAGES, pages);
		CHECK(bytes_of_twins() <= bound);
		CHECK(bytes_of_twins() >= bound / 2);
	}
}

static void check_engine(void)
{
	talk = (struct talk *)(uintptr_t)dsm_engine_control(engine);
	CHECK_EQUAL(DSM_ENGINE_UFFD_SIGNAL, dsm_engine_kind(engine));
	begin(LOAD, 0, 0);
	next_fault(0, DSM_FAULT_READ);
	CHECK_EQUAL(-EFAULT, dsm_engine_allow(engine, 0, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(0, dsm_engine_touch(engine, 0, page_bytes));
	give(0, page_bytes, DSM_ACCESS_READ);
	await_done();
	check_twin();
	check_unit();
	check_slots();
	check_stale(DSM_GATE_TWINNING, 40 * page_bytes);
	check_stale(DSM_GATE_COPIED, 41 * page_bytes);
	check_lifting(DSM_GATE_LIFTING, 42 * page_bytes);
	check_lifting(DSM_GATE_PUSHED, 43 * page_bytes);
	check_lifting(DSM_GATE_LIFTED, 44 * page_bytes);
	begin(FOREIGN, 0, 0);
	await_done();
	check_kept_memory();
}

void test_trap(void)
{
	struct dsm_listener *listener;
	struct dsm_verdict verdict;
	struct pollfd target;
	char name[64];
	pid_t child;

	page_bytes = (uint64_t)dsm_page_bytes();
	snprintf(name, sizeof(name), "muninn-test-trap-%d", getpid());
	CHECK_EQUAL(0, dsm_listener_open(name, &listener));
	child = fork();
	if (child == 0)
		run_application(name);
	target = (struct pollfd){ .fd = dsm_listener_fd(listener), .events = POLLIN };
	do {
		CHECK_EQUAL(1, poll(&target, 1, PATIENCE_MILLIS));
	} while (dsm_listener_accept(listener, token, &engine, &verdict) == 0);
	check_engine();
	CHECK_EQUAL(0, kill(child, SIGKILL));
	CHECK_EQUAL(child, waitpid(child, NULL, 0));
	dsm_engine_close(engine);
	dsm_listener_close(listener);
}
