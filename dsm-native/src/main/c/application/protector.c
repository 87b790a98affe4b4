/*
 * The protector's own code runs with the thread-local storage of the thread that started
 * it, so it calls no function of the C library and makes its system calls directly.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "futex.h"
#include "node_memory.h"
#include "memory.h"
#include "protector.h"

#define STACK_BYTES (64 * 1024)
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

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

static long obey(const struct dsm_protector *protector)
{
	const struct dsm_request *request = protector->request;
	long start = (long)(uintptr_t)(protector->region + request->offset);
	long bytes = (long)request->bytes;

	if (request->offset > protector->region_bytes ||
	    request->bytes > protector->region_bytes - request->offset)
		return -EINVAL;
	switch (request->access) {
	case DSM_ACCESS_NONE:
		return call6(SYS_mprotect, start, bytes, PROT_NONE, 0, 0, 0);
	case DSM_ACCESS_READ:
		return call6(SYS_mprotect, start, bytes, PROT_READ, 0, 0, 0);
	case DSM_ACCESS_READ_WRITE:
		return call6(SYS_mprotect, start, bytes, PROT_READ | PROT_WRITE, 0, 0, 0);
	case DSM_ACCESS_ENDED: {
		/*
		 * With this offset adjacent pages that are discarded separately merge into
		 * one mapping.
		 */
		long mapped = call6(SYS_mmap, start, bytes, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_FIXED | MAP_NORESERVE, protector->nothing_fd,
				    (long)request->offset);

		return mapped == start ? 0 : mapped;
	}
	default:
		return -EINVAL;
	}
}

/* Closes inherited descriptors so that the protector does not keep them open. */
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
	const struct dsm_protector *protector = argument;
	struct dsm_request *request = protector->request;
	uint32_t done = 0;

	call6(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
	if (call6(SYS_getppid, 0, 0, 0, 0, 0, 0) != protector->parent)
		return 1; /* the parent ended before the death signal was set */
	close_others((unsigned int)protector->nothing_fd, protector->fd_limit);
	for (;;) {
		uint32_t asked = dsm_trap_load(&request->asked);

		if (asked == done) {
			call6(SYS_futex, (long)(uintptr_t)&request->asked, FUTEX_WAIT, asked, 0, 0,
			      0);
			continue;
		}
		request->result = (int32_t)obey(protector);
		done = asked;
		__atomic_store_n(&request->done, done, __ATOMIC_SEQ_CST);
		call6(SYS_futex, (long)(uintptr_t)&request->done, FUTEX_WAKE, 1, 0, 0, 0);
	}
}

/* Its stack is never freed: it exists as long as the process. */
int dsm_protector_start(struct dsm_protector *protector)
{
	int flags = CLONE_VM | CLONE_FS | CLONE_SYSVSEM; /* no signal at its end */
	uint8_t *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	sigset_t all;
	sigset_t before;
	int task;
	int error;

	if (stack == MAP_FAILED)
		return -errno;
	protector->parent = getpid();
	protector->fd_limit = (unsigned int)sysconf(_SC_OPEN_MAX);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	task = clone(run, stack + STACK_BYTES, flags, protector);
	error = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (task >= 0)
		return task;
	munmap(stack, STACK_BYTES);
	return -error;
}

int dsm_protector_nothing(void)
{
	return dsm_memory_open("muninn-nothing", 0);
}
