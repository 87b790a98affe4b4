/* The handler of a signal in the kernel, without libraries that replace sigaction(). */
#ifndef DSM_HANDLER_H
#define DSM_HANDLER_H

#include <signal.h>
#include <stdint.h>

typedef void (*dsm_handler)(int, siginfo_t *, void *);

/* The kernel's layout, the same on x86-64 and aarch64. */
struct dsm_action {
	dsm_handler handler; /* or SIG_DFL, SIG_IGN, or a handler without SA_SIGINFO */
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

/* Returns 0 with the action of a signal, or -errno. */
int dsm_handler_read(int signal, struct dsm_action *action);

/*
 * Makes this the handler that the kernel calls. Returns 0 with the previous action; or
 * -errno: -ENOMSG if the kernel still calls another one.
 */
int dsm_handler_install(int signal, dsm_handler handler, struct dsm_action *before);

int dsm_handler_restore(int signal, const struct dsm_action *before);

#endif
