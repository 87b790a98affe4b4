/* What the application's native threads do to their process, without Java. */
#ifndef DSM_PROCESS_H
#define DSM_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Waits for `events`; returns 1, 0 after `millis`, or -errno. EINTR does not prolong it. */
int dsm_wait_for(int fd, short events, int64_t millis);

/* Says why and ends the process. A stderr that nobody reads must not keep it alive. */
_Noreturn void dsm_process_end(int status, const char *text, size_t bytes);

/* Starts a thread without signals that nobody joins. Returns 0 or -errno. */
int dsm_thread_start(void *(*run)(void *), void *argument, const char *name);

#endif
