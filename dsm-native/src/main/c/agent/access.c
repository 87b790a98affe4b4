/*
 * Changes the access of the pages of a node's processes. The agent issues every ioctl here,
 * on the address space of a process. With mprotect its protector makes the changes
 * (protect.c); they are in force when it has answered. A process that has ended (ESRCH) has
 * no access to change: that is success, and its EOF arrives on the command socket.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "state.h"
#include "uffd_abi.h"

#define RETRIES_MAX 1000
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Retries EAGAIN (the address space is changing) and EINTR, within bounds. */
static int writeprotect(const struct dsm_process *process, uint64_t offset, uint64_t bytes,
			uint64_t mode)
{
	struct dsm_k_uffdio_writeprotect range = {
		.start = process->base + offset,
		.len = bytes,
		.mode = mode,
	};

	for (int i = 0; i < RETRIES_MAX; i++) {
		if (ioctl(process->uffd, DSM_K_UFFDIO_WRITEPROTECT, &range) == 0)
			return 0;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
	}
	return -EAGAIN;
}

/* CONTINUE or POISON. Returns the bytes done (> 0), or -errno with none done. */
static int64_t install(const struct dsm_process *process, unsigned long request, uint64_t offset,
		       uint64_t bytes, uint64_t mode)
{
	for (int i = 0; i < RETRIES_MAX; i++) {
		struct dsm_k_uffdio_install range = {
			.start = process->base + offset,
			.len = bytes,
			.mode = mode,
		};

		if (ioctl(process->uffd, request, &range) == 0)
			return (int64_t)bytes;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (range.done > 0)
			return range.done;
	}
	return -EAGAIN;
}

static int protect_mapped(const struct dsm_process *process, uint64_t offset, uint64_t bytes,
			  int32_t access)
{
	uint64_t mode = access == DSM_ACCESS_READ ? DSM_K_WRITEPROTECT_WP :
						    DSM_K_WRITEPROTECT_DONTWAKE;

	return writeprotect(process, offset, bytes, mode);
}

/* Maps unmapped pages; a page found to be mapped (EEXIST) is write-protected instead. */
static int map_unmapped(const struct dsm_engine *engine, const struct dsm_process *process,
			uint64_t offset, uint64_t bytes, int32_t access)
{
	uint64_t mode = DSM_K_CONTINUE_DONTWAKE |
			(access == DSM_ACCESS_READ ? DSM_K_CONTINUE_WP : 0);
	uint64_t end = offset + bytes;

	while (offset < end) {
		int64_t done =
			install(process, DSM_K_UFFDIO_CONTINUE, offset, end - offset, mode);

		if (done == -EEXIST) {
			int ret = protect_mapped(process, offset, engine->page_bytes, access);

			if (ret < 0)
				return ret;
			done = (int64_t)engine->page_bytes;
		}
		if (done < 0)
			return (int)done;
		offset += (uint64_t)done;
	}
	return 0;
}

static uint64_t run_of_state(const struct dsm_process *process, uint64_t first, uint64_t end)
{
	uint64_t page = first + 1;

	while (page < end && process->states[page] == process->states[first])
		page++;
	return page - first;
}

static int allow_by_mprotect(struct dsm_engine *engine, struct dsm_process *process,
			     uint64_t offset, uint64_t bytes, int32_t access)
{
	int ret = dsm_check_states(engine, process, offset, bytes);

	if (ret == 0)
		ret = dsm_protect_has_content(engine, offset, bytes);
	if (ret == 0)
		ret = dsm_protect(engine, process, offset, bytes, (uint8_t)access);
	if (ret == 0)
		memset(&process->states[offset / engine->page_bytes], DSM_PAGE_MAPPED,
		       bytes / engine->page_bytes);
	return ret == -ESRCH ? 0 : ret;
}

/*
 * Gives a process READ or READ_WRITE to pages whose content is in the file, mapped there or
 * not. Wakes no thread. After READ no store of the process is in progress or can follow.
 *
 * Returns 0; -EFAULT if a page has no content; -EBUSY if its access is being withdrawn or a
 * trap may change it; -EHWPOISON if it is poisoned; -EINVAL for a bad range or process; with
 * mprotect -E2BIG if the process would have too many mappings.
 */
int32_t dsm_engine_allow(struct dsm_engine *engine, int32_t process, uint64_t offset,
			 uint64_t bytes, int32_t access)
{
	struct dsm_process *p = dsm_process_at(engine, process);
	uint64_t page = offset / engine->page_bytes;
	uint64_t end = page + bytes / engine->page_bytes;

	if (p == NULL || !dsm_is_range(engine, offset, bytes) ||
	    (access != DSM_ACCESS_READ && access != DSM_ACCESS_READ_WRITE))
		return -EINVAL;
	if (!dsm_claim_allows(engine, offset, bytes, access))
		return -EBUSY;
	if (!dsm_has_uffd(engine->kind))
		return allow_by_mprotect(engine, p, offset, bytes, access);
	while (page < end) {
		uint64_t count = run_of_state(p, page, end);
		uint64_t from = page * engine->page_bytes;
		uint64_t length = count * engine->page_bytes;
		int ret = -EINVAL;

		switch (p->states[page]) {
		case DSM_PAGE_UNMAPPED:
			ret = map_unmapped(engine, p, from, length, access);
			break;
		case DSM_PAGE_MAPPED:
			ret = protect_mapped(p, from, length, access);
			break;
		case DSM_PAGE_DROPPING:
			return -EBUSY;
		case DSM_PAGE_POISONED:
			return -EHWPOISON;
		}
		if (ret == -ESRCH)
			return 0;
		if (ret < 0)
			return ret;
		memset(&p->states[page], DSM_PAGE_MAPPED, count);
		page += count;
	}
	return 0;
}

/*
 * Gives a process READ to those pages of a range that it has no access to and that have
 * content; the access of the others does not change, and may be changed by a trap at the same
 * time. Wakes no thread. Returns 0 or as dsm_engine_allow().
 */
int32_t dsm_engine_map(struct dsm_engine *engine, int32_t process, uint64_t offset, uint64_t bytes)
{
	struct dsm_process *p = dsm_process_at(engine, process);
	uint64_t end = offset + bytes;

	if (p == NULL || !dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	while (offset < end) {
		uint64_t page = offset / engine->page_bytes;
		int64_t done = -EEXIST;

		if (p->states[page] == DSM_PAGE_UNMAPPED && dsm_has_uffd(engine->kind))
			done = install(p, DSM_K_UFFDIO_CONTINUE, offset,
				       run_of_state(p, page, end / engine->page_bytes) *
					       engine->page_bytes,
				       DSM_K_CONTINUE_DONTWAKE | DSM_K_CONTINUE_WP);
		else if (p->states[page] == DSM_PAGE_UNMAPPED &&
			 dsm_protect_has_content(engine, offset, engine->page_bytes) == 0)
			done = dsm_protect(engine, p, offset, engine->page_bytes, DSM_ACCESS_READ);
		if (done == -ESRCH)
			return 0;
		if (done < 0 && done != -EEXIST && done != -EFAULT)
			return (int32_t)done;
		if (done == 0 && !dsm_has_uffd(engine->kind))
			done = (int64_t)engine->page_bytes;
		if (done > 0)
			memset(&p->states[page], DSM_PAGE_MAPPED,
			       (uint64_t)done / engine->page_bytes);
		offset += done > 0 ? (uint64_t)done : engine->page_bytes;
	}
	return 0;
}

/*
 * True if threads of a process may have access: with userfaultfd a page that is being dropped
 * keeps its access until the command thread has performed the drop.
 */
static int may_be_accessed(const struct dsm_engine *engine, uint8_t state)
{
	return state == DSM_PAGE_MAPPED ||
	       (state == DSM_PAGE_DROPPING && dsm_has_uffd(engine->kind));
}

/* Sets the access of the mapped pages of a range; the others have none and keep it. */
static int limit(struct dsm_engine *engine, struct dsm_process *process, uint64_t offset,
		 uint64_t bytes)
{
	uint64_t end = (offset + bytes) / engine->page_bytes;
	uint64_t count;

	for (uint64_t page = offset / engine->page_bytes; page < end; page += count) {
		uint64_t from = page * engine->page_bytes;
		int ret = 0;

		count = run_of_state(process, page, end);
		if (!may_be_accessed(engine, process->states[page]))
			continue;
		if (dsm_has_uffd(engine->kind))
			ret = protect_mapped(process, from, count * engine->page_bytes,
					     DSM_ACCESS_READ);
		else
			ret = dsm_protect(engine, process, from, count * engine->page_bytes,
					  DSM_ACCESS_READ);
		if (ret == -ESRCH)
			return 0;
		if (ret < 0)
			return ret;
	}
	return 0;
}

/*
 * Write-protects pages in every process. After it no store of the node is in progress or can
 * follow, also of a process from which the page is being dropped. A process without access to a
 * page gets none.
 *
 * Returns 0; -EBUSY if a trap may change the access; -EINVAL for a bad range; with mprotect
 * -E2BIG as dsm_engine_allow().
 */
int32_t dsm_engine_limit(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	if (!dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	if (!dsm_claim_allows(engine, offset, bytes, DSM_ACCESS_READ))
		return -EBUSY;
	for (int32_t i = 0; i < engine->process_count; i++) {
		int ret = limit(engine, &engine->processes[i], offset, bytes);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* Resumes the threads that are blocked in a fault on these pages. */
int32_t dsm_engine_wake(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int ret = 0;

	for (int32_t i = 0; i < engine->process_count && ret == 0; i++)
		ret = dsm_engine_wake_process(engine, i, offset, bytes);
	return ret;
}

/* Resumes the threads of a process that are blocked in a fault on these pages. */
int32_t dsm_engine_wake_process(struct dsm_engine *engine, int32_t process, uint64_t offset,
				uint64_t bytes)
{
	const struct dsm_process *p = dsm_process_at(engine, process);
	struct dsm_k_uffdio_range range;

	if (p == NULL || !dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	if (engine->traps != NULL) {
		dsm_claim_wake(engine, process, offset, bytes);
		return 0;
	}
	range = (struct dsm_k_uffdio_range){ .start = p->base + offset, .len = bytes };
	return ioctl(p->uffd, DSM_K_UFFDIO_WAKE, &range) < 0 && errno != ESRCH ? -errno : 0;
}

/* Returns 1 if a process may have access to some of these pages, 0 if it has none, or -EINVAL. */
int32_t dsm_engine_is_mapped(struct dsm_engine *engine, int32_t process, uint64_t offset,
			     uint64_t bytes)
{
	const struct dsm_process *p = dsm_process_at(engine, process);
	uint64_t end = (offset + bytes) / engine->page_bytes;

	if (p == NULL || !dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	for (uint64_t page = offset / engine->page_bytes; page < end; page++) {
		if (p->states[page] != DSM_PAGE_UNMAPPED)
			return 1;
	}
	return 0;
}

static int punch(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int ret;

	do {
		ret = fallocate(engine->content_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
				(off_t)(engine->content_at + offset), (off_t)bytes);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

static void set_unmapped(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	uint64_t end = (offset + bytes) / engine->page_bytes;

	for (int32_t i = 0; i < engine->process_count; i++) {
		uint8_t *states = engine->processes[i].states;

		for (uint64_t page = offset / engine->page_bytes; page < end; page++) {
			if (states[page] == DSM_PAGE_MAPPED)
				states[page] = DSM_PAGE_UNMAPPED;
		}
	}
}

/* With mprotect: sets the access in every process, before the file changes. */
static int protect_all(struct dsm_engine *engine, uint64_t offset, uint64_t bytes, uint8_t access)
{
	for (int32_t i = 0; i < engine->process_count; i++) {
		int ret = dsm_protect(engine, &engine->processes[i], offset, bytes, access);

		if (ret < 0 && ret != -ESRCH)
			return ret;
	}
	return 0;
}

/*
 * Removes the pages from every process and frees their memory; their content is lost. With
 * mprotect a poisoned page is refused (-EHWPOISON). The pages must not be read through the
 * alias afterwards: that would create a zero page.
 */
int32_t dsm_engine_discard(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int ret = 0;

	if (!dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	if (!dsm_claim_allows(engine, offset, bytes, DSM_ACCESS_NONE))
		return -EBUSY;
	if (!dsm_has_uffd(engine->kind))
		ret = protect_all(engine, offset, bytes, DSM_ACCESS_NONE);
	if (ret == 0)
		ret = punch(engine, offset, bytes);
	if (ret == 0)
		set_unmapped(engine, offset, bytes);
	return ret;
}

/* Maps the empty file first, so that no access creates a zero page in the hole. */
static int poison_by_mprotect(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int ret = protect_all(engine, offset, bytes, DSM_ACCESS_ENDED);

	return ret < 0 ? ret : punch(engine, offset, bytes);
}

static int poison_in(const struct dsm_engine *engine, const struct dsm_process *process,
		     uint64_t offset, uint64_t bytes)
{
	uint64_t end = offset + bytes;
	int ret = writeprotect(process, offset, bytes, DSM_K_WRITEPROTECT_DONTWAKE);

	while (ret == 0 && offset < end) {
		int64_t done = install(process, DSM_K_UFFDIO_POISON, offset, end - offset, 0);

		if (done == -EEXIST &&
		    process->states[offset / engine->page_bytes] == DSM_PAGE_POISONED)
			done = (int64_t)engine->page_bytes;
		if (done < 0)
			return (int)done;
		offset += (uint64_t)done;
	}
	return ret;
}

static int poison_by_uffd(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int ret = punch(engine, offset, bytes);

	for (int32_t i = 0; i < engine->process_count && ret == 0; i++) {
		ret = poison_in(engine, &engine->processes[i], offset, bytes);
		if (ret == -ESRCH)
			ret = 0;
	}
	return ret;
}

/*
 * Discards the pages permanently: every access, also one that is already waiting, ends in
 * SIGBUS (a Java thread gets an InternalError). Wakes the waiting threads. With userfaultfd
 * the hole is punched first, because only an empty entry can be poisoned. A write-protected
 * page leaves a marker in its entry, which is removed next.
 */
int32_t dsm_engine_poison(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int ret;

	if (!dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	if (!dsm_claim_allows(engine, offset, bytes, DSM_ACCESS_NONE))
		return -EBUSY;
	ret = dsm_has_uffd(engine->kind) ? poison_by_uffd(engine, offset, bytes) :
					   poison_by_mprotect(engine, offset, bytes);
	if (ret < 0)
		return ret;
	for (int32_t i = 0; i < engine->process_count; i++)
		memset(&engine->processes[i].states[offset / engine->page_bytes],
		       DSM_PAGE_POISONED, bytes / engine->page_bytes);
	if (engine->traps != NULL)
		dsm_claim_poison(engine, offset, bytes);
	return 0;
}

/*
 * At most DSM_PAGE_BYTES_MAX bytes. The hole takes the pages from every process, so a store
 * between the copy and the hole would be lost: every process is write-protected first.
 */
static int withdraw_some(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	_Alignas(64) uint8_t copy[DSM_PAGE_BYTES_MAX];
	struct iovec part;
	int ret;

	for (int32_t i = 0; i < engine->process_count; i++) {
		ret = writeprotect(&engine->processes[i], offset, bytes, DSM_K_WRITEPROTECT_WP);
		if (ret < 0 && ret != -ESRCH)
			return ret;
	}
	memcpy(copy, engine->alias + offset, bytes);
	ret = punch(engine, offset, bytes);
	part = (struct iovec){ .iov_base = copy, .iov_len = bytes };
	return ret < 0 ? ret : dsm_fill(engine, offset, &part, 1);
}

/*
 * Withdraws all access to the pages from every process and keeps their content, also of
 * pages that are being dropped. This is in force when the function returns and needs no
 * cooperation of the application's threads. With mprotect it is one request for each
 * process. With userfaultfd: write-protect, copy to a buffer, punch a hole, refill. A thread
 * that accesses a page in between faults, before the refill (MISSING) or after it (MINOR),
 * so no thread sees a partial page.
 *
 * Returns 0; -EBUSY if a trap may change the access; -EHWPOISON and -EINVAL as
 * dsm_engine_allow(); -ENOMEM or -ENOSPC if the machine is out of memory: the content of
 * a page is then lost.
 */
int32_t dsm_engine_withdraw(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	int ret;

	if (!dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	if (!dsm_claim_allows(engine, offset, bytes, DSM_ACCESS_NONE))
		return -EBUSY;
	if (dsm_has_state(engine, &engine->processes[0], offset, bytes, DSM_PAGE_POISONED))
		return -EHWPOISON;
	if (!dsm_has_uffd(engine->kind)) {
		ret = protect_all(engine, offset, bytes, DSM_ACCESS_NONE);
		if (ret == 0)
			set_unmapped(engine, offset, bytes);
		return ret;
	}
	while (bytes > 0) {
		uint64_t some = bytes < DSM_PAGE_BYTES_MAX ? bytes : DSM_PAGE_BYTES_MAX;

		ret = withdraw_some(engine, offset, some);
		if (ret < 0)
			return ret;
		set_unmapped(engine, offset, some);
		offset += some;
		bytes -= some;
	}
	return 0;
}

/* Ensures that the pages have content: fills those without with zeros. -ENOMEM if out of memory. */
int32_t dsm_engine_touch(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	if (!dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	if (madvise(engine->alias + offset, bytes, MADV_POPULATE_WRITE) == 0)
		return 0;
	if (errno != EINVAL)
		return -errno;
	for (uint64_t at = offset; at < offset + bytes; at += engine->page_bytes)
		(void)*(const volatile uint8_t *)(engine->alias + at); /* Linux before 5.14 */
	return 0;
}
