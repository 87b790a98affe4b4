/* Operations on the agent's state and the regions' file that several files need. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/uio.h>

#include "state.h"

/* Maps zeroed memory, allocated only where it is used. */
int dsm_engine_map_zeroes(uint64_t bytes, void **address)
{
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (mapped == MAP_FAILED)
		return -errno;
	(void)madvise(mapped, bytes, MADV_NOHUGEPAGE);
	*address = mapped;
	return 0;
}

/*
 * Either the page was reclaimed or the fault is stale; CONTINUE will show which. With
 * mprotect a reclaimed page returns without a fault.
 */
void dsm_engine_note_fault(struct dsm_engine *engine, const struct dsm_fault *fault)
{
	uint8_t *states = engine->processes[fault->process].states;
	uint8_t *state = &states[fault->offset / engine->page_bytes];

	if (dsm_has_uffd(engine->kind) && fault->kind != DSM_FAULT_UPGRADE &&
	    *state == DSM_PAGE_MAPPED)
		*state = DSM_PAGE_UNMAPPED;
}

/* True if a page of the range has this state in the process. */
int dsm_has_state(const struct dsm_engine *engine, const struct dsm_process *process,
		  uint64_t offset, uint64_t bytes, uint8_t state)
{
	return memchr(&process->states[offset / engine->page_bytes], state,
		      bytes / engine->page_bytes) != NULL;
}

/* Returns -EBUSY or -EHWPOISON for the first page in a state that forbids a change; otherwise 0. */
int dsm_check_states(const struct dsm_engine *engine, const struct dsm_process *process,
		     uint64_t offset, uint64_t bytes)
{
	for (uint64_t at = offset; at < offset + bytes; at += engine->page_bytes) {
		uint8_t state = process->states[at / engine->page_bytes];

		if (state == DSM_PAGE_DROPPING)
			return -EBUSY;
		if (state == DSM_PAGE_POISONED)
			return -EHWPOISON;
	}
	return 0;
}

/*
 * Fills pages with content from several buffers; `parts` is modified. Returns an error if
 * the machine is out of memory; a store through the alias would cause SIGBUS.
 */
int dsm_fill(const struct dsm_engine *engine, uint64_t offset, struct iovec *parts, int count)
{
	while (count > 0) {
		ssize_t written = pwritev(engine->content_fd, parts, count,
					  (off_t)(engine->content_at + offset));

		if (written < 0 && errno != EINTR)
			return -errno;
		for (size_t left = written < 0 ? 0 : (size_t)written; left > 0;) {
			size_t some = left < parts->iov_len ? left : parts->iov_len;

			parts->iov_base = (uint8_t *)parts->iov_base + some;
			parts->iov_len -= some;
			offset += some;
			left -= some;
			if (parts->iov_len == 0) {
				parts++;
				count--;
			}
		}
	}
	return 0;
}
