/* The application's end of mailboxes. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "futex.h"
#include "mailbox.h"
#include "traps.h"

/* Time without an answer after which a thread checks that its agent still exists. */
#define LOOK_NANOS INT64_C(1000000000)
#define NANOS_PER_MILLI INT64_C(1000000)

int dsm_mail_post(const struct dsm_mail_end *end, const void *frame, uint32_t bytes,
		  uint32_t after)
{
	struct dsm_mailbox *box = end->box;

	if (bytes > DSM_MAIL_BYTES || dsm_trap_load(&box->call) != DSM_CALL_NONE)
		return 0;
	memcpy(box->call_frame, frame, bytes);
	box->call_bytes = bytes;
	box->after = after;
	__atomic_store_n(&box->call, DSM_CALL_POSTED, __ATOMIC_RELEASE);
	if (dsm_trap_push(end->posted, &box->next, end->number))
		dsm_trap_notify(end->event_fd);
	return 1;
}

static int is_there(const void *box)
{
	return dsm_trap_load(&((const struct dsm_mailbox *)box)->answer) >= DSM_ANSWER_HERE;
}

static int has_ended(int socket)
{
	char byte;
	ssize_t seen = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

	return seen == 0 || (seen < 0 && errno != EAGAIN && errno != EINTR);
}

/* Blocks for at most `nanos`; may return early. */
static void block(struct dsm_mailbox *box, struct dsm_spin *spin, int64_t nanos)
{
	struct timespec limit = { .tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000 };
	uint32_t none = DSM_ANSWER_NONE;
	int64_t since = dsm_spin_blocks(spin, -1);

	/* An answer that was AWAITED at the timeout still is. */
	if (dsm_trap_change(&box->answer, &none, DSM_ANSWER_AWAITED) || none == DSM_ANSWER_AWAITED)
		dsm_futex_wait(&box->answer, DSM_ANSWER_AWAITED, &limit);
	dsm_spin_blocked(spin, since);
}

int dsm_mail_await(const struct dsm_mail_end *end, struct dsm_spin *spin, int socket,
		   int32_t timeout_millis)
{
	struct dsm_mailbox *box = end->box;
	int64_t now;
	int64_t deadline;
	int64_t look;
	int ended = 0;

	if (is_there(box) || (timeout_millis != 0 && dsm_spin(spin, is_there, box)))
		return (int)dsm_trap_load(&box->answer);
	now = dsm_spin_now();
	deadline = timeout_millis < 0 ? INT64_MAX : now + timeout_millis * NANOS_PER_MILLI;
	look = now + LOOK_NANOS;
	while (now < deadline) {
		block(box, spin, (deadline < look ? deadline : look) - now);
		now = dsm_spin_now();
		if (now >= look) {
			look = now + LOOK_NANOS;
			ended = has_ended(socket);
		}
		if (is_there(box)) /* also an answer that arrived before EOF */
			return (int)dsm_trap_load(&box->answer);
		if (ended)
			return -EPIPE;
	}
	return 0;
}

int32_t dsm_mail_read(const struct dsm_mail_end *end, void *frame, uint32_t capacity)
{
	const struct dsm_mailbox *box = end->box;
	uint32_t bytes = box->answer_bytes;

	if (bytes == 0 || bytes > DSM_MAIL_BYTES)
		return -EBADMSG;
	if (bytes > capacity)
		return -EMSGSIZE;
	memcpy(frame, box->answer_frame, bytes);
	return (int32_t)bytes;
}

void dsm_mail_done(const struct dsm_mail_end *end)
{
	__atomic_store_n(&end->box->answer, DSM_ANSWER_NONE, __ATOMIC_RELEASE);
}
