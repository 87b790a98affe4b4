/* Traps in the application: SIGBUS in the thread that faults. */
#ifndef DSM_TRAP_H
#define DSM_TRAP_H

#include "mapping.h"

/* Has SIGBUS in the mapping's regions handled, and all other passed on. */
int dsm_trap_install(struct dsm_mapping *mapping);

#endif
