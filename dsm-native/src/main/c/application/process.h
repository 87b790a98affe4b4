/* Operations of the application's native threads on their process, without Java. */
#ifndef DSM_PROCESS_H
#define DSM_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Waits for `events`. Returns 1, 0 after `millis`, or -errno. EINTR does not prolong the wait. */
int dsm_wait_for(int fd, short events, int64_t millis);

/* Prints the reason and ends the process. A stderr that no process reads must not block this. */
_Noreturn void dsm_process_end(int status, const char *text, size_t bytes);

/* Starts a detached thread that blocks all signals. Returns 0 or -errno. */
int dsm_thread_start(void *(*run)(void *), void *argument, const char *name);

#endif
