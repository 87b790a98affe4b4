/*
 * Tries an engine before anything relies on it: a child process shares some pages with this
 * process, as an application does with its agent, and faults on them in every way; this
 * process resolves the faults. The child can be killed in any wait, so nothing here waits
 * for ever. The child is forked from a process with many threads, so it makes only system
 * calls until its end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "probe_mprotect.h"
#include "socket.h"
#include "uffd_abi.h"

#define PART_MILLIS 500
#define PART_NANOS (INT64_C(1000000) * PART_MILLIS)
#define LIMIT_NANOS (10 * PART_NANOS)

/* The child's probe, for its signal handler. */
static struct probe *trapped;

/* ---- the child: an application ---- */

static int32_t attach(const struct probe *p)
{
	struct question question = {
		.request = REQUEST_ATTACH,
		.base = (uint64_t)(uintptr_t)p->region,
	};
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { .bytes = { 0 } };
	struct iovec part = { .iov_base = &question, .iov_len = sizeof(question) };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
	int32_t answer;

	rights->cmsg_level = SOL_SOCKET;
	rights->cmsg_type = SCM_RIGHTS;
	rights->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(rights), &p->uffd, sizeof(int));
	if (sendmsg(p->socket, &message, MSG_NOSIGNAL) < 0)
		return -errno;
	if (recv(p->socket, &answer, sizeof(answer), 0) != (ssize_t)sizeof(answer))
		return -ECONNRESET;
	return answer;
}

static int32_t writeprotect(int uffd, uint64_t start, uint64_t bytes, uint64_t mode)
{
	struct dsm_k_uffdio_writeprotect range = { .start = start, .len = bytes, .mode = mode };

	return ioctl(uffd, DSM_K_UFFDIO_WRITEPROTECT, &range) < 0 ? -errno : 0;
}

static void on_signal(int signal_number, siginfo_t *info, void *context)
{
	struct probe *p = trapped;
	uint64_t start = (uint64_t)(uintptr_t)p->region;
	uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
	int error = errno;
	int32_t result;

	(void)context;
	if (signal_number != SIGBUS || address - start >= PAGES * p->page_bytes) {
		note(p, -EFAULT);
		_exit(1);
	}
	if (p->notes->step == DSM_PROBE_POISON) {
		note(p, 0);
		_exit(0);
	}
	if (p->kind != DSM_ENGINE_UFFD_SIGNAL) {
		note(p, -EFAULT);
		_exit(1);
	}
	if (p->notes->step == DSM_PROBE_WRITE_PROTECT)
		result = writeprotect(p->uffd, start, p->page_bytes, 0);
	else
		result = ask(p, REQUEST_PAGE, (address - start) / p->page_bytes);
	if (result != 0) {
		note(p, result);
		_exit(1);
	}
	errno = error;
}

static int32_t register_pages(struct probe *p)
{
	uint64_t bytes = PAGES * p->page_bytes;
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
			    p->memory, 0);
	struct dsm_k_uffdio_register range = {
		.len = bytes,
		.mode = DSM_K_REGISTER_MISSING | DSM_K_REGISTER_MINOR | DSM_K_REGISTER_WP,
	};

	if (mapped == MAP_FAILED)
		return -errno;
	p->region = mapped;
	if (madvise(mapped, bytes, MADV_NOHUGEPAGE) < 0 && errno != EINVAL)
		return -errno;
	range.start = (uint64_t)(uintptr_t)mapped;
	if (ioctl(p->uffd, DSM_K_UFFDIO_REGISTER, &range) < 0)
		return -errno;
	return (range.ioctls & DSM_K_RANGE_IOCTLS) == DSM_K_RANGE_IOCTLS ? 0 : -EOPNOTSUPP;
}

static _Noreturn void run_child(struct probe *p, pid_t parent)
{
	volatile uint64_t *word;
	int32_t result;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	if (!dsm_has_uffd(p->kind))
		dsm_probe_mprotect_child(p);
	trapped = p;
	begin(p, DSM_PROBE_OPEN);
	p->uffd = dsm_uffd_open(p->way);
	need(p, p->uffd < 0 ? p->uffd : 0);
	begin(p, DSM_PROBE_FEATURES);
	result = dsm_uffd_enable(p->uffd, p->kind);
	if (result < 0)
		p->notes->report.missing_features = dsm_uffd_missing(p->way, p->kind);
	need(p, result);
	begin(p, DSM_PROBE_REGISTER);
	need(p, register_pages(p));
	word = (volatile uint64_t *)(void *)p->region;

	begin(p, DSM_PROBE_MISSING);
	result = dsm_probe_take_signals(on_signal);
	if (result == 0)
		result = attach(p);
	need(p, result == 0 ? expect(filling(1), *word) : result);
	begin(p, DSM_PROBE_WRITE_PROTECT);
	*word = STORED;
	need(p, expect(STORED, *(volatile uint64_t *)(void *)p->alias));
	begin(p, DSM_PROBE_PUNCH_HOLE);
	result = ask(p, REQUEST_PUNCH, 0);
	need(p, result == 0 ? expect(filling(2), *word) : result);
	begin(p, DSM_PROBE_SYSTEM_CALL);
	note(p, system_call(p));
	begin(p, DSM_PROBE_POISON);
	result = ask(p, REQUEST_POISON, 0);
	if (result == 0) {
		(void)*word; /* ends in on_signal() */
		result = -EPROTO;
	}
	need(p, result);
	_exit(0);
}

/* ---- the parent: an agent ---- */

static int32_t install(const struct probe *p, unsigned long request, uint64_t page, uint64_t mode)
{
	struct dsm_k_uffdio_install range = {
		.start = p->base + page * p->page_bytes,
		.len = p->page_bytes,
		.mode = mode,
	};

	return ioctl(p->uffd, request, &range) < 0 ? -errno : 0;
}

static int32_t fill(struct probe *p, uint64_t page)
{
	int32_t result = dsm_probe_fill(p, page);

	return result == 0 ? install(p, DSM_K_UFFDIO_CONTINUE, page, DSM_K_CONTINUE_WP) : result;
}

static int32_t freeze_and_punch(const struct probe *p)
{
	uint64_t content;
	int32_t result = writeprotect(p->uffd, p->base, p->page_bytes, DSM_K_WRITEPROTECT_WP);

	if (result != 0)
		return result;
	memcpy(&content, p->alias, sizeof(content));
	return content == STORED ? dsm_probe_punch(p, 0) : -EPROTO;
}

static int32_t poison(const struct probe *p)
{
	int32_t result = dsm_probe_punch(p, 0);

	if (result == 0)
		result = writeprotect(p->uffd, p->base, p->page_bytes,
				      DSM_K_WRITEPROTECT_DONTWAKE);
	return result == 0 ? install(p, DSM_K_UFFDIO_POISON, 0, 0) : result;
}

/* Resolves one event of the userfaultfd; EAGAIN: the event no longer exists. */
static int32_t resolve(struct probe *p)
{
	struct dsm_k_uffd_msg event;
	ssize_t bytes = read(p->uffd, &event, sizeof(event));

	if (bytes < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if (bytes != (ssize_t)sizeof(event) || event.event != DSM_K_UFFD_EVENT_PAGEFAULT)
		return -EPROTO;
	if ((event.flags & DSM_K_FLAG_WP) != 0)
		return writeprotect(p->uffd, p->base, p->page_bytes, 0);
	return fill(p, (event.address - p->base) / p->page_bytes);
}

static int32_t answer_to(struct probe *p, const struct question *question)
{
	switch (question->request) {
	case REQUEST_ATTACH:
		p->base = question->base;
		return p->uffd >= 0 ? 0 : -EBADF;
	case REQUEST_PAGE:
		return fill(p, question->page);
	case REQUEST_PUNCH:
		return freeze_and_punch(p);
	case REQUEST_POISON:
		return poison(p);
	default:
		return -EPROTO;
	}
}

/* Handles one request of the child. Returns 0 when the child has ended. */
static int take_question(struct probe *p)
{
	struct question question;
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { .iov_base = &question, .iov_len = sizeof(question) };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t bytes = recvmsg(p->socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	struct cmsghdr *rights;
	int32_t answer;

	if (bytes < 0)
		return errno == EAGAIN || errno == EINTR;
	if (bytes != (ssize_t)sizeof(question))
		return 0;
	rights = CMSG_FIRSTHDR(&message);
	if (rights != NULL && rights->cmsg_type == SCM_RIGHTS &&
	    rights->cmsg_len == CMSG_LEN(sizeof(int)) && p->uffd < 0)
		memcpy(&p->uffd, CMSG_DATA(rights), sizeof(int));
	answer = dsm_has_uffd(p->kind) ? answer_to(p, &question) :
					 dsm_probe_mprotect_answer(p, &question);
	return send(p->socket, &answer, sizeof(answer), MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
}

/*
 * Serves the child until it ends. Returns 0, -ETIMEDOUT, or the -errno of a failure in this
 * process. However long both are stopped, that counts as one part of the limit.
 */
static int32_t serve(struct probe *p)
{
	int64_t left = LIMIT_NANOS;

	while (left > 0) {
		struct pollfd fds[] = {
			{ .fd = p->socket, .events = POLLIN },
			{ .fd = p->kind == DSM_ENGINE_UFFD_EVENT ? p->uffd : -1, .events = POLLIN },
		};
		int64_t start = now_nanos();
		int64_t took;

		if (poll(fds, 2, PART_MILLIS) < 0 && errno != EINTR)
			return -errno;
		took = now_nanos() - start;
		left -= took < PART_NANOS ? took : PART_NANOS;
		if ((fds[1].revents & POLLIN) != 0) {
			int32_t result = resolve(p);

			if (result != 0)
				return result;
		}
		if (fds[0].revents != 0 && take_question(p) == 0)
			return 0;
	}
	return -ETIMEDOUT;
}

/* Runs the steps in a child, and ends it. */
static int32_t run(struct probe *p)
{
	pid_t self = getpid();
	pid_t child = fork();
	struct dsm_probe_step *last;
	int32_t result;
	int status;

	if (child < 0)
		return -errno;
	if (child == 0) {
		close(p->socket);
		p->socket = p->child_socket;
		run_child(p, self);
	}
	close(p->child_socket);
	p->child_socket = -1;
	p->child = child;
	result = serve(p);
	if (result != 0)
		kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
	}
	last = &p->notes->report.steps[p->notes->step];
	if (last->result == DSM_PROBE_NOT_RUN)
		last->result = result == 0 ? -EIO : result;
	return 0;
}

static int32_t make_memory(struct probe *p)
{
	uint64_t bytes = PAGES * p->page_bytes;
	void *alias;

	p->memory = dsm_memory_open("muninn-probe", bytes);
	if (p->memory < 0)
		return p->memory;
	alias = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, p->memory, 0);
	if (alias == MAP_FAILED)
		return -errno;
	p->alias = alias;
	return 0;
}

static int32_t prepare(struct probe *p)
{
	int sockets[2];
	void *notes = mmap(NULL, sizeof(*p->notes), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (notes == MAP_FAILED)
		return -errno;
	p->notes = notes;
	for (int i = 0; i < DSM_PROBE_STEPS; i++)
		p->notes->report.steps[i].result = DSM_PROBE_NOT_RUN;
	begin(p, DSM_PROBE_MEMORY);
	note(p, make_memory(p));
	if (p->notes->report.steps[DSM_PROBE_MEMORY].result != 0)
		return 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0)
		return -errno;
	p->socket = sockets[0];
	p->child_socket = sockets[1];
	return 0;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void clean_up(struct probe *p)
{
	close_if_open(p->socket);
	close_if_open(p->child_socket);
	close_if_open(p->uffd);
	close_if_open(p->memory);
	if (p->alias != NULL)
		munmap(p->alias, PAGES * p->page_bytes);
	if (p->notes != NULL)
		munmap(p->notes, sizeof(*p->notes));
}

/*
 * Tries an engine with one way to set it up.
 *
 * Returns 0 with the result of each step in `report`: 0, -errno (-EPROTO: an unexpected
 * result; -ETIMEDOUT: no end), or DSM_PROBE_NOT_RUN after a failed step. Only the system
 * call may fail in a usable engine. Returns -EINVAL for an unknown engine or way, or
 * -ENOMEM. Takes at most five seconds, and leaves nothing behind.
 */
int32_t dsm_probe(int32_t kind, int32_t way, struct dsm_probe_report *report)
{
	struct probe p = {
		.kind = kind,
		.way = way,
		.page_bytes = (uint64_t)dsm_page_bytes(),
		.memory = -1,
		.socket = -1,
		.child_socket = -1,
		.uffd = -1,
	};
	int32_t ret;

	if (kind < 0 || kind >= DSM_ENGINE_KINDS || way < 0 ||
	    (dsm_has_uffd(kind) ? way >= DSM_WAYS : way != DSM_WAY_PROTECTOR))
		return -EINVAL;
	ret = prepare(&p);
	if (ret == 0 && p.socket >= 0)
		ret = run(&p);
	if (ret < 0 && p.notes != NULL) { /* no process or descriptor available */
		p.notes->report.steps[DSM_PROBE_MEMORY].result = ret;
		ret = 0;
	}
	if (ret == 0)
		*report = p.notes->report;
	clean_up(&p);
	return ret;
}
