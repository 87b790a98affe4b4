/* Traps in the application: a signal in the thread that faults. */
#ifndef DSM_TRAP_H
#define DSM_TRAP_H

#include "node_memory.h"

/* Has the signal of faults in the mapping's regions handled, and all other passed on. */
int dsm_trap_install(struct dsm_mapping *mapping);

/* Before anything could fault. */
void dsm_trap_uninstall(void);

#endif
