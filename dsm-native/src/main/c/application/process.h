/* Operations of the application's native threads on their process, without Java. */
#ifndef DSM_PROCESS_H
#define DSM_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/* Waits for `events`. Returns 1, 0 after `millis`, or -errno. EINTR does not prolong the wait. */
int dsm_wait_for(int fd, short events, int64_t millis);

/*
 * As dsm_wait_for(), in six parts of a fifth of the time each. However long this process is
 * stopped, that ends one part only; the others add up to `millis`. So a process that was
 * stopped, together with the one it waits for, still gives it all its time.
 */
int dsm_wait_awake(int fd, short events, int64_t millis);

/* Prints a text, all of it or nothing. A stderr that no process reads must not block this. */
void dsm_process_print(const char *text, size_t bytes);

/* Writes the path of the file that is mapped at an address; "another library" if there is none. */
void dsm_process_file(const void *address, char *path, size_t capacity);

/* Prints the reason and ends the process. A stderr that no process reads must not block this. */
_Noreturn void dsm_process_end(int status, const char *text, size_t bytes);

/* Starts a detached thread that blocks all signals. Returns 0 or -errno. */
int dsm_thread_start(void *(*run)(void *), void *argument, const char *name);

#endif
