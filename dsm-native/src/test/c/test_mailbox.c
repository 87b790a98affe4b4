/* Mailboxes: a calling thread, and the test as its agent, in one process. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "listen.h"
#include "mailbox.h"
#include "traps.h"

#define LONG_BYTES (DSM_MAIL_BYTES + 1)

static struct dsm_mail *mail;
static int event_fd;

static uint64_t address(void)
{
	return (uint64_t)(uintptr_t)mail;
}

static uint64_t times_told(void)
{
	uint64_t told = 0;

	return read(event_fd, &told, sizeof(told)) < 0 ? 0 : told;
}

/* Takes the call and returns the mailbox to the thread, as the agent does. */
static void take_call(struct dsm_mailbox *box, const char *text, uint32_t after)
{
	CHECK_EQUAL(DSM_CALL_POSTED, dsm_trap_load(&box->call));
	CHECK_EQUAL(strlen(text), box->call_bytes);
	CHECK_EQUAL(0, memcmp(box->call_frame, text, box->call_bytes));
	CHECK_EQUAL(after, box->after);
	__atomic_store_n(&box->call, DSM_CALL_NONE, __ATOMIC_SEQ_CST);
}

static void tell(struct dsm_mailbox *box, uint32_t state)
{
	if (__atomic_exchange_n(&box->answer, state, __ATOMIC_SEQ_CST) == DSM_ANSWER_AWAITED)
		dsm_mail_wake((uint64_t)(uintptr_t)&box->answer);
}

static void answer(struct dsm_mailbox *box, const char *text)
{
	box->answer_bytes = (uint32_t)strlen(text);
	memcpy(box->answer_frame, text, box->answer_bytes);
	tell(box, DSM_ANSWER_HERE);
}

static void write_frame(int fd, const void *frame, uint32_t bytes)
{
	CHECK_EQUAL(sizeof(bytes), write(fd, &bytes, sizeof(bytes)));
	CHECK_EQUAL(bytes, write(fd, frame, bytes));
}

static void read_frame(int fd, void *frame, uint32_t bytes)
{
	uint32_t length;

	CHECK_EQUAL(sizeof(length), recv(fd, &length, sizeof(length), MSG_WAITALL));
	CHECK_EQUAL(bytes, length);
	CHECK_EQUAL(bytes, recv(fd, frame, bytes, MSG_WAITALL));
}

static void check_bounds(struct dsm_call *call)
{
	CHECK_EQUAL(-EINVAL, dsm_call_use_mailbox(call, 0, 0, event_fd));
	CHECK_EQUAL(-EINVAL, dsm_call_use_mailbox(call, address() + 8, 0, event_fd));
	CHECK_EQUAL(-EINVAL, dsm_call_use_mailbox(call, address(), -1, event_fd));
	CHECK_EQUAL(-EINVAL, dsm_call_use_mailbox(call, address(), DSM_MAILBOXES, event_fd));
}

/*
 * Short frames use the mailbox, one at a time; the others use the socket and are counted.
 */
static void check_ways(struct dsm_call *call, int server, struct dsm_mailbox *box)
{
	uint8_t frame[LONG_BYTES] = { 0 };
	uint8_t received[LONG_BYTES];

	CHECK_EQUAL(0, dsm_call_send(call, "one", 3));
	CHECK_EQUAL(1, times_told());
	CHECK_EQUAL(8, mail->posted); /* the eighth */
	CHECK_EQUAL(0, dsm_call_send(call, "two", 3)); /* the first is unread */
	read_frame(server, received, 3);
	CHECK_EQUAL(0, times_told());
	CHECK_EQUAL(8, dsm_trap_take_all(&mail->posted));
	take_call(box, "one", 0);

	CHECK_EQUAL(0, dsm_call_send(call, frame, LONG_BYTES));
	read_frame(server, received, LONG_BYTES);
	CHECK_EQUAL(DSM_CALL_NONE, box->call);
	CHECK_EQUAL(0, dsm_call_send(call, "three", 5));
	CHECK_EQUAL(8, dsm_trap_take_all(&mail->posted));
	take_call(box, "three", 2);
	CHECK_EQUAL(1, times_told());
}

static void check_answers(struct dsm_call *call, int server, struct dsm_mailbox *box)
{
	uint8_t frame[LONG_BYTES];
	char text[8];

	answer(box, "first");
	CHECK_EQUAL(-EMSGSIZE, dsm_call_receive(call, text, 4, -1)); /* it stays */
	CHECK_EQUAL(5, dsm_call_receive(call, text, sizeof(text), -1));
	CHECK_EQUAL(0, memcmp(text, "first", 5));
	CHECK_EQUAL(0, dsm_call_receive(call, text, sizeof(text), 0));
	CHECK_EQUAL(0, dsm_call_receive(call, text, sizeof(text), 20));
	CHECK_EQUAL(DSM_ANSWER_AWAITED, box->answer);
	answer(box, "late");
	CHECK_EQUAL(4, dsm_call_receive(call, text, sizeof(text), 20));

	memset(frame, 7, sizeof(frame));
	write_frame(server, frame, LONG_BYTES);
	CHECK_EQUAL(0, dsm_call_receive(call, text, sizeof(text), 0)); /* not answered yet */
	tell(box, DSM_ANSWER_ON_SOCKET);
	CHECK_EQUAL(-EMSGSIZE, dsm_call_receive(call, text, sizeof(text), -1));
	memset(frame, 0, sizeof(frame));
	CHECK_EQUAL(LONG_BYTES, dsm_call_receive(call, frame, sizeof(frame), -1));
	CHECK_EQUAL(7, frame[DSM_MAIL_BYTES]);
	CHECK_EQUAL(DSM_ANSWER_NONE, box->answer);
	box->answer_bytes = DSM_MAIL_BYTES + 1;
	tell(box, DSM_ANSWER_HERE);
	CHECK_EQUAL(-EBADMSG, dsm_call_receive(call, frame, sizeof(frame), -1));
	box->answer = DSM_ANSWER_NONE;
}

static void *answer_waiting(void *argument)
{
	struct dsm_mailbox *box = argument;

	while (dsm_trap_load(&box->answer) != DSM_ANSWER_AWAITED)
		usleep(100);
	answer(box, "woken");
	return NULL;
}

static void check_waits(struct dsm_call *call, int server, struct dsm_mailbox *box)
{
	char text[8];
	pthread_t agent;

	CHECK_EQUAL(0, pthread_create(&agent, NULL, answer_waiting, box));
	CHECK_EQUAL(5, dsm_call_receive(call, text, sizeof(text), -1));
	CHECK_EQUAL(0, memcmp(text, "woken", 5));
	pthread_join(agent, NULL);

	dsm_call_spin(call, 1000000);
	CHECK_EQUAL(0, pthread_create(&agent, NULL, answer_waiting, box));
	CHECK_EQUAL(5, dsm_call_receive(call, text, sizeof(text), 20000));
	pthread_join(agent, NULL);

	close(server); /* a wait sees an answer first, otherwise EOF */
	answer(box, "last");
	CHECK_EQUAL(4, dsm_call_receive(call, text, sizeof(text), -1));
	CHECK_EQUAL(-EPIPE, dsm_call_receive(call, text, sizeof(text), -1));
}

void test_mailbox(void)
{
	char name[64];
	struct dsm_call *call;
	int listener;
	int server;

	mail = mmap(NULL, sizeof(*mail), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(mail != MAP_FAILED);
	event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	snprintf(name, sizeof(name), "muninn-test-mailbox-%d", getpid());
	listener = listen_at(name);
	CHECK_EQUAL(0, dsm_call_open(name, &call));
	server = accept(listener, NULL, NULL);
	check_bounds(call);
	CHECK_EQUAL(0, dsm_call_use_mailbox(call, address(), 7, event_fd));
	check_ways(call, server, &mail->boxes[7]);
	check_answers(call, server, &mail->boxes[7]);
	check_waits(call, server, &mail->boxes[7]);
	dsm_call_close(call);
	close(listener);
	close(event_fd);
	munmap(mail, sizeof(*mail));
}
