/*
 * Connects the application to its agent, and runs the command thread: plain C without Java,
 * so it works while every Java thread is blocked in a fault or at a safepoint. The thread
 * is also the watchdog: it ends an application whose agent is gone, with a message.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "node_memory.h"
#include "pool.h"
#include "process.h"
#include "socket.h"
#include "trap.h"

struct command_packet {
	struct dsm_command commands[DSM_COMMAND_BATCH_MAX];
	char text[DSM_TEXT_MAX];
};

/* Silence is counted in parts of a fifth of the limit; the limit is over after one more. */
#define SILENT_PARTS 6
#define PARTS_PER_LIMIT 5

/* An agent computes if it uses at least 1 / COMPUTING_SHARE of a processor. */
#define COMPUTING_SHARE 500

/* Parts after which an agent that computes, but sends nothing, is gone. */
#define LATE_PARTS (3 * SILENT_PARTS)

_Static_assert(sizeof(struct command_packet) ==
		       DSM_COMMAND_BATCH_MAX * sizeof(struct dsm_command) + DSM_TEXT_MAX,
	       "no padding");

static _Noreturn void end_without_agent(const struct dsm_mapping *mapping, const char *reason)
{
	char text[DSM_TEXT_MAX];
	int bytes = snprintf(text, sizeof(text),
			     "muninn: node %d: its agent is gone (%s); ending the application\n",
			     mapping->node, reason);

	dsm_process_end(DSM_STATUS_AGENT_GONE, text, bytes > 0 ? (size_t)bytes : 0);
}

static int32_t allowed_silence(const struct dsm_mapping *mapping)
{
	return __atomic_load_n(&mapping->loss_millis, __ATOMIC_RELAXED);
}

static _Noreturn void end_silent_agent(const struct dsm_mapping *mapping)
{
	char reason[64];

	snprintf(reason, sizeof(reason), "nothing heard for %d ms", allowed_silence(mapping));
	end_without_agent(mapping, reason);
}

/* The processor time of the agent in ns; 0 if it is in a process namespace that hides it. */
static int64_t agent_nanos(const struct dsm_mapping *mapping)
{
	pid_t agent = dsm_peer(mapping->socket).pid;
	struct timespec used;
	clockid_t clock;

	if (agent <= 0 || clock_getcpuclockid(agent, &clock) != 0 ||
	    clock_gettime(clock, &used) < 0)
		return 0;
	return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/*
 * Waits for the agent, and ends the application if the agent is silent for too long. However long
 * this process is stopped, that ends one part only. A part in which the agent computes is no
 * silence: where many processes are ready, its thread may get little of a processor for seconds.
 */
static void await_agent(const struct dsm_mapping *mapping, short events)
{
	int64_t part = (allowed_silence(mapping) + PARTS_PER_LIMIT - 1) / PARTS_PER_LIMIT;
	int64_t before = 0;
	int silent = 0;

	for (int i = 0; i < LATE_PARTS && silent < SILENT_PARTS; i++) {
		int64_t used;

		if (dsm_wait_for(mapping->socket, events, part) != 0)
			return;
		used = agent_nanos(mapping);
		if (before == 0 || used - before < part * 1000000 / COMPUTING_SHARE)
			silent++;
		before = used;
	}
	end_silent_agent(mapping);
}

static void reply(const struct dsm_mapping *mapping, const struct dsm_command *replies,
		  size_t count)
{
	size_t bytes = count * sizeof(replies[0]);

	for (;;) {
		ssize_t sent = send(mapping->socket, replies, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent == (ssize_t)bytes)
			return;
		if (sent >= 0 || (errno != EAGAIN && errno != EINTR))
			end_without_agent(mapping, "its socket closed");
		await_agent(mapping, POLLOUT);
	}
}

/* With mprotect the protector has already withdrawn the access. */
static int32_t drop(const struct dsm_mapping *mapping, uint64_t offset, uint64_t bytes)
{
	if (!dsm_has_uffd(mapping->kind))
		return 0;
	if (offset > mapping->region_bytes || bytes > mapping->region_bytes - offset)
		return -EINVAL;
	return madvise(mapping->region + offset, bytes, MADV_DONTNEED) < 0 ? -errno : 0;
}

/* Executes the commands of one packet. Returns 1 after BYE, otherwise 0. */
static int obey(const struct dsm_mapping *mapping, struct command_packet *packet, size_t bytes)
{
	struct dsm_command *commands = packet->commands;
	size_t count = bytes / sizeof(commands[0]);

	if (count > 0 && commands[0].kind == DSM_COMMAND_END &&
	    commands[0].bytes == bytes - sizeof(commands[0]))
		dsm_process_end(commands[0].status, (const char *)&commands[1], commands[0].bytes);
	if (bytes % sizeof(commands[0]) != 0 || count > DSM_COMMAND_BATCH_MAX)
		end_without_agent(mapping, "it sent a malformed command");

	for (size_t i = 0; i < count; i++) {
		switch (commands[i].kind) {
		case DSM_COMMAND_PING:
			commands[i].kind = DSM_REPLY_PONG;
			dsm_trap_watch(mapping);
			break;
		case DSM_COMMAND_DROP:
			commands[i].kind = DSM_REPLY_DROPPED;
			commands[i].status = drop(mapping, commands[i].offset, commands[i].bytes);
			break;
		case DSM_COMMAND_BYE:
			if (i > 0)
				reply(mapping, commands, i);
			return 1;
		default:
			end_without_agent(mapping, "it sent an unknown command");
		}
	}
	reply(mapping, commands, count);
	return 0;
}

static void *command_thread(void *argument)
{
	const struct dsm_mapping *mapping = argument;
	struct command_packet packet;

	for (;;) {
		ssize_t bytes;

		await_agent(mapping, POLLIN);
		bytes = recv(mapping->socket, &packet, sizeof(packet), MSG_DONTWAIT);
		if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (bytes <= 0)
			end_without_agent(mapping, "its socket closed");
		if (obey(mapping, &packet, (size_t)bytes) != 0)
			return NULL;
	}
}

/*
 * Connects with a time limit: a stopped listener with a full backlog would block its caller
 * for ever.
 */
static int connect_within(int fd, const struct sockaddr_un *address, socklen_t length,
			  int32_t millis)
{
	struct timeval limit = { .tv_sec = millis / 1000, .tv_usec = millis % 1000 * 1000 };

	if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)address, length) < 0)
		return errno == EAGAIN ? -ETIMEDOUT : -errno;
	return dsm_peer(fd).uid == geteuid() ? 0 : -EPERM; /* the rest is for the agent only */
}

/* The header of this process's packets. */
static struct dsm_attach header_of(const struct dsm_mapping *mapping, const uint8_t *token,
				   int32_t node, uint32_t flags)
{
	struct dsm_attach attach = {
		.magic = DSM_ATTACH_MAGIC,
		.abi = DSM_ABI_VERSION,
		.node = node,
		.kind = mapping->kind,
		.way = mapping->way,
		.base = (uint64_t)(uintptr_t)mapping->region,
		.region_bytes = mapping->region_bytes,
		.control_bytes = mapping->control_bytes,
		.page_bytes = (uint32_t)dsm_page_bytes(),
		.flags = flags,
		.process = (uint16_t)mapping->process,
		.processes = (uint16_t)mapping->processes,
	};

	memcpy(attach.token, token, DSM_TOKEN_BYTES);
	return attach;
}

static int send_attach(const struct dsm_mapping *mapping, int fd, const struct dsm_attach *attach)
{
	int fds[DSM_ATTACH_FDS_MAX];
	uint32_t count = 0;

	if (mapping->process == 0) {
		fds[DSM_FD_REGIONS] = mapping->region_fd;
		fds[DSM_FD_CONTROL] = mapping->control_fd;
		fds[DSM_FD_TRAPS] = mapping->traps_fd;
		fds[DSM_FD_TWINS] = mapping->twins_fd;
		fds[DSM_FD_EVENT] = mapping->event_fd;
		count = dsm_memory_fds(mapping->kind);
	}
	if (dsm_has_uffd(mapping->kind))
		fds[count++] = mapping->uffd;
	return dsm_send_with(fd, attach, sizeof(*attach), fds, count, 0);
}

/* Receives the verdict, and the descriptors that it carries. Returns their number or -errno. */
static int receive_verdict(int fd, int32_t millis, struct dsm_verdict *verdict,
			   int fds[DSM_ATTACH_FDS_MAX])
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(DSM_ATTACH_FDS_MAX * sizeof(int))];
	} control;
	struct iovec part = { .iov_base = verdict, .iov_len = sizeof(*verdict) };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_LEN(DSM_ATTACH_FDS_MAX * sizeof(int)),
	};
	int ret = dsm_wait_awake(fd, POLLIN, millis);
	uint32_t count;
	ssize_t bytes;

	if (ret <= 0)
		return ret == 0 ? -ETIMEDOUT : ret;
	bytes = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (bytes < 0)
		return -errno;
	if (bytes == 0)
		return -ECONNRESET;
	count = dsm_take_rights(&message, fds);
	if (bytes == (ssize_t)sizeof(*verdict) && verdict->magic == DSM_VERDICT_MAGIC &&
	    verdict->status == 0 && (message.msg_flags & MSG_CTRUNC) == 0)
		return (int)count;
	for (uint32_t i = 0; i < count; i++)
		close(fds[i]);
	if ((message.msg_flags & MSG_CTRUNC) != 0)
		return -EMFILE;
	if (bytes != (ssize_t)sizeof(*verdict) || verdict->magic != DSM_VERDICT_MAGIC)
		return -EPROTO;
	verdict->text[sizeof(verdict->text) - 1] = '\0';
	return -EACCES;
}

/* Connects to the agent. Returns a socket or -errno. */
static int connect_to(const char *name, int32_t loss_millis)
{
	struct sockaddr_un address;
	int length = dsm_abstract_address(name, &address);
	int fd;
	int ret;

	if (length < 0 || loss_millis <= 0)
		return -EINVAL;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	ret = connect_within(fd, &address, (socklen_t)length, loss_millis);
	if (ret < 0) {
		close(fd);
		return ret;
	}
	return fd;
}

static void close_all(const int *fds, int count)
{
	for (int i = 0; i < count; i++)
		close(fds[i]);
}

int dsm_mapping_ask(struct dsm_mapping *mapping, const char *name, const uint8_t *token,
		    int32_t loss_millis, struct dsm_verdict *verdict)
{
	struct dsm_attach attach = header_of(mapping, token, -1, DSM_ATTACH_ASK);
	int fds[DSM_ATTACH_FDS_MAX];
	int ret = mapping->socket = connect_to(name, loss_millis);

	if (ret < 0)
		return ret;
	ret = dsm_send_with(mapping->socket, &attach, sizeof(attach), NULL, 0, 0);
	if (ret == 0)
		ret = receive_verdict(mapping->socket, loss_millis, verdict, fds);
	if (ret < 0)
		return ret;
	if ((uint32_t)ret != dsm_memory_fds(mapping->kind)) {
		close_all(fds, ret);
		return -EPROTO;
	}
	mapping->region_fd = fds[DSM_FD_REGIONS];
	mapping->control_fd = fds[DSM_FD_CONTROL];
	if (dsm_has_traps(mapping->kind)) {
		mapping->traps_fd = fds[DSM_FD_TRAPS];
		mapping->twins_fd = fds[DSM_FD_TWINS];
		mapping->event_fd = fds[DSM_FD_EVENT];
	}
	return 0;
}

/*
 * Takes what came with the verdict: `count` descriptors. Returns 0; -EPROTO; or as
 * dsm_pool_map(), but -EACCES for an unsuitable pool.
 */
static int take_carried(struct dsm_mapping *mapping, const int *fds, int count, int32_t node,
			struct dsm_verdict *verdict)
{
	uint32_t carried = verdict->carried;
	int next = (carried & DSM_CARRIED_SHARED) != 0 ? 1 : 0;
	struct dsm_pool *pool;
	int ret = 0;

	if (count != next + ((carried & DSM_CARRIED_POOL) != 0 ? 1 : 0))
		ret = -EPROTO;
	else if ((carried & DSM_CARRIED_POOL) != 0)
		ret = dsm_pool_map(fds[next], 0, mapping->region_bytes / mapping->page_bytes, node,
				   0, verdict, &pool);
	if (ret < 0) {
		close_all(fds, count);
		return ret == -EINVAL ? -EACCES : ret;
	}
	if ((carried & DSM_CARRIED_SHARED) != 0)
		mapping->shared_fd = fds[0];
	if ((carried & DSM_CARRIED_POOL) == 0)
		return 0;
	mapping->pool = pool;
	return dsm_mapping_move(mapping);
}

/*
 * Sets the time without a command after which the agent counts as gone, from its next
 * command on. Time in which this process is stopped does not count. Any thread may call
 * this while the command thread runs.
 */
void dsm_mapping_allow_silence(struct dsm_mapping *mapping, int32_t loss_millis)
{
	__atomic_store_n(&mapping->loss_millis, loss_millis, __ATOMIC_RELAXED);
}

/*
 * Warns if a library has replaced the handler of this engine's signal, unless it was found
 * at a ping. Any thread may call this.
 */
void dsm_mapping_watch(const struct dsm_mapping *mapping)
{
	dsm_trap_watch(mapping);
}

/*
 * Connects to the agent that listens at the abstract address `name`, passes it the memory
 * and the userfaultfd, waits for its verdict (loss_millis, and a fifth more at most), takes the
 * memory and maps the pool that come with the verdict, if any, and starts the command thread.
 *
 * Returns 0; -EACCES with the reason in `verdict` if the agent refused, or its pool does not fit;
 * -EALREADY for a second attach; -ETIMEDOUT; -EPERM if another user listens there; or another
 * -errno of a socket.
 */
int32_t dsm_mapping_attach(struct dsm_mapping *mapping, const char *name, const uint8_t *token,
			   int32_t node, int32_t loss_millis, struct dsm_verdict *verdict)
{
	struct dsm_attach attach = header_of(mapping, token, node, 0);
	int fds[DSM_ATTACH_FDS_MAX];
	int fd = mapping->socket; /* of a process that has received its memory */
	int ret;

	memset(verdict, 0, sizeof(*verdict));
	if (mapping->attached != 0)
		return -EALREADY;
	if (loss_millis <= 0)
		return -EINVAL;
	if (fd < 0)
		fd = connect_to(name, loss_millis);
	if (fd < 0)
		return fd;
	/* From now on the agent may end the protector; its keeper then names this node. */
	__atomic_store_n(&mapping->node, node, __ATOMIC_RELAXED);
	ret = send_attach(mapping, fd, &attach);
	if (ret == 0)
		ret = receive_verdict(fd, loss_millis, verdict, fds);
	if (ret >= 0)
		ret = take_carried(mapping, fds, ret, node, verdict);
	if (ret < 0)
		goto err_close;
	mapping->socket = fd;
	dsm_mapping_allow_silence(mapping, loss_millis);
	ret = dsm_thread_start(command_thread, mapping, "muninn-command");
	if (ret < 0)
		goto err_close;
	mapping->attached = 1;
	return 0;

err_close:
	if (mapping->pool != NULL)
		dsm_pool_close(mapping->pool);
	if (mapping->shared_fd >= 0)
		close(mapping->shared_fd);
	mapping->pool = NULL;
	mapping->shared_fd = -1;
	mapping->socket = -1;
	close(fd);
	return ret;
}
