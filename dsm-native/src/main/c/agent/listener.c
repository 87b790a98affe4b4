/*
 * The socket to which applications attach. One epoll descriptor covers the listening socket
 * and the connections that have sent nothing yet, so an event loop registers one descriptor
 * and never blocks on a connection.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"

#define PENDING_MAX 8
#define BACKLOG 16

struct dsm_listener {
	int epoll_fd;
	int socket;
	int pending[PENDING_MAX];
	uint32_t pending_count;
};

/* One received packet: the header and its descriptors. */
struct arrival {
	struct dsm_attach attach;
	int fds[DSM_ATTACH_FDS_MAX];
	uint32_t fd_count;
	uint32_t truncated;
	size_t bytes;
};

/*
 * Listens at the abstract address `name`. Returns 0, -EADDRINUSE, -EINVAL for a
 * name that is empty or longer than DSM_NAME_BYTES_MAX, or another -errno.
 */
int32_t dsm_listener_open(const char *name, struct dsm_listener **listener)
{
	struct epoll_event interest = { .events = EPOLLIN };
	struct sockaddr_un address;
	struct dsm_listener *l;
	int length = dsm_abstract_address(name, &address);
	int ret;

	if (length < 0)
		return length;
	l = calloc(1, sizeof(*l));
	if (l == NULL)
		return -ENOMEM;
	l->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->socket < 0) {
		ret = -errno;
		goto err_free;
	}
	if (bind(l->socket, (const struct sockaddr *)&address, (socklen_t)length) < 0 ||
	    listen(l->socket, BACKLOG) < 0) {
		ret = -errno;
		goto err_socket;
	}
	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll_fd < 0) {
		ret = -errno;
		goto err_socket;
	}
	interest.data.fd = l->socket;
	if (epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, l->socket, &interest) < 0) {
		ret = -errno;
		goto err_epoll;
	}
	*listener = l;
	return 0;

err_epoll:
	close(l->epoll_fd);
err_socket:
	close(l->socket);
err_free:
	free(l);
	return ret;
}

/* The descriptor that is readable when dsm_listener_accept() has work. */
int32_t dsm_listener_fd(const struct dsm_listener *listener)
{
	return listener->epoll_fd;
}

void dsm_listener_close(struct dsm_listener *listener)
{
	for (uint32_t i = 0; i < listener->pending_count; i++)
		close(listener->pending[i]);
	close(listener->epoll_fd);
	close(listener->socket);
	free(listener);
}

static void forget_pending(struct dsm_listener *listener, uint32_t index)
{
	epoll_ctl(listener->epoll_fd, EPOLL_CTL_DEL, listener->pending[index], NULL);
	listener->pending_count--;
	memmove(&listener->pending[index], &listener->pending[index + 1],
		(listener->pending_count - index) * sizeof(listener->pending[0]));
}

__attribute__((format(printf, 3, 4))) static int refuse(struct dsm_verdict *verdict, int error,
							const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vsnprintf(verdict->text, sizeof(verdict->text), format, values);
	va_end(values);
	verdict->status = error;
	return -error;
}

/* Sends the verdict; an error is ignored, because the other end may be gone. */
static void answer(int fd, const struct dsm_verdict *verdict)
{
	(void)send(fd, verdict, sizeof(*verdict), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Refuses other users before they occupy a place and before any byte of theirs is read. */
static int check_user(int fd, struct dsm_verdict *verdict)
{
	struct ucred peer = dsm_peer(fd);

	if (peer.uid == geteuid())
		return 0;
	*verdict = (struct dsm_verdict){ .magic = DSM_VERDICT_MAGIC };
	return refuse(verdict, EPERM, "the application runs as user %u, the agent as %u", peer.uid,
		      geteuid());
}

/*
 * Accepts waiting connections up to the first of another user; the descriptor then stays
 * readable. If too many connections are silent, the oldest is closed. Returns 0, or -EPERM
 * with a verdict.
 */
static int accept_pending(struct dsm_listener *listener, struct dsm_verdict *verdict)
{
	for (;;) {
		struct epoll_event interest = { .events = EPOLLIN };
		int fd = accept4(listener->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return 0; /* none left, or out of descriptors; then it stays readable */
		if (check_user(fd, verdict) < 0) {
			answer(fd, verdict);
			close(fd);
			return -EPERM;
		}
		if (listener->pending_count == PENDING_MAX) {
			int oldest = listener->pending[0];

			forget_pending(listener, 0);
			close(oldest);
		}
		interest.data.fd = fd;
		if (epoll_ctl(listener->epoll_fd, EPOLL_CTL_ADD, fd, &interest) < 0) {
			close(fd);
			continue;
		}
		listener->pending[listener->pending_count++] = fd;
	}
}

static void take_rights(struct msghdr *message, struct arrival *arrival)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
		size_t bytes = c->cmsg_len - CMSG_LEN(0);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		/* The buffer has room for DSM_ATTACH_FDS_MAX descriptors only. */
		memcpy(arrival->fds, CMSG_DATA(c), bytes);
		arrival->fd_count = (uint32_t)(bytes / sizeof(int));
	}
}

/* Returns 1 with a packet (of any length, 0 at EOF), or 0 if there is none yet. */
static int receive_arrival(int fd, struct arrival *arrival)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(arrival->fds))];
	} control;
	struct iovec part = { .iov_base = &arrival->attach, .iov_len = sizeof(arrival->attach) };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_LEN(sizeof(arrival->fds)),
	};
	ssize_t bytes;

	memset(arrival, 0, sizeof(*arrival));
	bytes = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	arrival->bytes = bytes < 0 ? 0 : (size_t)bytes;
	arrival->truncated = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
	if (bytes > 0)
		take_rights(&message, arrival);
	return 1;
}

/* No early exit: the duration must not reveal how much of a token is correct. */
static int is_same_token(const uint8_t *left, const uint8_t *right)
{
	uint8_t difference = 0;

	for (size_t i = 0; i < DSM_TOKEN_BYTES; i++)
		difference |= (uint8_t)(left[i] ^ right[i]);
	return difference == 0;
}

static int check_header(const struct arrival *arrival, const uint8_t *token,
			struct dsm_verdict *verdict)
{
	const struct dsm_attach *attach = &arrival->attach;

	if (arrival->bytes == sizeof(*attach) && arrival->truncated != 0 &&
	    arrival->fd_count < DSM_ATTACH_FDS_MAX) /* no descriptors left for the others */
		return refuse(verdict, EMFILE,
			      "too many open files for what the application hands over; raise "
			      "'ulimit -n'");
	if (arrival->bytes != sizeof(*attach) || arrival->truncated != 0 ||
	    attach->magic != DSM_ATTACH_MAGIC)
		return refuse(verdict, EPROTO, "this is not an application of Muninn");
	if (attach->abi != DSM_ABI_VERSION)
		return refuse(verdict, EPROTO, "the application speaks version %u, the agent %u",
			      attach->abi, DSM_ABI_VERSION);
	if (!is_same_token(attach->token, token))
		return refuse(verdict, EACCES, "wrong token: this agent has another application");
	if (attach->kind < 0 || attach->kind >= DSM_ENGINE_KINDS)
		return refuse(verdict, EPROTO, "the application has an engine of kind %d",
			      attach->kind);
	if (arrival->fd_count != dsm_attach_fds(attach->kind))
		return refuse(verdict, EPROTO, "%u descriptors came instead of %u",
			      arrival->fd_count, dsm_attach_fds(attach->kind));
	if (attach->page_bytes != (uint32_t)dsm_page_bytes() ||
	    attach->base % attach->page_bytes != 0)
		return refuse(verdict, EINVAL, "pages of %u bytes at %#llx do not fit this machine",
			      attach->page_bytes, (unsigned long long)attach->base);
	return 0;
}

/* Without this seal the file could shrink, and the agent would die of SIGBUS. */
static int check_memory(int fd, uint64_t bytes, const char *name, struct dsm_verdict *verdict)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat status;

	if (fstat(fd, &status) < 0 || (uint64_t)status.st_size != bytes || bytes == 0 ||
	    bytes % (uint64_t)dsm_page_bytes() != 0)
		return refuse(verdict, EINVAL, "the %s file is not of %llu bytes", name,
			      (unsigned long long)bytes);
	if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
		return refuse(verdict, EINVAL, "the %s file is not sealed", name);
	return 0;
}

static int examine(const struct arrival *arrival, const uint8_t *token,
		   struct dsm_verdict *verdict)
{
	const struct dsm_attach *attach = &arrival->attach;
	int ret = check_header(arrival, token, verdict);

	if (ret == 0)
		ret = check_memory(arrival->fds[0], attach->region_bytes, "region", verdict);
	if (ret == 0)
		ret = check_memory(arrival->fds[1], attach->control_bytes, "control", verdict);
	if (ret == 0 && dsm_has_traps(attach->kind)) {
		const int *traps = &arrival->fds[dsm_attach_traps_at(attach->kind)];
		uint64_t bytes = dsm_traps_bytes(attach->region_bytes, attach->page_bytes);

		ret = check_memory(traps[0], bytes, "traps", verdict);
		if (ret == 0)
			ret = check_memory(traps[1], attach->region_bytes, "twins", verdict);
	}
	return ret;
}

/* Checks one packet and answers it. Takes ownership of `fd`. Returns 1 for an engine. */
static int decide(int fd, const struct arrival *arrival, const uint8_t *token,
		  struct dsm_engine **engine, struct dsm_verdict *verdict)
{
	int ret;

	*verdict = (struct dsm_verdict){ .magic = DSM_VERDICT_MAGIC };
	ret = examine(arrival, token, verdict);
	if (ret == 0) {
		ret = dsm_engine_create(&arrival->attach, arrival->fds, fd, dsm_peer(fd).pid,
					engine);
		if (ret < 0)
			refuse(verdict, -ret, "the agent cannot map the memory (errno %d)", -ret);
	}
	answer(fd, verdict); /* if the application is gone, its engine will report the EOF */
	if (ret == 0)
		return 1;

	for (uint32_t i = 0; i < arrival->fd_count; i++)
		close(arrival->fds[i]);
	close(fd);
	return 0;
}

/*
 * Processes ready connections, without waiting, up to the first refusal. A process that is
 * no application, has a wrong token or another version, or belongs to another user is sent
 * a verdict and closed.
 *
 * Returns 1 with an engine. Returns 0 without one; then verdict->status is the errno and
 * verdict->text the reason, if this call refused a connection.
 */
int32_t dsm_listener_accept(struct dsm_listener *listener, const uint8_t *token,
			    struct dsm_engine **engine, struct dsm_verdict *verdict)
{
	uint32_t i = 0;

	memset(verdict, 0, sizeof(*verdict));
	if (accept_pending(listener, verdict) < 0)
		return 0;
	while (i < listener->pending_count) {
		int fd = listener->pending[i];
		struct arrival arrival;

		if (receive_arrival(fd, &arrival) == 0) {
			i++;
			continue;
		}
		forget_pending(listener, i);
		return decide(fd, &arrival, token, engine, verdict);
	}
	return 0;
}

/*
 * Checks that the process at the other end of a Unix socket belongs to this process's user.
 * Returns 0, or -EPERM with the process's user: -1 if the kernel does not report it.
 */
int32_t dsm_peer_check(int32_t fd, int64_t *user)
{
	struct ucred peer = dsm_peer(fd);

	*user = peer.uid == (uid_t)-1 ? -1 : (int64_t)peer.uid;
	return peer.uid == geteuid() ? 0 : -EPERM;
}
