/* Requests of an agent to the protector of its application, one at a time. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <time.h>

#include "futex.h"
#include "request.h"

#define SPINS_MAX 200
#define WAITS_MAX 500
#define WAIT_NANOS 10000000

static int has_ended(int life)
{
	struct pollfd end = { .fd = life };

	return poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

static int is_done(const struct dsm_request *request, uint32_t number)
{
	return dsm_trap_load(&request->done) == number;
}

/*
 * Waits in slices and without a clock, so that time in which the agent was stopped does not
 * count.
 */
static int await(const struct dsm_request *request, int life, uint32_t number)
{
	const struct timespec piece = { .tv_nsec = WAIT_NANOS };

	for (int i = 0; i < SPINS_MAX; i++) {
		if (is_done(request, number))
			return 0;
		dsm_trap_pause();
	}
	for (int i = 0; i < WAITS_MAX;) {
		long ret = syscall(SYS_futex, &request->done, FUTEX_WAIT, number - 1, &piece, NULL,
				   0);
		int interrupted = ret < 0 && errno == EINTR;

		if (is_done(request, number))
			return 0;
		if (has_ended(life))
			return -ESRCH;
		if (!interrupted)
			i++;
	}
	return -ETIMEDOUT;
}

int dsm_request_send(struct dsm_request *request, int life, uint64_t offset, uint64_t bytes,
		   uint32_t access)
{
	uint32_t number = request->asked + 1; /* only this end changes it */
	int ret;

	request->offset = offset;
	request->bytes = bytes;
	request->access = access;
	__atomic_store_n(&request->asked, number, __ATOMIC_SEQ_CST);
	dsm_futex_wake(&request->asked, 1);
	ret = await(request, life, number);
	return ret < 0 ? ret : request->result;
}
