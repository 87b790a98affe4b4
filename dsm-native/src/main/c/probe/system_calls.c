/* Tries the system calls that every node needs, and that filters of system calls may deny. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "dsm_fault.h"

static int open_pair(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	close(ends[1]);
	return ends[0];
}

static int open_by(int32_t call)
{
	switch (call) {
	case DSM_CALL_MEMFD_CREATE:
		return memfd_create("muninn-probe", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	case DSM_CALL_EVENTFD2:
		return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	case DSM_CALL_TIMERFD_CREATE:
		return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	case DSM_CALL_EPOLL_CREATE1:
		return epoll_create1(EPOLL_CLOEXEC);
	case DSM_CALL_SOCKET:
		return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	case DSM_CALL_SOCKETPAIR:
		return open_pair();
	default:
		errno = EINVAL;
		return -1;
	}
}

/* Tries a call of enum dsm_system_call. Returns 0 or -errno, and leaves nothing open. */
int32_t dsm_system_call(int32_t call)
{
	int fd = open_by(call);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}
