/* Applications with traps in separate processes, with the test as their agent. */
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
#include "node_memory.h"
#include "pair.h"

#define WATCH 8

static const uint8_t token[DSM_TOKEN_BYTES] = { 4, 5, 6 };
uint64_t page_bytes;
struct dsm_engine *engine;
struct dsm_pool *pool;
struct talk *talk;
static int32_t current; /* the process that talk belongs to */

static struct dsm_listener *listener;
static char name[64];
static int32_t engine_kind;
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

static void *store(void *argument)
{
	uint64_t offset = (uint64_t)(uintptr_t)argument;

	*word_at(offset) = offset;
	return NULL;
}

/* Every second thread stores to a word of its own; the others load a 3 from theirs. */
static void store_in_threads(uint64_t offset)
{
	pthread_t threads[THREADS];

	for (size_t i = 0; i < THREADS; i++)
		CHECK_EQUAL(0, pthread_create(&threads[i], NULL, i % 2 == 0 ? store : load,
					      (void *)(uintptr_t)(offset + 8 * i)));
	for (size_t i = 0; i < THREADS; i++)
		CHECK_EQUAL(0, pthread_join(threads[i], NULL));
}

static void on_foreign(int signal)
{
	(void)signal;
	siglongjmp(foreign, 1);
}

/*
 * A truncated file, or a page without access: the previous handler still gets the signal.
 */
static void touch_foreign(void)
{
	int is_bus = engine_kind == DSM_ENGINE_UFFD_SIGNAL;
	int fd = memfd_create("foreign", MFD_CLOEXEC);
	volatile uint8_t *mapped;

	CHECK_EQUAL(0, ftruncate(fd, (off_t)page_bytes));
	mapped = mmap(NULL, page_bytes, is_bus ? PROT_READ : PROT_NONE, MAP_SHARED, fd, 0);
	CHECK_EQUAL(0, ftruncate(fd, 0));
	if (sigsetjmp(foreign, 1) == 0) {
		(void)*mapped;
		CHECK(0);
	}
	CHECK_EQUAL(0, munmap((void *)(uintptr_t)mapped, page_bytes));
	close(fd);
}

/* The signal of a poisoned page is SIGBUS with every engine. */
static void touch_ended(uint64_t offset)
{
	struct sigaction action = { .sa_handler = on_foreign };
	struct sigaction before;

	CHECK_EQUAL(0, sigaction(SIGBUS, &action, &before));
	if (sigsetjmp(foreign, 1) == 0) {
		(void)*word_at(offset);
		CHECK(0);
	}
	CHECK_EQUAL(0, sigaction(SIGBUS, &before, NULL));
}

/* As a library that is loaded in the middle of a run. */
static void replace_handler(void)
{
	struct sigaction action = { .sa_handler = on_foreign };

	CHECK_EQUAL(0, sigaction(engine_kind == DSM_ENGINE_UFFD_SIGNAL ? SIGBUS : SIGSEGV, &action,
				 NULL));
}

/* Adds 1 to a word, this many times. */
static void count_up(uint64_t offset, uint64_t times)
{
	for (uint64_t i = 0; i < times; i++)
		(*word_at(offset))++;
}

static void obey(void)
{
	switch (talk->deed) {
	case LOAD:
		talk->value = *word_at(talk->offset);
		break;
	case STORE:
		*word_at(talk->offset) = talk->value;
		break;
	case STORE_TO_ALL:
		for (uint64_t at = 0; at < mapping->region_bytes; at += page_bytes)
			*word_at(at) = talk->value;
		break;
	case LOAD_IN_THREADS:
		load_in_threads(talk->offset);
		break;
	case STORE_IN_THREADS:
		store_in_threads(talk->offset);
		break;
	case HIDE_FRAMES: /* no trap can copy them any more */
		CHECK_EQUAL(0, mprotect(mapping->pool->memory,
					mapping->pool->node_bytes * mapping->pool->map.nodes,
					PROT_NONE));
		break;
	case COUNT:
		count_up(talk->offset, talk->value);
		break;
	case FOREIGN:
		touch_foreign();
		break;
	case ENDED:
		touch_ended(talk->offset);
		break;
	case REPLACE:
		replace_handler();
		break;
	default:
		CHECK(0);
	}
}

static void open_mapping(uint64_t pages, int32_t processes)
{
	struct sigaction action = { .sa_handler = on_foreign };
	struct dsm_open_report report;
	struct dsm_mapping *second;

	CHECK_EQUAL(0, sigaction(engine_kind == DSM_ENGINE_UFFD_SIGNAL ? SIGBUS : SIGSEGV, &action,
				 NULL));
	CHECK_EQUAL(0, setenv(DSM_GATE_VARIABLE, "1", 1));
	CHECK_EQUAL(-EINVAL, dsm_mapping_open(engine_kind, processes, page_bytes, page_bytes, page_bytes,
					      &mapping, &report));
	CHECK_EQUAL(0, dsm_mapping_open(engine_kind, processes, pages * page_bytes, page_bytes, WATCH,
					&mapping, &report));
	if (dsm_has_traps(engine_kind))
		CHECK_EQUAL(-EEXIST, dsm_mapping_open(engine_kind, 1, page_bytes, page_bytes, 0,
						      &second, &report));
}

static void join_mapping(uint64_t pages, int32_t process, int32_t processes)
{
	struct dsm_open_report report;
	struct dsm_verdict verdict;

	CHECK_EQUAL(0, dsm_mapping_join(engine_kind, processes, pages * page_bytes, page_bytes,
					WATCH, process, name, token, PATIENCE_MILLIS, &mapping,
					&report, &verdict));
}

static _Noreturn void run_application(uint64_t pages, int32_t process, int32_t processes)
{
	struct dsm_verdict verdict;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (process == 0)
		open_mapping(pages, processes);
	else
		join_mapping(pages, process, processes);
	CHECK_EQUAL(0, dsm_mapping_attach(mapping, name, token, 5, PATIENCE_MILLIS, &verdict));
	CHECK_EQUAL(pool != NULL, mapping->pool != NULL);
	CHECK_EQUAL(pool != NULL, mapping->shared_fd >= 0);
	talk = (struct talk *)(void *)mapping->control + process;
	for (;;) {
		uint64_t todo = __atomic_load_n(&talk->todo, __ATOMIC_ACQUIRE);

		if (todo == talk->done) {
			sched_yield();
			continue;
		}
		obey();
		__atomic_store_n(&talk->done, todo, __ATOMIC_RELEASE);
	}
}

void begin(enum deed deed, uint64_t offset, uint64_t value)
{
	talk->deed = deed;
	talk->offset = offset;
	talk->value = value;
	__atomic_store_n(&talk->todo, talk->todo + 1, __ATOMIC_RELEASE);
}

/* Resumes the application, which must not have ended. */
void let_run(void)
{
	CHECK_EQUAL(0, waitpid(dsm_engine_pid(engine, current), NULL, WNOHANG));
	sched_yield();
}

int is_done(void)
{
	return __atomic_load_n(&talk->done, __ATOMIC_ACQUIRE) == talk->todo;
}

void await_done(void)
{
	while (!is_done())
		let_run();
}

void next_fault(uint64_t offset, uint32_t kind)
{
	struct pollfd target = { .fd = dsm_engine_fault_fd(engine, current), .events = POLLIN };

	CHECK_EQUAL(1, poll(&target, 1, PATIENCE_MILLIS));
	CHECK_EQUAL(1, dsm_engine_read_faults(engine, current));
	CHECK_EQUAL(offset, engine->faults[0].offset);
	CHECK_EQUAL(kind, engine->faults[0].kind);
	CHECK_EQUAL(current, engine->faults[0].process);
}

void give(uint64_t offset, uint64_t bytes, int32_t access)
{
	CHECK_EQUAL(0, dsm_engine_allow(engine, current, offset, bytes, access));
	CHECK_EQUAL(0, dsm_engine_wake(engine, offset, bytes));
}

uint64_t word_of(uint64_t address)
{
	return *(volatile uint64_t *)(uintptr_t)address;
}

uint64_t content(uint64_t offset)
{
	return word_of(dsm_engine_alias(engine) + offset);
}

/* Gives read access and offers the page to the traps. */
void offer(uint64_t offset, uint64_t bytes)
{
	CHECK_EQUAL(0, dsm_engine_touch(engine, offset, bytes));
	CHECK_EQUAL(0, dsm_engine_allow(engine, current, offset, bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(1, dsm_engine_offer(engine, offset, bytes));
}

void next_dirtied(uint64_t offset)
{
	CHECK_EQUAL(1, dsm_engine_read_news(engine));
	CHECK_EQUAL(offset, engine->told.batch[0].offset);
	CHECK_EQUAL(0, dsm_engine_read_news(engine));
}

void turn_to(int32_t process)
{
	current = process;
	talk = (struct talk *)(uintptr_t)dsm_engine_control(engine) + process;
}

/* Starts a process and waits until it has attached, which the listener reports so. */
static pid_t start(uint64_t pages, int32_t process, int32_t processes, int errors, int32_t reported)
{
	struct dsm_verdict verdict;
	struct pollfd target = { .fd = dsm_listener_fd(listener), .events = POLLIN };
	int32_t accepted;
	pid_t child = fork();

	if (child == 0) {
		if (errors >= 0)
			dup2(errors, STDERR_FILENO);
		run_application(pages, process, processes);
	}
	do {
		CHECK_EQUAL(1, poll(&target, 1, PATIENCE_MILLIS));
		accepted = dsm_listener_accept(listener, token, &engine, &verdict);
		CHECK_EQUAL(0, verdict.status);
	} while (accepted == 0);
	CHECK_EQUAL(reported, accepted);
	turn_to(process);
	CHECK_EQUAL(child, dsm_engine_pid(engine, process));
	return child;
}

static void listen_for(int32_t kind)
{
	static int pairs; /* the protector of an ended application may still hold its name */

	engine_kind = kind;
	engine = NULL;
	page_bytes = (uint64_t)dsm_page_bytes();
	snprintf(name, sizeof(name), "muninn-test-pair-%d-%d", getpid(), pairs++);
	CHECK_EQUAL(0, dsm_listener_open(name, &listener));
	dsm_listener_use_pool(listener, pool);
	if (pool != NULL)
		dsm_listener_share(listener, pool->fd); /* any file: the verdict carries two */
}

pid_t start_pair(int32_t kind, uint64_t pages, int errors)
{
	pid_t child;

	listen_for(kind);
	child = start(pages, 0, 1, errors, 1);
	CHECK_EQUAL(kind, dsm_engine_kind(engine));
	return child;
}

void start_siblings(int32_t kind, uint64_t pages, pid_t children[], int32_t processes)
{
	listen_for(kind);
	for (int32_t i = 0; i < processes; i++)
		children[i] = start(pages, i, processes, -1, i == 0 ? 1 : 2);
	CHECK_EQUAL(processes, dsm_engine_processes(engine));
	turn_to(0);
}

void end_pair(void)
{
	dsm_engine_close(engine);
	dsm_listener_close(listener);
}
