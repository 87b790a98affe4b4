/* Selects the kernel that compares pages, and calls it for diffs and for the scan for zeros. */
#define _GNU_SOURCE
#include <errno.h>

#include "diff_kernel.h"
#include "state.h"

/*
 * The features that the kernels' TARGET names; the operating system must also save the
 * registers.
 */
#if defined(__x86_64__)
static int has_avx2(void)
{
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static int has_avx512(void)
{
	return has_avx2() && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw");
}
#endif

const struct dsm_diff_kernel *dsm_kernel_of(int32_t kernel)
{
	switch (kernel) {
	case DSM_KERNEL_PORTABLE:
		return &dsm_kernel_portable;
#if defined(__x86_64__)
	case DSM_KERNEL_AVX2:
		return has_avx2() ? &dsm_kernel_avx2 : NULL;
	case DSM_KERNEL_AVX512:
		return has_avx512() ? &dsm_kernel_avx512 : NULL;
#elif defined(__aarch64__)
	case DSM_KERNEL_NEON:
		return &dsm_kernel_neon;
#endif
	default:
		return NULL;
	}
}

/*
 * Returns 1 if this machine can run a kernel of enum dsm_kernel, 0 if not, -EINVAL if it is
 * unknown.
 */
int32_t dsm_kernel_runs(int32_t kernel)
{
	if (kernel < 0 || kernel >= DSM_KERNELS)
		return -EINVAL;
	return dsm_kernel_of(kernel) != NULL;
}

/* The fastest kernel that this machine can run. */
int32_t dsm_kernel_best(void)
{
	int32_t kernel = DSM_KERNELS - 1;

	while (dsm_kernel_of(kernel) == NULL)
		kernel--;
	return kernel;
}

/*
 * Encodes the granules of `page` that differ from `twin`; both aligned to
 * DSM_PAGE_ALIGNMENT, `bytes` a multiple of DSM_BLOCK_BYTES up to 65536. All kernels
 * produce the same bytes. Bytes of `out` after the diff, up to `capacity`, may be
 * overwritten.
 *
 * Returns changed granules << 32 | encoded bytes; -ENOSPC if `capacity` is too
 * small (never with dsm_diff_bytes_max()); -EINVAL for a bad size or granule, and
 * for a kernel that this machine cannot run.
 */
int64_t dsm_diff(int32_t kernel, const void *page, const void *twin, uint32_t bytes,
		 uint32_t granule, void *out, uint32_t capacity)
{
	const struct dsm_diff_kernel *chosen = dsm_kernel_of(kernel);

	if (chosen == NULL || !dsm_is_shape(bytes, granule))
		return -EINVAL;
	return chosen->diff(page, twin, bytes, granule, out, capacity);
}

/*
 * As dsm_diff(), but sets the twin to the compared content: a concurrent store to the page
 * is in this diff or differs from the twin afterwards. -ENOSPC, with nothing changed,
 * unless `capacity` is at least dsm_diff_bytes_max().
 */
int64_t dsm_diff_keep(int32_t kernel, const void *page, void *twin, uint32_t bytes,
		      uint32_t granule, void *out, uint32_t capacity)
{
	const struct dsm_diff_kernel *chosen = dsm_kernel_of(kernel);

	if (chosen == NULL || !dsm_is_shape(bytes, granule))
		return -EINVAL;
	if (capacity < (uint32_t)dsm_diff_bytes_max(bytes, granule))
		return -ENOSPC;
	return chosen->diff_keep(page, twin, bytes, granule, out, capacity);
}

/*
 * Largest size of a diff of such a page. With r runs of c granules in total, c + r - 1 <=
 * n: many short runs are the worst case for granules below 4 bytes, one run of all granules
 * for larger ones. Returns -EINVAL for a bad size or granule.
 */
int32_t dsm_diff_bytes_max(uint32_t bytes, uint32_t granule)
{
	uint32_t granules;
	uint32_t runs;

	if (!dsm_is_shape(bytes, granule))
		return -EINVAL;
	granules = bytes / granule;
	runs = granule < DSM_RUN_HEADER_BYTES ? (granules + 1) / 2 : 1;
	return (int32_t)(DSM_RUN_HEADER_BYTES * runs + granule * (granules - runs + 1));
}

/*
 * Makes the engine compare pages with a kernel of enum dsm_kernel instead of the fastest.
 * Returns 0, or -EINVAL if this machine cannot run it.
 */
int32_t dsm_engine_use_kernel(struct dsm_engine *engine, int32_t kernel)
{
	if (dsm_kernel_of(kernel) == NULL)
		return -EINVAL;
	engine->kernel = kernel;
	return 0;
}

/* Calls dsm_diff() for a page of the regions and its twin. */
int64_t dsm_engine_diff(struct dsm_engine *engine, uint64_t offset, uint64_t twin, uint32_t bytes,
			uint32_t granule, void *out, uint32_t capacity)
{
	if (!dsm_is_range(engine, offset, bytes) || twin == 0 || twin % DSM_PAGE_ALIGNMENT != 0)
		return -EINVAL;
	return dsm_diff(engine->kernel, engine->alias + offset, (const void *)(uintptr_t)twin,
			bytes, granule, out, capacity);
}

/* Calls dsm_diff_keep() for a page of the regions and its twin. */
int64_t dsm_engine_diff_keep(struct dsm_engine *engine, uint64_t offset, uint64_t twin,
			     uint32_t bytes, uint32_t granule, void *out, uint32_t capacity)
{
	if (!dsm_is_range(engine, offset, bytes) || twin == 0 || twin % DSM_PAGE_ALIGNMENT != 0)
		return -EINVAL;
	return dsm_diff_keep(engine->kernel, engine->alias + offset, (void *)(uintptr_t)twin,
			     bytes, granule, out, capacity);
}

/*
 * Returns 1 if every byte is zero, 0 if not. The pages must have content, because reading a
 * hole creates some.
 */
int32_t dsm_engine_is_zero(struct dsm_engine *engine, uint64_t offset, uint64_t bytes)
{
	if (!dsm_is_range(engine, offset, bytes))
		return -EINVAL;
	return dsm_kernel_of(engine->kernel)->is_zero(engine->alias + offset, bytes);
}
