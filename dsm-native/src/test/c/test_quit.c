/* SIGQUIT: of a terminal, of another process, and awaited. The test's own handler is the JVM's. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "dsm_fault.h"

static volatile int passed;
static int awaited; /* the result, once the thread has ended */

static void on_signal(int number, siginfo_t *info, void *context)
{
	(void)info;
	passed += number == SIGQUIT && context != NULL;
}

static void send(int code)
{
	siginfo_t info = { .si_signo = SIGQUIT, .si_code = code };

	CHECK_EQUAL(0, syscall(SYS_rt_sigqueueinfo, getpid(), SIGQUIT, &info));
}

static void *await(void *unused)
{
	(void)unused;
	awaited = dsm_quit_await();
	return NULL;
}

static bool is_handled_by(void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction now;

	CHECK_EQUAL(0, sigaction(SIGQUIT, NULL, &now));
	return now.sa_sigaction == handler;
}

void test_quit(void)
{
	struct sigaction jvm = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	struct sigaction usual;
	pthread_t thread;

	CHECK_EQUAL(0, sigaction(SIGQUIT, NULL, &usual));
	CHECK_EQUAL(0, dsm_quit_ignore_terminal()); /* without a JVM's handler: left as it is */
	CHECK(!is_handled_by(on_signal));
	CHECK_EQUAL(0, sigaction(SIGQUIT, &jvm, NULL));
	CHECK_EQUAL(0, dsm_quit_ignore_terminal());
	CHECK_EQUAL(0, dsm_quit_ignore_terminal()); /* not a second time before itself */
	send(SI_KERNEL);
	CHECK_EQUAL(0, passed);
	send(SI_USER);
	CHECK_EQUAL(1, passed);

	CHECK_EQUAL(0, sigaction(SIGQUIT, &jvm, NULL));
	CHECK_EQUAL(0, pthread_create(&thread, NULL, await, NULL));
	while (is_handled_by(on_signal))
		usleep(1000);
	send(SI_KERNEL);
	CHECK_EQUAL(0, pthread_join(thread, NULL));
	CHECK_EQUAL(0, awaited);
	send(SI_USER); /* counted for the next call, which returns at once */
	CHECK_EQUAL(0, dsm_quit_await());
	CHECK_EQUAL(1, passed);
	CHECK_EQUAL(0, sigaction(SIGQUIT, &usual, NULL));
}
