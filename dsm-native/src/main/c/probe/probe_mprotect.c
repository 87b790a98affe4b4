/*
 * The probe of an engine with mprotect: the child has a protector, as an application has,
 * and this process requests access from it, also while the child is stopped.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "probe_mprotect.h"
#include "request.h"
#include "uffd_abi.h"

/* The child's probe, for its signal handler. */
static struct probe *trapped;

/* ---- the child ---- */

/* Waits for the protector too, which would otherwise end with this process. */
static _Noreturn void end(const struct probe *p, int status)
{
	if (p->protector_id > 0) {
		kill(p->protector_id, SIGKILL);
		while (waitpid(p->protector_id, NULL, __WALL) < 0 && errno == EINTR) {
		}
	}
	_exit(status);
}

static void need_or_end(struct probe *p, int32_t result)
{
	note(p, result);
	if (result != 0)
		end(p, 1);
}

static void on_signal(int signal_number, siginfo_t *info, void *context)
{
	struct probe *p = trapped;
	uint64_t offset = (uint64_t)(uintptr_t)info->si_addr - (uint64_t)(uintptr_t)p->region;
	int error = errno;
	int32_t result = 0;

	(void)context;
	if (offset >= PAGES * p->page_bytes)
		need_or_end(p, -EFAULT);
	if (signal_number == SIGBUS) {
		need_or_end(p, p->notes->step == DSM_PROBE_POISON ? 0 : -EFAULT);
		end(p, 0);
	}
	if (p->notes->step == DSM_PROBE_WRITE_PROTECT) {
		if (mprotect(p->region, p->page_bytes, PROT_READ | PROT_WRITE) < 0)
			result = -errno;
	} else {
		result = ask(p, REQUEST_PAGE, offset / p->page_bytes);
	}
	if (result != 0)
		need_or_end(p, result);
	errno = error;
}

static int32_t start_protector(struct probe *p)
{
	uint64_t bytes = PAGES * p->page_bytes;
	void *mapped = mmap(NULL, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, p->memory, 0);

	if (mapped == MAP_FAILED)
		return -errno;
	p->region = mapped;
	p->protector.request = &p->notes->request;
	p->protector.region = p->region;
	p->protector.region_bytes = bytes;
	p->protector.nothing_fd = dsm_protector_nothing();
	if (p->protector.nothing_fd < 0)
		return p->protector.nothing_fd;
	p->protector_id = dsm_protector_start(&p->protector);
	return p->protector_id < 0 ? p->protector_id : 0;
}

_Noreturn void dsm_probe_mprotect_child(struct probe *p)
{
	volatile uint64_t *word;
	int32_t result;

	trapped = p;
	begin(p, DSM_PROBE_OPEN);
	need_or_end(p, start_protector(p));
	word = (volatile uint64_t *)(void *)p->region;
	begin(p, DSM_PROBE_FEATURES);
	need_or_end(p, ask(p, REQUEST_STOPPED, 0));
	begin(p, DSM_PROBE_REGISTER);
	need_or_end(p, ask(p, REQUEST_ATTACH, 0));

	begin(p, DSM_PROBE_MISSING);
	result = dsm_probe_take_signals(on_signal);
	need_or_end(p, result == 0 ? expect(filling(1), *word) : result);
	begin(p, DSM_PROBE_WRITE_PROTECT);
	*word = STORED;
	need_or_end(p, expect(STORED, *(volatile uint64_t *)(void *)p->alias));
	begin(p, DSM_PROBE_PUNCH_HOLE);
	result = ask(p, REQUEST_PUNCH, 0);
	need_or_end(p, result == 0 ? expect(filling(2), *word) : result);
	begin(p, DSM_PROBE_SYSTEM_CALL);
	note(p, system_call(p));
	begin(p, DSM_PROBE_POISON);
	result = ask(p, REQUEST_POISON, 0);
	if (result == 0) {
		(void)*word; /* ends in on_signal() */
		result = -EPROTO;
	}
	need_or_end(p, result);
	end(p, 0);
}

/* ---- the parent ---- */

static int32_t give(const struct probe *p, uint64_t page, uint64_t count, uint32_t access)
{
	return dsm_request_send(&p->notes->request, p->socket, page * p->page_bytes,
			      count * p->page_bytes, access);
}

/* The child waits for this answer while it is stopped. */
static int32_t give_while_stopped(const struct probe *p)
{
	int32_t result;
	int status;

	if (kill(p->child, SIGSTOP) < 0)
		return -errno;
	while (waitpid(p->child, &status, WUNTRACED) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	if (!WIFSTOPPED(status))
		return -ESRCH;
	result = give(p, 0, PAGES, DSM_ACCESS_READ_WRITE);
	kill(p->child, SIGCONT);
	return result;
}

static int32_t take_and_punch(const struct probe *p)
{
	int32_t result = give(p, 0, 1, DSM_ACCESS_NONE);
	uint64_t content;

	if (result != 0)
		return result;
	memcpy(&content, p->alias, sizeof(content));
	return content == STORED ? dsm_probe_punch(p, 0) : -EPROTO;
}

int32_t dsm_probe_mprotect_answer(struct probe *p, const struct question *question)
{
	int32_t result;

	switch (question->request) {
	case REQUEST_STOPPED:
		return give_while_stopped(p);
	case REQUEST_ATTACH:
		return give(p, 0, PAGES, DSM_ACCESS_NONE);
	case REQUEST_PAGE:
		result = dsm_probe_fill(p, question->page);
		return result == 0 ? give(p, question->page, 1, DSM_ACCESS_READ) : result;
	case REQUEST_PUNCH:
		return take_and_punch(p);
	case REQUEST_POISON:
		result = dsm_probe_punch(p, 0);
		return result == 0 ? give(p, 0, 1, DSM_ACCESS_ENDED) : result;
	default:
		return -EPROTO;
	}
}
