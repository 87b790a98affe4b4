/* The agent's end of mailboxes, as far as it is not Java. */
#define _GNU_SOURCE
#include <limits.h>

#include "dsm_fault.h"
#include "futex.h"

/* Wakes the thread that waits at the word of this address: it was AWAITED. */
void dsm_mail_wake(uint64_t answer)
{
	dsm_futex_wake((uint32_t *)(uintptr_t)answer, INT_MAX);
}
