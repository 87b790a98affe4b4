/*
 * One application thread's connection to its agent: frames of a u32 length, little-endian,
 * and that many bytes. Blocking: a thread waits in C, so the JVM can collect garbage.
 * Sending a frame takes one write; receiving a frame that arrives in one piece takes one
 * read. A thread with a mailbox uses it for short frames and waits there for every answer.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "mailbox.h"
#include "socket.h"
#include "spin.h"

#define HEADER_BYTES 4
#define BUFFER_BYTES 65536

struct dsm_call {
	int fd;
	int32_t limit_millis; /* current value of SO_RCVTIMEO; -1: for ever */
	uint32_t start; /* unread bytes: buffer[start, end) */
	uint32_t end;
	uint32_t capacity;
	uint32_t sent; /* number of frames sent on the socket */
	uint8_t *buffer;
	struct dsm_spin spin;
	struct dsm_mail_end mail;
};

/*
 * Connects to the abstract Unix address `name`, a stream. Returns 0, -ECONNREFUSED if no
 * process listens, -EPERM if another user's does, -EINVAL for a bad name, or another
 * -errno.
 */
int32_t dsm_call_open(const char *name, struct dsm_call **call)
{
	struct sockaddr_un address;
	struct dsm_call *c;
	int length = dsm_abstract_address(name, &address);
	int ret;

	if (length < 0)
		return length;
	c = calloc(1, sizeof(*c));
	if (c == NULL)
		return -ENOMEM;
	c->limit_millis = -1;
	c->capacity = BUFFER_BYTES;
	c->buffer = malloc(c->capacity);
	if (c->buffer == NULL) {
		ret = -ENOMEM;
		goto err_free;
	}
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0) {
		ret = -errno;
		goto err_buffer;
	}
	do {
		ret = connect(c->fd, (const struct sockaddr *)&address, (socklen_t)length);
	} while (ret < 0 && errno == EINTR);
	if (ret < 0) {
		ret = -errno;
		goto err_close;
	}
	if (dsm_peer(c->fd).uid != geteuid()) { /* the token is for the agent only */
		ret = -EPERM;
		goto err_close;
	}
	*call = c;
	return 0;

err_close:
	close(c->fd);
err_buffer:
	free(c->buffer);
err_free:
	free(c);
	return ret;
}

void dsm_call_close(struct dsm_call *call)
{
	close(call->fd);
	free(call->buffer);
	free(call);
}

/*
 * Uses the mailbox with this index of the struct dsm_mail at the address `mail` from now
 * on. The thread must have sent the index to its agent. `event_fd`, which the caller keeps,
 * notifies the agent of calls. Returns 0, or -EINVAL for an invalid index or address.
 */
int32_t dsm_call_use_mailbox(struct dsm_call *call, uint64_t mail, int32_t index, int32_t event_fd)
{
	struct dsm_mail *all = (struct dsm_mail *)(uintptr_t)mail;

	if (all == NULL || mail % _Alignof(struct dsm_mail) != 0 || index < 0 ||
	    index >= DSM_MAILBOXES)
		return -EINVAL;
	call->mail = (struct dsm_mail_end){
		.box = &all->boxes[index],
		.posted = &all->posted,
		.number = (uint32_t)index + 1,
		.event_fd = event_fd,
	};
	return 0;
}

static int32_t send_frame(struct dsm_call *call, const void *frame, uint32_t bytes)
{
	struct iovec parts[] = {
		{ .iov_base = &bytes, .iov_len = HEADER_BYTES },
		{ .iov_base = (void *)(uintptr_t)frame, .iov_len = bytes },
	};
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };

	while (parts[1].iov_len > 0) {
		ssize_t sent = sendmsg(call->fd, &message, MSG_NOSIGNAL);
		size_t header;

		if (sent < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		header = (size_t)sent < parts[0].iov_len ? (size_t)sent : parts[0].iov_len;
		parts[0].iov_base = (uint8_t *)parts[0].iov_base + header;
		parts[0].iov_len -= header;
		parts[1].iov_base = (uint8_t *)parts[1].iov_base + ((size_t)sent - header);
		parts[1].iov_len -= (size_t)sent - header;
	}
	call->sent++;
	return 0;
}

/* Sends one frame of 1 byte or more. Returns 0, -EPIPE at EOF, or another -errno. */
int32_t dsm_call_send(struct dsm_call *call, const void *frame, uint32_t bytes)
{
	if (bytes == 0 || bytes > INT32_MAX)
		return -EINVAL;
	if (call->mail.box != NULL && dsm_mail_post(&call->mail, frame, bytes, call->sent))
		return 0;
	return send_frame(call, frame, bytes);
}

/*
 * Sets the longest time that a wait polls for a frame before it blocks; 0, the initial
 * value, disables polling.
 */
void dsm_call_spin(struct dsm_call *call, int64_t nanos)
{
	call->spin.bound_nanos = nanos;
	call->spin.budget_nanos = nanos;
}

static int64_t now_millis(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Makes a system call only if the limit changes. The kernel would take 0 as "for ever". */
static int limit_receive(struct dsm_call *call, int32_t millis)
{
	struct timeval limit = { 0 };

	if (millis == call->limit_millis)
		return 0;
	if (millis > 0) {
		limit.tv_sec = millis / 1000;
		limit.tv_usec = millis % 1000 * 1000;
	}
	if (setsockopt(call->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) < 0)
		return -errno;
	call->limit_millis = millis;
	return 0;
}

/* The length of the frame at `start`, or 0 while its header is incomplete. */
static uint32_t frame_bytes(const struct dsm_call *call)
{
	uint32_t bytes;

	if (call->end - call->start < HEADER_BYTES)
		return 0;
	memcpy(&bytes, call->buffer + call->start, HEADER_BYTES);
	return bytes;
}

/* Moves the unread bytes to the front and makes room for a frame of `bytes`. */
static int make_room(struct dsm_call *call, uint32_t bytes)
{
	uint32_t unread = call->end - call->start;

	if (call->start > 0) {
		memmove(call->buffer, call->buffer + call->start, unread);
		call->start = 0;
		call->end = unread;
	}
	if (bytes > call->capacity - HEADER_BYTES) {
		uint8_t *larger = realloc(call->buffer, (size_t)bytes + HEADER_BYTES);

		if (larger == NULL)
			return -ENOMEM;
		call->buffer = larger;
		call->capacity = bytes + HEADER_BYTES;
	}
	return 0;
}

static int is_readable(const void *fd)
{
	struct pollfd look = { .fd = *(const int *)fd, .events = POLLIN };

	return poll(&look, 1, 0) > 0;
}

/* Returns the number of bytes read, 0 on timeout, -EPIPE at EOF, or -errno. */
static int64_t fill(struct dsm_call *call, int32_t millis)
{
	ssize_t bytes;
	int64_t blocked_at;

	if (millis != 0 && dsm_spin(&call->spin, is_readable, &call->fd))
		millis = 0; /* the answer or EOF has arrived */
	blocked_at = dsm_spin_blocks(&call->spin, millis);
	if (millis > 0 || millis == -1) {
		int ret = limit_receive(call, millis);

		if (ret < 0)
			return ret;
	}
	bytes = recv(call->fd, call->buffer + call->end, call->capacity - call->end,
		     millis == 0 ? MSG_DONTWAIT : 0);
	dsm_spin_blocked(&call->spin, blocked_at);
	if (bytes < 0)
		return errno == EAGAIN ? 0 : errno == ECONNRESET ? -EPIPE : -errno;
	if (bytes == 0)
		return -EPIPE;
	call->end += (uint32_t)bytes;
	return bytes;
}

static int32_t receive_frame(struct dsm_call *call, void *frame, uint32_t capacity,
			     int32_t timeout_millis)
{
	int64_t deadline = timeout_millis > 0 ? now_millis() + timeout_millis : 0;
	int32_t left = timeout_millis < 0 ? -1 : timeout_millis;

	for (;;) {
		uint32_t bytes = frame_bytes(call);
		uint32_t unread = call->end - call->start;
		int64_t ret;

		if (unread >= HEADER_BYTES) {
			if (bytes == 0)
				return -EBADMSG;
			if (bytes > capacity || bytes > INT32_MAX - HEADER_BYTES)
				return -EMSGSIZE;
			if (unread - HEADER_BYTES >= bytes) {
				memcpy(frame, call->buffer + call->start + HEADER_BYTES, bytes);
				call->start += HEADER_BYTES + bytes;
				return (int32_t)bytes;
			}
		}
		ret = make_room(call, bytes);
		if (ret == 0)
			ret = fill(call, left);
		if (ret == 0)
			return 0;
		if (ret < 0 && ret != -EINTR)
			return (int32_t)ret;
		if (timeout_millis > 0) {
			int64_t rest = deadline - now_millis();

			left = rest > 0 ? (int32_t)rest : 0;
		}
	}
}

/*
 * Receives one frame. timeout_millis: 0 polls, -1 waits for ever. A partial frame is kept
 * for the next call.
 *
 * Returns its length; 0 on timeout; -EPIPE at EOF; -EMSGSIZE if it is longer than
 * `capacity`, in which case it is kept; -EBADMSG for a length of 0; or -errno.
 */
int32_t dsm_call_receive(struct dsm_call *call, void *frame, uint32_t capacity,
			 int32_t timeout_millis)
{
	int32_t ret;

	if (call->mail.box == NULL)
		return receive_frame(call, frame, capacity, timeout_millis);
	ret = dsm_mail_await(&call->mail, &call->spin, call->fd, timeout_millis);
	if (ret <= 0)
		return ret;
	if (ret == DSM_ANSWER_HERE)
		ret = dsm_mail_read(&call->mail, frame, capacity);
	else
		ret = receive_frame(call, frame, capacity, -1);
	if (ret > 0)
		dsm_mail_done(&call->mail);
	return ret;
}

/*
 * Calls dsm_call_send() for a frame of `bytes` bytes, then dsm_call_receive() for the
 * answer, into the same memory of `capacity` bytes, without a time limit. Returns as these
 * do: -EMSGSIZE if the answer is longer; it can then be received with a larger capacity.
 */
int32_t dsm_call_exchange(struct dsm_call *call, void *frame, uint32_t bytes, uint32_t capacity)
{
	int32_t ret = dsm_call_send(call, frame, bytes);

	return ret < 0 ? ret : dsm_call_receive(call, frame, capacity, -1);
}
