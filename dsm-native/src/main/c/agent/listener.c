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
	int shared_fd; /* passed to every process that attaches; or -1 */
	int pending[PENDING_MAX];
	uint32_t pending_count;
	struct dsm_pool *pool; /* NULL if there is none */
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
	l->shared_fd = -1;
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

/* Passes memory to every process that attaches from now on. The caller keeps the descriptor. */
void dsm_listener_share(struct dsm_listener *listener, int32_t fd)
{
	listener->shared_fd = fd;
}

/* The descriptor that is readable when dsm_listener_accept() has work. */
int32_t dsm_listener_fd(const struct dsm_listener *listener)
{
	return listener->epoll_fd;
}

/*
 * From now on every process that attaches receives the pool, which its creator keeps open as
 * long as the listener and the engines.
 */
void dsm_listener_use_pool(struct dsm_listener *listener, struct dsm_pool *pool)
{
	listener->pool = pool;
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

/* Waits for the next packet of a connection. If too many are silent, the oldest is closed. */
static void add_pending(struct dsm_listener *listener, int fd)
{
	struct epoll_event interest = { .events = EPOLLIN, .data.fd = fd };

	if (listener->pending_count == PENDING_MAX) {
		int oldest = listener->pending[0];

		forget_pending(listener, 0);
		close(oldest);
	}
	if (epoll_ctl(listener->epoll_fd, EPOLL_CTL_ADD, fd, &interest) < 0) {
		close(fd);
		return;
	}
	listener->pending[listener->pending_count++] = fd;
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
 * readable. Returns 0, or -EPERM with a verdict.
 */
static int accept_pending(struct dsm_listener *listener, struct dsm_verdict *verdict)
{
	for (;;) {
		int fd = accept4(listener->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return 0; /* none left, or out of descriptors; then it stays readable */
		if (check_user(fd, verdict) < 0) {
			answer(fd, verdict);
			close(fd);
			return -EPERM;
		}
		add_pending(listener, fd);
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
		arrival->fd_count = dsm_take_rights(&message, arrival->fds);
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

static uint32_t fds_of(const struct dsm_attach *attach)
{
	return (attach->flags & DSM_ATTACH_ASK) != 0 ? 0 :
						       dsm_attach_fds(attach->kind, attach->process);
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
	if (attach->processes == 0 || attach->processes > DSM_PROCESSES_MAX ||
	    attach->process >= attach->processes)
		return refuse(verdict, EPROTO, "process %u of %u; a node has at most %d",
			      attach->process, attach->processes, DSM_PROCESSES_MAX);
	if (arrival->fd_count != fds_of(attach))
		return refuse(verdict, EPROTO, "%u descriptors came instead of %u",
			      arrival->fd_count, fds_of(attach));
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

/* The memory that the first process hands over. */
static int examine(const struct arrival *arrival, struct dsm_verdict *verdict)
{
	const struct dsm_attach *attach = &arrival->attach;
	const int *fds = arrival->fds;
	int ret = check_memory(fds[DSM_FD_REGIONS], attach->region_bytes, "region", verdict);

	if (ret == 0)
		ret = check_memory(fds[DSM_FD_CONTROL], attach->control_bytes, "control", verdict);
	if (ret == 0 && dsm_has_traps(attach->kind)) {
		uint64_t bytes = dsm_traps_bytes(attach->region_bytes, attach->page_bytes,
						 attach->processes);

		ret = check_memory(fds[DSM_FD_TRAPS], bytes, "traps", verdict);
		if (ret == 0)
			ret = check_memory(fds[DSM_FD_TWINS], attach->region_bytes, "twins",
					   verdict);
	}
	return ret;
}

/* Every node of a run has the same regions, and the pool has their memory. */
static int check_pool(const struct dsm_attach *attach, const struct dsm_pool *pool,
		      struct dsm_verdict *verdict)
{
	uint64_t pages = attach->region_bytes / attach->page_bytes;

	if (pool == NULL)
		return 0;
	if (pool->map.pages < pages)
		return refuse(verdict, EINVAL, "the pool has %llu pages, the regions have %llu",
			      (unsigned long long)pool->map.pages, (unsigned long long)pages);
	if (attach->node < 0 || (uint32_t)attach->node >= pool->map.nodes)
		return refuse(verdict, EINVAL, "the pool has %u nodes, and none is node %d",
			      pool->map.nodes, attach->node);
	return 0;
}

/* A further process must fit the memory of its node, and come in its turn. */
static int check_sibling(const struct dsm_attach *attach, const struct dsm_engine *engine,
			 struct dsm_verdict *verdict)
{
	if (engine == NULL)
		return refuse(verdict, EAGAIN, "process %u has come before process 0",
			      attach->process);
	if (attach->kind != engine->kind || attach->processes != engine->processes_max ||
	    attach->region_bytes != engine->region_bytes ||
	    attach->control_bytes != engine->control_bytes)
		return refuse(verdict, EINVAL, "process %u does not fit the memory of process 0",
			      attach->process);
	if ((attach->flags & DSM_ATTACH_ASK) == 0 && attach->process != engine->process_count)
		return refuse(verdict, EEXIST, "process %u has attached, or is not the next one",
			      attach->process);
	return 0;
}

/* What decide() found besides a refusal, which is 0. */
enum decision {
	DECIDED_FIRST = 1,
	DECIDED_SIBLING = 2,
	DECIDED_ASKED = 3, /* the connection stays: an attach follows */
};

static int take(int fd, const struct arrival *arrival, struct dsm_pool *pool,
		struct dsm_engine **engine, struct dsm_verdict *verdict)
{
	const struct dsm_attach *attach = &arrival->attach;
	int32_t pid = dsm_peer(fd).pid;
	int ret;

	if (attach->process == 0) {
		ret = examine(arrival, verdict);
		if (ret == 0)
			ret = check_pool(attach, pool, verdict);
		if (ret < 0)
			return ret;
		ret = dsm_engine_create(attach, arrival->fds, fd, pid, pool, engine);
	} else {
		ret = check_sibling(attach, *engine, verdict);
		if (ret < 0 || (attach->flags & DSM_ATTACH_ASK) != 0)
			return ret < 0 ? ret : DECIDED_ASKED;
		ret = dsm_engine_add(*engine, attach,
				     dsm_has_uffd(attach->kind) ? arrival->fds[0] : -1, fd, pid);
	}
	if (ret < 0)
		return refuse(verdict, -ret, "the agent cannot map the memory (errno %d)", -ret);
	return attach->process == 0 ? DECIDED_FIRST : DECIDED_SIBLING;
}

/* The descriptors for a process that has attached, which the verdict names. Returns their number. */
static uint32_t hand_out(const struct dsm_listener *listener, struct dsm_verdict *verdict,
			 int fds[DSM_ATTACH_FDS_MAX])
{
	uint32_t count = 0;

	if (listener->shared_fd >= 0) {
		verdict->carried |= DSM_CARRIED_SHARED;
		fds[count++] = listener->shared_fd;
	}
	if (listener->pool != NULL) {
		verdict->carried |= DSM_CARRIED_POOL;
		fds[count++] = listener->pool->fd;
	}
	return count;
}

/*
 * Checks one packet and answers it. Takes ownership of `fd`, unless the memory was asked
 * for. Returns enum decision, or 0 for a refusal.
 */
static int decide(int fd, const struct arrival *arrival, const uint8_t *token,
		  const struct dsm_listener *listener, struct dsm_engine **engine,
		  struct dsm_verdict *verdict)
{
	int fds[DSM_ATTACH_FDS_MAX];
	uint32_t count = 0;
	int ret;

	*verdict = (struct dsm_verdict){ .magic = DSM_VERDICT_MAGIC };
	ret = check_header(arrival, token, verdict);
	if (ret == 0)
		ret = take(fd, arrival, listener->pool, engine, verdict);
	if (ret == DECIDED_ASKED)
		count = dsm_engine_memory(*engine, fds);
	else if (ret > 0)
		count = hand_out(listener, verdict, fds);
	/* An error is ignored: if the process is gone, its engine will report the EOF. */
	(void)dsm_send_with(fd, verdict, sizeof(*verdict), fds, count, MSG_DONTWAIT);
	if (ret > 0)
		return ret;
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
 * `engine`: that of the node, NULL before its first process has attached. Returns 1 with a
 * new engine; 2 if a further process has attached to it. Returns 0 otherwise; then
 * verdict->status is the errno and verdict->text the reason, if this call refused a
 * connection.
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
		int decided;

		if (receive_arrival(fd, &arrival) == 0) {
			i++;
			continue;
		}
		forget_pending(listener, i);
		decided = decide(fd, &arrival, token, listener, engine, verdict);
		if (decided != DECIDED_ASKED)
			return decided;
		add_pending(listener, fd);
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
