/*
 * The kernel's userfaultfd interface, declared here because distributions ship headers
 * older than their kernels. Everything is probed at run time before it is used. Numbers as
 * in Documentation/admin-guide/mm/userfaultfd.rst and include/uapi/linux/userfaultfd.h of
 * Linux 6.18; the same on x86-64 and arm64.
 */
#ifndef DSM_UFFD_ABI_H
#define DSM_UFFD_ABI_H

#include <stdint.h>
#include <sys/ioctl.h>

#if defined(__x86_64__)
#define DSM_K_NR_USERFAULTFD 323
#elif defined(__aarch64__)
#define DSM_K_NR_USERFAULTFD 282
#else
#error "the fault engine knows x86-64 and aarch64 only"
#endif

#define DSM_K_UFFD_DEVICE "/dev/userfaultfd"
#define DSM_K_UFFD_USER_MODE_ONLY 1
#define DSM_K_UFFD_API UINT64_C(0xAA)
#define DSM_K_UFFD_EVENT_PAGEFAULT 0x12

#define DSM_K_FEATURE_FLAG_WP (UINT64_C(1) << 0)
#define DSM_K_FEATURE_MISSING_SHMEM (UINT64_C(1) << 5)
#define DSM_K_FEATURE_SIGBUS (UINT64_C(1) << 7)
#define DSM_K_FEATURE_THREAD_ID (UINT64_C(1) << 8)
#define DSM_K_FEATURE_MINOR_SHMEM (UINT64_C(1) << 10)
#define DSM_K_FEATURE_EXACT_ADDRESS (UINT64_C(1) << 11)
#define DSM_K_FEATURE_WP_SHMEM (UINT64_C(1) << 12)
#define DSM_K_FEATURE_POISON (UINT64_C(1) << 14)
#define DSM_K_FEATURES_NEEDED                                                               \
	(DSM_K_FEATURE_FLAG_WP | DSM_K_FEATURE_MISSING_SHMEM | DSM_K_FEATURE_THREAD_ID |    \
	 DSM_K_FEATURE_MINOR_SHMEM | DSM_K_FEATURE_EXACT_ADDRESS | DSM_K_FEATURE_WP_SHMEM | \
	 DSM_K_FEATURE_POISON)

#define DSM_K_FLAG_WRITE (UINT64_C(1) << 0)
#define DSM_K_FLAG_WP (UINT64_C(1) << 1)

#define DSM_K_REGISTER_MISSING (UINT64_C(1) << 0)
#define DSM_K_REGISTER_WP (UINT64_C(1) << 1)
#define DSM_K_REGISTER_MINOR (UINT64_C(1) << 2)

#define DSM_K_CONTINUE_DONTWAKE (UINT64_C(1) << 0)
#define DSM_K_CONTINUE_WP (UINT64_C(1) << 1)
#define DSM_K_COPY_DONTWAKE (UINT64_C(1) << 0)
#define DSM_K_COPY_WP (UINT64_C(1) << 1)
#define DSM_K_WRITEPROTECT_WP (UINT64_C(1) << 0)
#define DSM_K_WRITEPROTECT_DONTWAKE (UINT64_C(1) << 1)

/* Bits of uffdio_register.ioctls: WAKE, COPY, WRITEPROTECT, CONTINUE, POISON. */
#define DSM_K_RANGE_IOCTLS                                                                  \
	((UINT64_C(1) << 2) | (UINT64_C(1) << 3) | (UINT64_C(1) << 6) | (UINT64_C(1) << 7) | \
	 (UINT64_C(1) << 8))

struct dsm_k_uffdio_api {
	uint64_t api;
	uint64_t features;
	uint64_t ioctls;
};

struct dsm_k_uffdio_range {
	uint64_t start;
	uint64_t len;
};

struct dsm_k_uffdio_register {
	uint64_t start;
	uint64_t len;
	uint64_t mode;
	uint64_t ioctls;
};

struct dsm_k_uffdio_writeprotect {
	uint64_t start;
	uint64_t len;
	uint64_t mode;
};

/* COPY, CONTINUE and POISON: `done` is the number of bytes for which it is done, or -errno. */
struct dsm_k_uffdio_install {
	uint64_t start;
	uint64_t len;
	uint64_t mode;
	int64_t done;
};

struct dsm_k_uffdio_copy {
	uint64_t to;
	uint64_t from;
	uint64_t len;
	uint64_t mode;
	int64_t done;
};

struct dsm_k_uffd_msg {
	uint8_t event;
	uint8_t reserved[7];
	uint64_t flags;
	uint64_t address;
	uint32_t thread;
	uint32_t reserved_too;
};

#define DSM_K_UFFDIO_API _IOWR(0xAA, 0x3F, struct dsm_k_uffdio_api)
#define DSM_K_UFFDIO_REGISTER _IOWR(0xAA, 0x00, struct dsm_k_uffdio_register)
#define DSM_K_UFFDIO_WAKE _IOR(0xAA, 0x02, struct dsm_k_uffdio_range)
#define DSM_K_UFFDIO_COPY _IOWR(0xAA, 0x03, struct dsm_k_uffdio_copy)
#define DSM_K_UFFDIO_WRITEPROTECT _IOWR(0xAA, 0x06, struct dsm_k_uffdio_writeprotect)
#define DSM_K_UFFDIO_CONTINUE _IOWR(0xAA, 0x07, struct dsm_k_uffdio_install)
#define DSM_K_UFFDIO_POISON _IOWR(0xAA, 0x08, struct dsm_k_uffdio_install)
#define DSM_K_USERFAULTFD_IOC_NEW _IO(0xAA, 0x00)

_Static_assert(DSM_K_UFFDIO_API == 0xC018AA3F, "UFFDIO_API");
_Static_assert(DSM_K_UFFDIO_REGISTER == 0xC020AA00, "UFFDIO_REGISTER");
_Static_assert(DSM_K_UFFDIO_WAKE == 0x8010AA02, "UFFDIO_WAKE");
_Static_assert(DSM_K_UFFDIO_COPY == 0xC028AA03, "UFFDIO_COPY");
_Static_assert(DSM_K_UFFDIO_WRITEPROTECT == 0xC018AA06, "UFFDIO_WRITEPROTECT");
_Static_assert(DSM_K_UFFDIO_CONTINUE == 0xC020AA07, "UFFDIO_CONTINUE");
_Static_assert(DSM_K_UFFDIO_POISON == 0xC020AA08, "UFFDIO_POISON");
_Static_assert(sizeof(struct dsm_k_uffd_msg) == 32, "one event is 32 bytes");

#endif
