/*
 * Access by mprotect: the protector works while its application is stopped, the two end
 * together, and mappings are counted and limited.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "pair.h"

#define PAGES UINT64_C(40000)
#define RANDOM_PAGES 200
#define RANDOM_CHANGES 2000

/* The letter of a process's state, or 0 if there is no such process. */
static char state_of(int pid)
{
	char path[64];
	char text[256];
	FILE *file;
	char state = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	if (fgets(text, sizeof(text), file) != NULL && strrchr(text, ')') != NULL)
		state = strrchr(text, ')')[2];
	fclose(file);
	return state;
}

/* The number of mappings of the application in the kernel: of its regions, and in total. */
static void count_maps(int *regions, int *all)
{
	char path[64];
	char line[512];
	FILE *file;

	*regions = *all = 0;
	snprintf(path, sizeof(path), "/proc/%d/maps", dsm_engine_pid(engine, 0));
	file = fopen(path, "re");
	CHECK(file != NULL);
	while (fgets(line, sizeof(line), file) != NULL) {
		unsigned long long start = strtoull(line, NULL, 16);

		(*all)++;
		*regions += start >= engine->processes[0].base && start - engine->processes[0].base < engine->region_bytes;
	}
	fclose(file);
}

static void check_count(void)
{
	int regions;
	int all;

	count_maps(&regions, &all);
	CHECK_EQUAL(regions - 1, dsm_engine_maps(engine, 0));
}

/* Every kind of change, to random ranges. */
static void check_random_changes(void)
{
	uint64_t random = 7;

	CHECK_EQUAL(0, dsm_engine_touch(engine, 0, RANDOM_PAGES * page_bytes));
	check_count();
	for (int i = 0; i < RANDOM_CHANGES; i++) {
		uint64_t first = random_next(&random) % RANDOM_PAGES;
		uint64_t count = 1 + random_next(&random) % 8;
		uint64_t at = first * page_bytes;
		uint64_t bytes = count * page_bytes;

		switch (random_next(&random) % 4) {
		case 0:
			CHECK_EQUAL(0, dsm_engine_withdraw(engine, at, bytes));
			break;
		case 1:
			CHECK_EQUAL(0, dsm_engine_discard(engine, at, bytes));
			CHECK_EQUAL(0, dsm_engine_touch(engine, at, bytes));
			break;
		default:
			CHECK_EQUAL(0, dsm_engine_touch(engine, at, bytes));
			CHECK_EQUAL(0, dsm_engine_allow(engine, 0, at, bytes,
							DSM_ACCESS_READ + i % 2));
		}
		if (i % 100 == 0)
			check_count();
	}
	check_count();
	CHECK_EQUAL(dsm_engine_maps(engine, 0), engine->traps->processes[0].maps); /* no trap has changed it */
	CHECK_EQUAL(0, dsm_engine_withdraw(engine, 0, 2 * RANDOM_PAGES * page_bytes));
	CHECK_EQUAL(0, dsm_engine_maps(engine, 0));
}

static void stop_application(void)
{
	int status;

	CHECK_EQUAL(0, kill(dsm_engine_pid(engine, 0), SIGSTOP));
	CHECK_EQUAL(dsm_engine_pid(engine, 0), waitpid(dsm_engine_pid(engine, 0), &status, WUNTRACED));
	CHECK(WIFSTOPPED(status));
}

/* All operations of the agent on a page, while no thread of the application runs. */
static void check_stopped(void)
{
	uint64_t at = 1000 * page_bytes;
	uint64_t ended = 1001 * page_bytes;

	begin(STORE, at, 5);
	next_fault(at, DSM_FAULT_WRITE);
	stop_application();
	CHECK_EQUAL(0, dsm_engine_touch(engine, at, 2 * page_bytes));
	give(at, page_bytes, DSM_ACCESS_READ_WRITE);
	CHECK_EQUAL(0, dsm_engine_withdraw(engine, at, page_bytes));
	give(at, page_bytes, DSM_ACCESS_READ);
	CHECK_EQUAL(0, dsm_engine_discard(engine, at, page_bytes));
	CHECK_EQUAL(-EFAULT, dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(0, dsm_engine_poison(engine, ended, page_bytes));
	CHECK_EQUAL(0, dsm_engine_poison(engine, ended + page_bytes, page_bytes));
	check_count();
	CHECK_EQUAL(-EHWPOISON, dsm_engine_discard(engine, ended, page_bytes));
	CHECK_EQUAL(-EHWPOISON, dsm_engine_allow(engine, 0, ended, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL('T', state_of(dsm_engine_pid(engine, 0)));
	CHECK(memchr("RSD", state_of(dsm_engine_protector(engine, 0)), 3) != NULL); /* not stopped */

	CHECK_EQUAL(0, kill(dsm_engine_pid(engine, 0), SIGCONT));
	next_fault(at, DSM_FAULT_WRITE); /* woken, but the access has been withdrawn again */
	CHECK_EQUAL(0, dsm_engine_touch(engine, at, page_bytes));
	give(at, page_bytes, DSM_ACCESS_READ_WRITE);
	await_done();
	CHECK_EQUAL(5, content(at));
	begin(ENDED, ended, 0);
	await_done();
	begin(ENDED, ended + page_bytes, 0);
	await_done();
}

/* Pages of alternating access: refused before the application runs out of mappings. */
static void check_limit(void)
{
	uint64_t first = 2000 * page_bytes;
	int32_t max = dsm_engine_maps_max(engine);
	uint64_t at = first;
	int32_t result = 0;
	int regions;
	int all;

	CHECK_EQUAL(0, dsm_engine_touch(engine, 0, PAGES * page_bytes));
	while (at < PAGES * page_bytes) {
		result = dsm_engine_allow(engine, 0, at, page_bytes, DSM_ACCESS_READ_WRITE);
		if (result != 0)
			break;
		at += 2 * page_bytes;
	}
	CHECK_EQUAL(-E2BIG, result);
	CHECK(dsm_engine_maps(engine, 0) <= max);
	CHECK(dsm_engine_maps(engine, 0) > max - 2);
	count_maps(&regions, &all);
	CHECK_EQUAL(dsm_engine_maps(engine, 0) + 1, regions);
	CHECK(all < 2 * max * 3 / 4);
	begin(LOAD, first, 0); /* the application still works */
	await_done();

	/* A change to fewer boundaries is always allowed, and makes room again. */
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, first + 2 * page_bytes, at - first,
					DSM_ACCESS_READ));
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, at + 16 * page_bytes, page_bytes, DSM_ACCESS_READ));
	check_count();
}

static void await_end(int pid)
{
	for (char state = state_of(pid); state != 0 && state != 'Z'; state = state_of(pid))
		sched_yield();
}

/*
 * The application is killed in a fault: its protector ends too, and access can no longer be
 * changed.
 */
static void check_killed(pid_t child)
{
	int protector = dsm_engine_protector(engine, 0);

	begin(LOAD, 900 * page_bytes, 0);
	next_fault(900 * page_bytes, DSM_FAULT_READ);
	CHECK_EQUAL(0, kill(child, SIGKILL));
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, 901 * page_bytes, page_bytes, DSM_ACCESS_READ));
	CHECK_EQUAL(child, waitpid(child, NULL, 0));
	await_end(protector);
	give(900 * page_bytes, page_bytes, DSM_ACCESS_READ);
	CHECK_EQUAL(0, dsm_engine_withdraw(engine, 901 * page_bytes, page_bytes));
}

/* An application whose protector ends also ends, and prints the reason. */
static void check_killed_protector(void)
{
	char text[256] = { 0 };
	int errors[2];
	int status;
	pid_t child;

	CHECK_EQUAL(0, pipe2(errors, O_CLOEXEC));
	child = start_pair(DSM_ENGINE_MPROTECT_SIGNAL, 16, errors[1]);
	close(errors[1]);
	CHECK_EQUAL(0, kill(dsm_engine_protector(engine, 0), SIGKILL));
	CHECK_EQUAL(child, waitpid(child, &status, 0));
	CHECK(WIFEXITED(status));
	CHECK_EQUAL(DSM_STATUS_AGENT_GONE, WEXITSTATUS(status));
	CHECK(read(errors[0], text, sizeof(text) - 1) > 0);
	CHECK_EQUAL(0, strcmp("muninn: node 5: the task that changes the access of pages was ended "
			      "(signal 9); ending the application\n",
			      text));
	CHECK_EQUAL(0, dsm_engine_touch(engine, 0, page_bytes));
	CHECK_EQUAL(0, dsm_engine_allow(engine, 0, 0, page_bytes, DSM_ACCESS_READ));
	close(errors[0]);
	end_pair();
}

void test_protect(void)
{
	pid_t child = start_pair(DSM_ENGINE_MPROTECT_SIGNAL, PAGES, -1);

	CHECK_EQUAL(DSM_WAY_PROTECTOR, dsm_engine_way(engine));
	check_random_changes();
	check_stopped();
	check_limit();
	check_killed(child);
	end_pair();
	check_killed_protector();
}
