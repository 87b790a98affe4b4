/* Waits on words of memory that processes share. */
#ifndef DSM_FUTEX_H
#define DSM_FUTEX_H

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Returns when woken, when the word has another value, or after the limit (NULL: none). */
static inline void dsm_futex_wait(uint32_t *word, uint32_t value, const struct timespec *limit)
{
	(void)syscall(SYS_futex, word, FUTEX_WAIT, value, limit, NULL, 0);
}

static inline void dsm_futex_wake(uint32_t *word, int threads)
{
	(void)syscall(SYS_futex, word, FUTEX_WAKE, threads, NULL, NULL, 0);
}

#endif
