/*
 * The kernels that compare a page with its twin: one per set of vector instructions, all
 * with the same results. Each is a table of functions, accessible only through
 * dsm_kernel_of(), which returns only kernels that this machine can run.
 */
#ifndef DSM_DIFF_KERNEL_H
#define DSM_DIFF_KERNEL_H

#include "dsm_fault.h"

#define DSM_BLOCK_BYTES 64
#define DSM_PAGE_ALIGNMENT 16
#define DSM_RUN_HEADER_BYTES 4

struct dsm_diff_kernel {
	/* As dsm_diff(); the arguments have been checked. */
	int64_t (*diff)(const uint8_t *page, const uint8_t *twin, uint32_t bytes, uint32_t granule,
			uint8_t *out, uint32_t capacity);
	/* As dsm_diff_keep(); the arguments have been checked, and `capacity` is sufficient. */
	int64_t (*diff_keep)(const uint8_t *page, uint8_t *twin, uint32_t bytes, uint32_t granule,
			     uint8_t *out, uint32_t capacity);
	/* True if `bytes` bytes, a multiple of DSM_BLOCK_BYTES, are all zero. */
	int (*is_zero)(const uint8_t *page, uint64_t bytes);
};

extern const struct dsm_diff_kernel dsm_kernel_portable;
extern const struct dsm_diff_kernel dsm_kernel_avx2;
extern const struct dsm_diff_kernel dsm_kernel_avx512;
extern const struct dsm_diff_kernel dsm_kernel_neon;

/*
 * Returns NULL for a kernel that is unknown, of another architecture, or not supported by
 * this CPU.
 */
const struct dsm_diff_kernel *dsm_kernel_of(int32_t kernel);

static inline int dsm_is_shape(uint32_t bytes, uint32_t granule)
{
	return bytes != 0 && bytes <= DSM_PAGE_BYTES_MAX && bytes % DSM_BLOCK_BYTES == 0 &&
	       (granule == 1 || granule == 2 || granule == 4 || granule == 8);
}

#endif
