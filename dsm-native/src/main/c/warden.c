/*
 * Both ends of an errand. The warden's own code runs with the thread-local storage of
 * the thread that started it, so it calls no function of the C library: its system
 * calls are made right here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "futex.h"
#include "mapping.h"
#include "warden.h"

#define STACK_BYTES (64 * 1024)
#define SPINS_MAX 200
#define WAITS_MAX 500
#define WAIT_NANOS 10000000
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* ---- the application's end ---- */

#if defined(__x86_64__)
static long call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ __volatile__("syscall"
			     : "=a"(result)
			     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			     : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
static long call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ __volatile__("svc #0"
			     : "+r"(x0)
			     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			     : "memory");
	return x0;
}
#endif

static long obey(const struct dsm_warden *warden)
{
	const struct dsm_errand *errand = warden->errand;
	long start = (long)(uintptr_t)(warden->region + errand->offset);
	long bytes = (long)errand->bytes;

	if (errand->offset > warden->region_bytes ||
	    errand->bytes > warden->region_bytes - errand->offset)
		return -EINVAL;
	switch (errand->access) {
	case DSM_ACCESS_NONE:
		return call6(SYS_mprotect, start, bytes, PROT_NONE, 0, 0, 0);
	case DSM_ACCESS_READ:
		return call6(SYS_mprotect, start, bytes, PROT_READ, 0, 0, 0);
	case DSM_ACCESS_READ_WRITE:
		return call6(SYS_mprotect, start, bytes, PROT_READ | PROT_WRITE, 0, 0, 0);
	case DSM_ACCESS_ENDED: {
		/* At this offset, so that neighbours that end one by one are one mapping. */
		long mapped = call6(SYS_mmap, start, bytes, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_FIXED | MAP_NORESERVE, warden->nothing_fd,
				    (long)errand->offset);

		return mapped == start ? 0 : mapped;
	}
	default:
		return -EINVAL;
	}
}

/* What the application has open ends with it, or when it likes, whatever the warden does. */
static void close_others(unsigned int kept, unsigned int limit)
{
	if (call6(SYS_close_range, kept + 1, ~0U, 0, 0, 0, 0) == 0 &&
	    (kept == 0 || call6(SYS_close_range, 0, kept - 1, 0, 0, 0, 0) == 0))
		return;
	for (unsigned int fd = 0; fd < limit; fd++) { /* Linux before 5.9 */
		if (fd != kept)
			call6(SYS_close, fd, 0, 0, 0, 0, 0);
	}
}

static int run(void *argument)
{
	const struct dsm_warden *warden = argument;
	struct dsm_errand *errand = warden->errand;
	uint32_t done = 0;

	call6(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
	if (call6(SYS_getppid, 0, 0, 0, 0, 0, 0) != warden->parent)
		return 1; /* it ended before it could be heard */
	close_others((unsigned int)warden->nothing_fd, warden->fd_limit);
	for (;;) {
		uint32_t asked = dsm_trap_load(&errand->asked);

		if (asked == done) {
			call6(SYS_futex, (long)(uintptr_t)&errand->asked, FUTEX_WAIT, asked, 0, 0,
			      0);
			continue;
		}
		errand->result = (int32_t)obey(warden);
		done = asked;
		__atomic_store_n(&errand->done, done, __ATOMIC_SEQ_CST);
		call6(SYS_futex, (long)(uintptr_t)&errand->done, FUTEX_WAKE, 1, 0, 0, 0);
	}
}

/* Its stack is never given back: it lives as long as the process. */
int dsm_warden_start(struct dsm_warden *warden)
{
	int flags = CLONE_VM | CLONE_FS | CLONE_SYSVSEM; /* and no signal at its end */
	uint8_t *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	sigset_t all;
	sigset_t before;
	int task;
	int error;

	if (stack == MAP_FAILED)
		return -errno;
	warden->parent = getpid();
	warden->fd_limit = (unsigned int)sysconf(_SC_OPEN_MAX);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	task = clone(run, stack + STACK_BYTES, flags, warden);
	error = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (task >= 0)
		return task;
	munmap(stack, STACK_BYTES);
	return -error;
}

int dsm_warden_nothing(void)
{
	return dsm_memory_open("muninn-nothing", 0);
}

/* ---- the agent's end ---- */

static int has_ended(int life)
{
	struct pollfd end = { .fd = life };

	return poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

static int is_done(const struct dsm_errand *errand, uint32_t number)
{
	return dsm_trap_load(&errand->done) == number;
}

/* In pieces, and without a clock: an agent that was stopped meanwhile has not waited. */
static int await(const struct dsm_errand *errand, int life, uint32_t number)
{
	const struct timespec piece = { .tv_nsec = WAIT_NANOS };

	for (int i = 0; i < SPINS_MAX; i++) {
		if (is_done(errand, number))
			return 0;
		dsm_trap_pause();
	}
	for (int i = 0; i < WAITS_MAX;) {
		long ret = syscall(SYS_futex, &errand->done, FUTEX_WAIT, number - 1, &piece, NULL,
				   0);
		int interrupted = ret < 0 && errno == EINTR;

		if (is_done(errand, number))
			return 0;
		if (has_ended(life))
			return -ESRCH;
		if (!interrupted)
			i++;
	}
	return -ETIMEDOUT;
}

int dsm_warden_ask(struct dsm_errand *errand, int life, uint64_t offset, uint64_t bytes,
		   uint32_t access)
{
	uint32_t number = errand->asked + 1; /* only this end changes it */
	int ret;

	errand->offset = offset;
	errand->bytes = bytes;
	errand->access = access;
	__atomic_store_n(&errand->asked, number, __ATOMIC_SEQ_CST);
	dsm_futex_wake(&errand->asked, 1);
	ret = await(errand, life, number);
	return ret < 0 ? ret : errand->result;
}
