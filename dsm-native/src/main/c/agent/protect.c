/*
 * The access of pages with mprotect: requests to the protector of each process, and the bytes that record
 * the access. A byte is never more than the mapping permits, so a trap that finds enough
 * access there need not do anything. The boundaries between pages of different access are
 * counted, because each adds a mapping to the process; the count is never too low.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "state.h"
#include "request.h"

#define MAPS_DEFAULT 65530
#define MAPS_OF_REGIONS 2 /* the regions may use one mapping in two */
#define DRIFT 8 /* recount when one part in so many of the count may be excess */

/* vm.max_map_count, or Linux's default if it cannot be read. */
static uint32_t maps_of_a_process(void)
{
	FILE *file = fopen("/proc/sys/vm/max_map_count", "re");
	unsigned int maps = MAPS_DEFAULT;

	if (file == NULL)
		return MAPS_DEFAULT;
	if (fscanf(file, "%u", &maps) != 1)
		maps = MAPS_DEFAULT;
	fclose(file);
	return maps;
}

void dsm_protect_open(struct dsm_process *process, uint8_t *accesses)
{
	process->accesses = accesses;
	process->maps_max = maps_of_a_process() / MAPS_OF_REGIONS;
	__atomic_store_n(&process->own->maps_max, process->maps_max, __ATOMIC_SEQ_CST);
}

static int64_t differ(uint8_t left, uint8_t right)
{
	return left != right ? 1 : 0;
}

/* The change in the number of boundaries if the pages [first, end) get this access. */
static int64_t boundaries_more(const struct dsm_engine *engine, const struct dsm_process *process,
			       uint64_t first, uint64_t end, uint8_t access)
{
	const uint8_t *accesses = process->accesses;
	uint64_t pages = engine->region_bytes / engine->page_bytes;
	uint8_t old = dsm_trap_access(&accesses[first]);
	int64_t more = 0;

	if (first > 0) {
		uint8_t before = dsm_trap_access(&accesses[first - 1]);

		more += differ(before, access) - differ(before, old);
	}
	for (uint64_t page = first + 1; page < end; page++) {
		uint8_t next = dsm_trap_access(&accesses[page]);

		more -= differ(old, next);
		old = next;
	}
	if (end < pages) {
		uint8_t behind = dsm_trap_access(&accesses[end]);

		more += differ(access, behind) - differ(old, behind);
	}
	return more;
}

/*
 * Counts all boundaries. The byte of a page in LIFTING or ENTERING may be old or new, so the
 * page counts as two boundaries; its state is read before its byte.
 */
static int64_t count_boundaries(const struct dsm_engine *engine, const struct dsm_process *process)
{
	uint64_t pages = engine->region_bytes / engine->page_bytes;
	uint64_t changed_end = process->changed_end > engine->absent_end ? process->changed_end :
									    engine->absent_end;
	uint64_t end = changed_end < pages ? changed_end + 1 : pages;
	int64_t count = 0;
	uint8_t before = 0;

	for (uint64_t page = 0; page < end; page++) {
		uint32_t state = dsm_trap_load(&engine->traps->pages[page].word) & DSM_TRAP_STATE;
		uint8_t access = dsm_trap_access(&process->accesses[page]);

		if (page > 0)
			count += differ(before, access);
		if (state == DSM_TRAP_LIFTING || state == DSM_TRAP_ENTERING)
			count += 2;
		before = access;
	}
	return count;
}

/* Recounts without losing concurrent additions by traps. */
static void recount(const struct dsm_engine *engine, struct dsm_process *process)
{
	uint32_t *maps = &process->own->maps;
	uint32_t counted_by_then = dsm_trap_load(maps);

	process->maps_found = (uint32_t)count_boundaries(engine, process);
	__atomic_add_fetch(maps, process->maps_found - counted_by_then, __ATOMIC_SEQ_CST);
}

/*
 * Adds to the count. Returns 0, or -E2BIG if there would be too many. Traps give no access
 * when the count has reached the limit, so it is recounted then, unless it was recounted
 * recently.
 */
static int reserve(const struct dsm_engine *engine, struct dsm_process *process, int64_t more)
{
	uint32_t *maps = &process->own->maps;
	int64_t count = dsm_trap_load(maps);
	int64_t max = process->maps_max;

	if ((more > 0 && count + more > max) ||
	    (count + 2 > max && count - process->maps_found > max / DRIFT)) {
		recount(engine, process);
		count = dsm_trap_load(maps);
	}
	if (more > 0 && count + more > max)
		return -E2BIG;
	__atomic_add_fetch(maps, (uint32_t)more, __ATOMIC_SEQ_CST);
	return 0;
}

/*
 * Returns 1 if the pages [first, end) have this access, 0 if not; -EHWPOISON if some are
 * permanently discarded.
 */
static int has_access(const struct dsm_process *process, uint64_t first, uint64_t end,
		      uint8_t access)
{
	int same = 1;

	for (uint64_t page = first; page < end; page++) {
		uint8_t found = dsm_trap_access(&process->accesses[page]);

		if (found == DSM_ACCESS_ENDED && access != DSM_ACCESS_ENDED)
			return -EHWPOISON;
		same &= found == access;
	}
	return same;
}

/*
 * Sets a process's access to pages that no trap may claim. READ_WRITE is also permitted for a page
 * that a trap is making READ_WRITE. The access is in force when this returns. ENDED makes
 * accesses cause the signal.
 *
 * Returns 0; -ESRCH if the process has ended; -E2BIG if it would have too many
 * mappings; -EHWPOISON for permanently discarded pages; -ETIMEDOUT if the protector does
 * not answer; or the -errno of its system call.
 */
int dsm_protect(struct dsm_engine *engine, struct dsm_process *process, uint64_t offset,
		uint64_t bytes, uint8_t access)
{
	uint64_t first = offset / engine->page_bytes;
	uint64_t end = first + bytes / engine->page_bytes;
	int ret;

	ret = has_access(process, first, end, access);
	if (ret != 0)
		return ret < 0 ? ret : 0;
	ret = reserve(engine, process, boundaries_more(engine, process, first, end, access));
	if (ret < 0)
		return ret;
	if (process->changed_end < end)
		process->changed_end = end;
	for (uint64_t page = first; page < end; page++) {
		if (dsm_trap_access(&process->accesses[page]) > access)
			dsm_trap_set_access(&process->accesses[page], 1, access);
	}
	if (process->gone != 0)
		return -ESRCH;
	ret = dsm_request_send(&process->own->request, process->command_fd, offset, bytes, access);
	if (ret == 0)
		dsm_trap_set_access(&process->accesses[first], end - first, access);
	return ret;
}

/*
 * Returns 0 if every page of a range has content, in memory or swapped out; -EFAULT if not;
 * or -errno. Checks page by page, because the next hole may be far away.
 */
int dsm_protect_has_content(const struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	for (uint64_t at = offset; at < offset + bytes; at += engine->page_bytes) {
		off_t place = (off_t)(engine->content_at + at);
		off_t data = lseek(engine->content_fd, place, SEEK_DATA);

		if (data < 0)
			return errno == ENXIO ? -EFAULT : -errno;
		if (data != place)
			return -EFAULT;
	}
	return 0;
}

/*
 * The number of boundaries between pages of different access in a process: the number of its
 * mappings, less one. 0 without mprotect.
 */
int32_t dsm_engine_maps(struct dsm_engine *engine, int32_t process)
{
	const struct dsm_process *p = dsm_process_at(engine, process);

	if (p == NULL)
		return -EINVAL;
	return p->accesses == NULL ? 0 : (int32_t)count_boundaries(engine, p);
}

/* Largest number of boundaries in a process; 0 without mprotect. */
int32_t dsm_engine_maps_max(const struct dsm_engine *engine)
{
	return (int32_t)engine->processes[0].maps_max;
}

/* For tests: the id of the task that changes access in a process; 0 without mprotect. */
int32_t dsm_engine_protector(struct dsm_engine *engine, int32_t process)
{
	const struct dsm_process *p = dsm_process_at(engine, process);

	return p == NULL || p->own == NULL ? 0 : (int32_t)dsm_trap_load(&p->own->protector);
}
