/*
 * Sets the content and the access of pages together. Content is copied by system calls, not
 * through the alias, where the first store to each page would fault and create a zero page.
 */
#define _GNU_SOURCE
#include <sys/uio.h>

#include "state.h"
#include "uffd_abi.h"

#define RETRIES_MAX 1000
#define RUN_MAX 64

/*
 * Maps a copy of the image where neither the process nor the file has a page yet. Returns 0,
 * or -errno: -EEXIST if the file has one.
 */
static int map_copy(const struct dsm_process *process, uint64_t offset, uint64_t bytes,
		    const uint8_t *image, int32_t access)
{
	uint64_t done = 0;

	for (int i = 0; i < RETRIES_MAX && done < bytes; i++) {
		struct dsm_k_uffdio_copy copy = {
			.to = process->base + offset + done,
			.from = (uint64_t)(uintptr_t)image + done,
			.len = bytes - done,
			.mode = DSM_K_COPY_DONTWAKE | (access == DSM_ACCESS_READ ? DSM_K_COPY_WP : 0),
		};

		if (ioctl(process->uffd, DSM_K_UFFDIO_COPY, &copy) == 0)
			return 0;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (copy.done > 0)
			done += (uint64_t)copy.done;
	}
	return done < bytes ? -EAGAIN : 0;
}

/*
 * Gives a page without content the image at an address, and a process READ or READ_WRITE.
 * For each machine page a thread sees the whole image or faults. Wakes no thread.
 *
 * Returns as dsm_engine_allow(); -ENOMEM or -ENOSPC if the machine is out of memory.
 */
static int install(struct dsm_engine *engine, int32_t process, uint64_t offset, uint64_t bytes,
		   uint64_t image, int32_t access)
{
	struct dsm_process *p = &engine->processes[process];
	uint64_t page = offset / engine->page_bytes;
	struct iovec part = { .iov_base = (void *)(uintptr_t)image, .iov_len = bytes };
	int ret;

	if (access != DSM_ACCESS_READ && access != DSM_ACCESS_READ_WRITE)
		return -EINVAL;
	if (!dsm_claim_allows(engine, offset, bytes, access))
		return -EBUSY;
	ret = dsm_check_states(engine, p, offset, bytes);
	if (ret < 0)
		return ret;
	if (dsm_has_uffd(engine->kind)) {
		ret = map_copy(p, offset, bytes, part.iov_base, access);
		if (ret == 0) {
			memset(&p->states[page], DSM_PAGE_MAPPED, bytes / engine->page_bytes);
			return 0;
		}
		if (ret != -EEXIST && ret != -ESRCH) /* exists, or the process has ended */
			return ret;
	}
	ret = dsm_fill(engine, offset, &part, 1);
	return ret < 0 ? ret : dsm_engine_allow(engine, process, offset, bytes, access);
}

/* The number of adjacent pages from `first` on that either all have images or all have none. */
static uint32_t run_of(const struct dsm_image *first, uint32_t count, uint32_t bytes)
{
	uint32_t run = 1;

	while (run < count && run < RUN_MAX &&
	       first[run].offset == first->offset + (uint64_t)run * bytes &&
	       (first[run].address == 0) == (first->address == 0))
		run++;
	return run;
}

static int fill(struct dsm_engine *engine, const struct dsm_image *images, uint32_t count,
		uint32_t bytes)
{
	struct iovec parts[RUN_MAX];
	uint32_t run;

	for (uint32_t i = 0; i < count; i += run) {
		int ret;

		run = run_of(&images[i], count - i, bytes);
		for (uint32_t k = 0; k < run; k++)
			parts[k] = (struct iovec){ .iov_base = (void *)(uintptr_t)images[i + k].address,
						   .iov_len = bytes };
		ret = images[i].address == 0 ?
			      dsm_engine_touch(engine, images[i].offset, (uint64_t)run * bytes) :
			      dsm_fill(engine, images[i].offset, parts, (int)run);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/*
 * Gives pages without content their images, each of `bytes`, and a process access, which may
 * be NONE. For each machine page a thread sees the whole image or faults. Wakes no thread.
 *
 * Returns 0; -EINVAL for an invalid page or process, with nothing changed; as dsm_engine_allow();
 * -ENOMEM or -ENOSPC if the machine is out of memory.
 */
int32_t dsm_install_images(struct dsm_engine *engine, int32_t process,
			   const struct dsm_image *images, uint32_t count, uint32_t bytes,
			   int32_t access)
{
	int ret = 0;

	if (dsm_process_at(engine, process) == NULL)
		return -EINVAL;
	for (uint32_t i = 0; i < count; i++) {
		if (!dsm_is_range(engine, images[i].offset, bytes))
			return -EINVAL;
	}
	if (access == DSM_ACCESS_NONE)
		return fill(engine, images, count, bytes);
	for (uint32_t i = 0; i < count && ret == 0; i++) {
		if (images[i].address != 0) {
			ret = install(engine, process, images[i].offset, bytes, images[i].address,
				      access);
			continue;
		}
		ret = dsm_engine_touch(engine, images[i].offset, bytes);
		if (ret == 0)
			ret = dsm_engine_allow(engine, process, images[i].offset, bytes, access);
	}
	return ret;
}
