/*
 * Handlers are installed by the system call, because a library may replace sigaction().
 * The JDK's libjsig only records a handler of SIGBUS or SIGSEGV, which the JVM may call;
 * for an access of Java code it does not. The system call cannot be replaced.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "handler.h"

#define MASK_BYTES 8

#if defined(__x86_64__)
#define RESTORER UINT64_C(0x04000000)

/* These bytes are how debuggers and unwinders recognize the frame of a signal. */
__asm__(".pushsection .text\n"
	".type dsm_handler_return, @function\n"
	"dsm_handler_return:\n"
	"	movq $15, %rax\n"
	"	syscall\n"
	".size dsm_handler_return, . - dsm_handler_return\n"
	".popsection\n");
extern void dsm_handler_return(void) __attribute__((visibility("hidden")));
#else
#define RESTORER UINT64_C(0) /* the kernel has its own */
#define dsm_handler_return NULL
#endif

static int change(int signal, const struct dsm_action *next, struct dsm_action *before)
{
	return syscall(SYS_rt_sigaction, signal, next, before, MASK_BYTES) < 0 ? -errno : 0;
}

int dsm_handler_read(int signal, struct dsm_action *action)
{
	*action = (struct dsm_action){ .handler = NULL };
	return change(signal, NULL, action);
}

int dsm_handler_install(int signal, dsm_handler handler, struct dsm_action *before)
{
	struct dsm_action next = {
		.handler = handler,
		.flags = SA_SIGINFO | RESTORER,
		.restorer = dsm_handler_return,
	};
	struct dsm_action now;
	int ret = change(signal, &next, before);

	if (ret == 0)
		ret = dsm_handler_read(signal, &now);
	if (ret == 0 && now.handler != handler)
		ret = -ENOMSG;
	return ret;
}

int dsm_handler_restore(int signal, const struct dsm_action *before)
{
	return change(signal, before, NULL);
}
