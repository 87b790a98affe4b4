/* Common to the parts of a probe: the pages, the notes, and the child's requests to its parent. */
#ifndef DSM_PROBE_PAGES_H
#define DSM_PROBE_PAGES_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "handler.h"
#include "node_memory.h"

#define PAGES 2 /* one whose access changes, and one for the system call */
#define STORED UINT64_C(0x5704ed5704ed5704)

enum request {
	REQUEST_ATTACH = 1, /* carries the userfaultfd and the address of the pages */
	REQUEST_PAGE = 2, /* a signal was handled: requests content */
	REQUEST_PUNCH = 3,
	REQUEST_POISON = 4,
	REQUEST_STOPPED = 5, /* stop the child, change access, resume the child */
};

struct question {
	uint64_t request;
	uint64_t page;
	uint64_t base;
};

/* In memory of both processes, so that the results of a killed child survive. */
struct notes {
	struct dsm_probe_report report;
	int64_t start_nanos;
	int32_t step;
	int32_t reserved;
	struct dsm_request request; /* with mprotect */
};

struct probe {
	struct notes *notes;
	uint8_t *alias; /* the pages, never trapped */
	uint8_t *region; /* in the child: the pages, trapped */
	uint64_t base; /* in the parent: address of the pages in the child */
	uint64_t page_bytes;
	uint64_t fills;
	int32_t kind;
	int32_t way;
	int memory;
	int socket;
	int uffd;
	int child_socket;
	int32_t child; /* in the parent */
	struct dsm_protector protector; /* with mprotect, in the child; and its id */
	int32_t protector_id;
};

static inline int64_t now_nanos(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The value that the parent writes to the first word of the n-th page it fills. */
static inline uint64_t filling(uint64_t n)
{
	return UINT64_C(0x1111111111111111) * n;
}

static inline void begin(struct probe *p, int32_t step)
{
	p->notes->step = step;
	p->notes->start_nanos = now_nanos();
}

static inline void note(struct probe *p, int32_t result)
{
	struct dsm_probe_step *step = &p->notes->report.steps[p->notes->step];

	step->nanos = now_nanos() - p->notes->start_nanos;
	step->result = result;
}

/* Records a step that must succeed for the later steps to be meaningful. */
static inline void need(struct probe *p, int32_t result)
{
	note(p, result);
	if (result != 0)
		_exit(1);
}

static inline int32_t ask(const struct probe *p, uint64_t request, uint64_t page)
{
	struct question question = { .request = request, .page = page };
	int32_t answer;

	if (send(p->socket, &question, sizeof(question), MSG_NOSIGNAL) < 0)
		return -errno;
	if (recv(p->socket, &answer, sizeof(answer), 0) != (ssize_t)sizeof(answer))
		return -ECONNRESET;
	return answer;
}

static inline int32_t expect(uint64_t expected, uint64_t found)
{
	return found == expected ? 0 : -EPROTO;
}

/*
 * Passes a missing page to a system call. Returns 0, or -EFAULT if the kernel does not wait
 * for the page.
 */
static inline int32_t system_call(const struct probe *p)
{
	ssize_t written;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -errno;
	written = write(ends[1], p->region + p->page_bytes, p->page_bytes);
	if (written < 0)
		return -errno;
	return (uint64_t)written == p->page_bytes ? 0 : -EFAULT;
}

/* In the child: installs the handler for failing accesses. Returns 0 or -errno. */
int32_t dsm_probe_take_signals(dsm_handler handler);

/* Fills a page with the content that the child expects. */
int32_t dsm_probe_fill(struct probe *p, uint64_t page);
int32_t dsm_probe_punch(const struct probe *p, uint64_t page);

#endif
