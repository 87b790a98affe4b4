/* Traps in the application: a signal in the thread that faults. */
#ifndef DSM_TRAP_H
#define DSM_TRAP_H

#include "node_memory.h"

/*
 * Installs the signal handler for faults in the mapping's regions, and raises the signal
 * once to see whether it is called. Other signals are passed on.
 */
int dsm_trap_install(struct dsm_mapping *mapping);

/* Must be called before anything can fault. */
void dsm_trap_uninstall(void);

/*
 * Warns, once, if another library has replaced the handler since. Called by the command
 * thread at each ping, and by a thread whose program has failed.
 */
void dsm_trap_watch(const struct dsm_mapping *mapping);

#endif
