/* What a trap does with a page that the agent has offered. */
#ifndef DSM_TRAP_PAGE_H
#define DSM_TRAP_PAGE_H

#include "node_memory.h"

/*
 * Resolves a fault of a page that is offered: enters the page, or makes its twin, or both.
 * Returns 1 if the access can be repeated, 0 if the fault must be sent to the agent.
 */
int dsm_trap_resolve(const struct dsm_mapping *mapping, uint64_t offset, uint32_t kind);

/* Waits while a test has closed this gate. */
void dsm_trap_pass_gate(const struct dsm_mapping *mapping, uint32_t gate);

#endif
