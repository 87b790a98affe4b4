/* The part of the agent's end of mailboxes that is not in Java. */
#define _GNU_SOURCE
#include <limits.h>

#include "dsm_fault.h"
#include "futex.h"

/* Wakes the thread that waits on the word at this address, whose value was AWAITED. */
void dsm_mail_wake(uint64_t answer)
{
	dsm_futex_wake((uint32_t *)(uintptr_t)answer, INT_MAX);
}
