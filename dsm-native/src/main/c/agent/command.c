/*
 * Commands to the command thread of each process, and its replies. Never blocks: commands
 * that the socket does not accept are kept in a bounded queue and sent when replies make
 * room.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "state.h"

static struct dsm_command *slot(struct dsm_command_queue *queue, uint64_t index)
{
	return &queue->ring[index % DSM_COMMAND_QUEUE_MAX];
}

/* The number of commands for one packet: those adjacent in the ring; END is sent alone. */
static size_t batch_at_head(struct dsm_command_queue *queue)
{
	uint64_t start = queue->head % DSM_COMMAND_QUEUE_MAX;
	size_t count = 1;

	if (slot(queue, queue->head)->kind == DSM_COMMAND_END)
		return 1;
	while (count < DSM_COMMAND_BATCH_MAX && queue->head + count < queue->tail &&
	       start + count < DSM_COMMAND_QUEUE_MAX &&
	       queue->ring[start + count].kind != DSM_COMMAND_END)
		count++;
	return count;
}

/*
 * Sends as many commands as the socket accepts. Returns 0, also if the application is gone
 * (its EOF is reported by dsm_engine_read_replies()), or -errno.
 */
int dsm_command_flush(struct dsm_process *process)
{
	struct dsm_command_queue *queue = &process->queue;

	while (queue->head < queue->tail) {
		struct dsm_command *first = slot(queue, queue->head);
		size_t count = batch_at_head(queue);
		struct iovec parts[] = {
			{ .iov_base = first, .iov_len = count * sizeof(*first) },
			{ .iov_base = queue->text, .iov_len = queue->text_bytes },
		};
		struct msghdr message = {
			.msg_iov = parts,
			.msg_iovlen = first->kind == DSM_COMMAND_END ? 2 : 1,
		};

		if (sendmsg(process->command_fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
			if (errno == EINTR)
				continue;
			if (errno == EPIPE || errno == ECONNRESET) {
				queue->head = queue->tail;
				return 0;
			}
			return (errno == EAGAIN || errno == ENOBUFS) ? 0 : -errno;
		}
		queue->head += count;
	}
	return 0;
}

/* Queues one command and sends what can be sent. Returns its sequence number or -errno. */
static int64_t submit(struct dsm_process *process, struct dsm_command command)
{
	struct dsm_command_queue *queue = &process->queue;
	int ret;

	if (queue->tail - queue->head == DSM_COMMAND_QUEUE_MAX)
		return -ENOBUFS;
	if (queue->head == queue->tail)
		queue->head = queue->tail = 0; /* reuse the part that has memory */
	command.sequence = ++queue->sequence;
	*slot(queue, queue->tail) = command;
	queue->tail++;
	ret = dsm_command_flush(process);
	return ret < 0 ? ret : (int64_t)command.sequence;
}

/*
 * Requests the command thread of a process to unmap the pages there: access NONE, content
 * kept. With mprotect the protector withdraws the access at once; the reply is the same.
 * Until the reply DSM_REPLY_DROPPED their access is undecided and dsm_engine_allow()
 * refuses them.
 *
 * Returns the sequence number of the command; -EBUSY if the access of a page is already
 * being withdrawn; -ENOBUFS if DSM_COMMAND_QUEUE_MAX commands wait.
 */
int64_t dsm_engine_drop(struct dsm_engine *engine, int32_t process, uint64_t offset,
			uint64_t bytes)
{
	struct dsm_process *p = dsm_process_at(engine, process);
	uint64_t first = offset / engine->page_bytes;
	uint64_t count = bytes / engine->page_bytes;
	int64_t ret;

	if (p == NULL || !dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	if (!dsm_claim_allows(engine, offset, bytes, DSM_ACCESS_NONE))
		return -EBUSY;
	for (uint64_t i = 0; i < count; i++) {
		if (p->states[first + i] == DSM_PAGE_DROPPING)
			return -EBUSY;
		if (p->states[first + i] == DSM_PAGE_POISONED)
			return -EHWPOISON;
	}
	if (!dsm_has_uffd(engine->kind)) {
		ret = dsm_protect(engine, p, offset, bytes, DSM_ACCESS_NONE);
		if (ret < 0 && ret != -ESRCH)
			return ret;
	}
	ret = submit(p, (struct dsm_command){
				.kind = DSM_COMMAND_DROP,
				.offset = offset,
				.bytes = bytes,
			});
	if (ret > 0)
		memset(&p->states[first], DSM_PAGE_DROPPING, count);
	return ret;
}

/* Sends a ping. Returns the sequence number that DSM_REPLY_PONG will carry. */
int64_t dsm_engine_ping(struct dsm_engine *engine, int32_t process)
{
	struct dsm_process *p = dsm_process_at(engine, process);

	return p == NULL ? -EINVAL : submit(p, (struct dsm_command){ .kind = DSM_COMMAND_PING });
}

/*
 * Ends a process with `status` after it has written `text`, truncated to DSM_TEXT_MAX
 * bytes.
 */
int32_t dsm_engine_end(struct dsm_engine *engine, int32_t process, int32_t status,
		       const char *text, int32_t text_bytes)
{
	struct dsm_process *p = dsm_process_at(engine, process);
	struct dsm_command_queue *queue;
	int64_t ret;

	if (p == NULL || text_bytes < 0)
		return -EINVAL;
	queue = &p->queue;
	queue->text_bytes = text_bytes > DSM_TEXT_MAX ? DSM_TEXT_MAX : (uint32_t)text_bytes;
	memcpy(queue->text, text, queue->text_bytes);
	ret = submit(p, (struct dsm_command){
				.kind = DSM_COMMAND_END,
				.status = status,
				.bytes = queue->text_bytes,
			});
	return ret < 0 ? (int32_t)ret : 0;
}

/* Announces the normal end of this agent to the command thread of a process. */
int32_t dsm_engine_bye(struct dsm_engine *engine, int32_t process)
{
	struct dsm_process *p = dsm_process_at(engine, process);
	int64_t ret = p == NULL ? -EINVAL :
				  submit(p, (struct dsm_command){ .kind = DSM_COMMAND_BYE });

	return ret < 0 ? (int32_t)ret : 0;
}

static int complete_drop(const struct dsm_engine *engine, struct dsm_process *process,
			 const struct dsm_command *reply)
{
	uint64_t first = reply->offset / engine->page_bytes;
	uint64_t count = reply->bytes / engine->page_bytes;

	if (!dsm_is_range(engine, reply->offset, reply->bytes))
		return -EPROTO;
	for (uint64_t i = 0; i < count; i++) {
		if (process->states[first + i] == DSM_PAGE_DROPPING)
			process->states[first + i] = DSM_PAGE_UNMAPPED;
	}
	return 0;
}

static int report_gone(struct dsm_engine *engine, struct dsm_process *process)
{
	if (process->gone != 0)
		return 0;
	process->gone = 1;
	engine->replies[0] = (struct dsm_command){ .kind = DSM_REPLY_GONE };
	return 1;
}

/*
 * Reads one packet of replies of a process into the array dsm_engine_replies(), and sends
 * queued commands. Call until it returns 0.
 *
 * Returns the number of replies; 0 if none is waiting. The end of the process is the last
 * reply, DSM_REPLY_GONE. -EPROTO for a malformed packet.
 */
int32_t dsm_engine_read_replies(struct dsm_engine *engine, int32_t process)
{
	struct dsm_process *p = dsm_process_at(engine, process);
	ssize_t bytes;
	size_t count;
	int ret;

	if (p == NULL)
		return -EINVAL;

	do {
		bytes = recv(p->command_fd, engine->replies, sizeof(engine->replies),
			     MSG_DONTWAIT);
	} while (bytes < 0 && errno == EINTR);
	if (bytes < 0 && errno == EAGAIN)
		return 0;
	if (bytes == 0 || (bytes < 0 && errno == ECONNRESET))
		return report_gone(engine, p);
	if (bytes < 0)
		return -errno;
	if ((size_t)bytes % sizeof(engine->replies[0]) != 0)
		return -EPROTO;

	count = (size_t)bytes / sizeof(engine->replies[0]);
	for (size_t i = 0; i < count; i++) {
		if (engine->replies[i].kind == DSM_REPLY_DROPPED &&
		    complete_drop(engine, p, &engine->replies[i]) < 0)
			return -EPROTO;
	}
	ret = dsm_command_flush(p);
	return ret < 0 ? ret : (int32_t)count;
}
