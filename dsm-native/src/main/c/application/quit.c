/*
 * SIGQUIT, which a JVM answers with the stacks of its threads, and which a terminal sends to all
 * processes of a run (Ctrl-\). The launcher waits for it, to show the waits of all nodes. Agents
 * and applications ignore that of a terminal. They pass on any other: tools of the JDK use it to
 * attach.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "dsm_fault.h"
#include "handler.h"

static struct dsm_action before;
static _Atomic int waiter = -1; /* an eventfd, once somebody waits */

static void count(int fd)
{
	const uint64_t one = 1;
	int saved = errno;
	ssize_t written = write(fd, &one, sizeof(one));

	(void)written; /* fails only if 2^64 - 1 of them have not been read */
	errno = saved;
}

static void on_quit(int signal_number, siginfo_t *info, void *context)
{
	int fd = atomic_load(&waiter);

	if (fd >= 0)
		count(fd);
	else if (info->si_code != SI_KERNEL)
		before.handler(signal_number, info, context);
}

int32_t dsm_quit_ignore_terminal(void)
{
	struct dsm_action now;
	int ret = dsm_handler_read(SIGQUIT, &now);

	/* Only a JVM's handler, which takes what the kernel passes, is worth a way around it. */
	if (ret != 0 || (now.flags & SA_SIGINFO) == 0 || now.handler == on_quit)
		return ret;
	before = now;
	return dsm_handler_install(SIGQUIT, on_quit, &now);
}

int32_t dsm_quit_await(void)
{
	struct dsm_action replaced;
	uint64_t counted;
	int fd = atomic_load(&waiter);

	if (fd < 0) {
		int ret;

		fd = eventfd(0, EFD_CLOEXEC);
		if (fd < 0)
			return -errno;
		atomic_store(&waiter, fd);
		ret = dsm_handler_install(SIGQUIT, on_quit, &replaced);
		if (ret != 0) {
			atomic_store(&waiter, -1);
			close(fd);
			return ret;
		}
	}
	while (read(fd, &counted, sizeof(counted)) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}
