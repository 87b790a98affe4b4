/* The call channel with a server that splits frames at critical positions. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "listen.h"

#define LARGE 1000000

static void write_frame(int fd, const void *bytes, uint32_t length, size_t step)
{
	uint8_t *frame = malloc(length + sizeof(length));

	memcpy(frame, &length, sizeof(length));
	memcpy(frame + sizeof(length), bytes, length);
	for (size_t at = 0; at < length + sizeof(length); at += step) {
		size_t rest = length + sizeof(length) - at;

		CHECK(write(fd, frame + at, rest < step ? rest : step) > 0);
	}
	free(frame);
}

static void read_exactly(int fd, void *to, size_t bytes)
{
	CHECK_EQUAL(bytes, recv(fd, to, bytes, MSG_WAITALL));
}

static void check_frames(struct dsm_call *call, int server)
{
	char text[64];
	uint32_t length;

	CHECK_EQUAL(0, dsm_call_send(call, "hello", 5));
	read_exactly(server, &length, sizeof(length));
	CHECK_EQUAL(5, length);
	read_exactly(server, text, 5);
	CHECK_EQUAL(0, memcmp(text, "hello", 5));

	write_frame(server, "one", 3, 100);
	write_frame(server, "second", 6, 1);
	CHECK_EQUAL(3, dsm_call_receive(call, text, sizeof(text), -1));
	CHECK_EQUAL(6, dsm_call_receive(call, text, sizeof(text), 1000));
	CHECK_EQUAL(0, memcmp(text, "second", 6));
}

static void check_exchange(struct dsm_call *call, int server)
{
	char text[64] = "question";
	uint32_t length;

	write_frame(server, "answer", 6, 100);
	CHECK_EQUAL(-EMSGSIZE, dsm_call_exchange(call, text, 8, 5));
	read_exactly(server, &length, sizeof(length));
	CHECK_EQUAL(8, length);
	read_exactly(server, text, 8);
	CHECK_EQUAL(0, memcmp(text, "question", 8));
	CHECK_EQUAL(6, dsm_call_receive(call, text, sizeof(text), -1));
	write_frame(server, "answer", 6, 100);
	CHECK_EQUAL(6, dsm_call_exchange(call, text, 1, sizeof(text)));
	CHECK_EQUAL(0, memcmp(text, "answer", 6));
	read_exactly(server, text, sizeof(length) + 1);
	CHECK_EQUAL(-EINVAL, dsm_call_exchange(call, text, 0, sizeof(text)));
}

static void check_timeouts(struct dsm_call *call, int server)
{
	static const uint8_t half[] = { 4, 0, 0, 0, 'a', 'b' };
	char text[64];

	CHECK_EQUAL(0, dsm_call_receive(call, text, sizeof(text), 0));
	CHECK_EQUAL(0, dsm_call_receive(call, text, sizeof(text), 20));
	CHECK_EQUAL(3, write(server, half, 3)); /* less than the length */
	CHECK_EQUAL(0, dsm_call_receive(call, text, sizeof(text), 20));
	CHECK_EQUAL(3, write(server, half + 3, 3));
	CHECK_EQUAL(0, dsm_call_receive(call, text, sizeof(text), 20));
	CHECK_EQUAL(2, write(server, "cd", 2));
	CHECK_EQUAL(4, dsm_call_receive(call, text, sizeof(text), 20));
	CHECK_EQUAL(0, memcmp(text, "abcd", 4));
}

static void *write_large(void *argument)
{
	uint8_t *bytes = malloc(LARGE);

	for (int i = 0; i < LARGE; i++)
		bytes[i] = (uint8_t)(i * 31);
	write_frame(*(const int *)argument, "first", 5, 100);
	write_frame(*(const int *)argument, bytes, LARGE, 77777);
	write_frame(*(const int *)argument, "last", 4, 100);
	free(bytes);
	return NULL;
}

static void check_large(struct dsm_call *call, int server)
{
	uint8_t *bytes = malloc(LARGE);
	pthread_t thread;

	CHECK_EQUAL(0, pthread_create(&thread, NULL, write_large, &server));
	CHECK_EQUAL(5, dsm_call_receive(call, bytes, LARGE, -1));
	CHECK_EQUAL(-EMSGSIZE, dsm_call_receive(call, bytes, LARGE - 1, -1));
	CHECK_EQUAL(LARGE, dsm_call_receive(call, bytes, LARGE, -1));
	for (int i = 0; i < LARGE; i++)
		CHECK_EQUAL((uint8_t)(i * 31), bytes[i]);
	CHECK_EQUAL(4, dsm_call_receive(call, bytes, LARGE, -1));
	pthread_join(thread, NULL);
	free(bytes);
}

void test_call(void)
{
	static const uint8_t empty_frame[4] = { 0 };
	char name[64];
	char text[8];
	struct dsm_call *call;
	int listener;
	int server;

	snprintf(name, sizeof(name), "muninn-test-call-%d", getpid());
	CHECK_EQUAL(-ECONNREFUSED, dsm_call_open(name, &call));
	CHECK_EQUAL(-EINVAL, dsm_call_open("", &call));
	listener = listen_at(name);
	CHECK_EQUAL(0, dsm_call_open(name, &call));
	server = accept(listener, NULL, NULL);

	check_frames(call, server);
	check_exchange(call, server);
	check_timeouts(call, server);
	check_large(call, server);
	CHECK_EQUAL(-EINVAL, dsm_call_send(call, text, 0));
	CHECK_EQUAL(4, write(server, empty_frame, 4));
	CHECK_EQUAL(-EBADMSG, dsm_call_receive(call, text, sizeof(text), -1));
	dsm_call_close(call);
	close(server);

	CHECK_EQUAL(0, dsm_call_open(name, &call));
	close(accept(listener, NULL, NULL));
	CHECK_EQUAL(-EPIPE, dsm_call_receive(call, text, sizeof(text), -1));
	CHECK_EQUAL(-EPIPE, dsm_call_send(call, text, sizeof(text)));
	dsm_call_close(call);
	close(listener);
}
