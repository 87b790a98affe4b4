#define _GNU_SOURCE
#include "floor.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUEST_BYTES 64u

/* Both ends of one connection; blocking. */
struct pair {
	int near;
	int far;
};

static struct pair unix_pair(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		fail("socketpair");
	return (struct pair){ ends[0], ends[1] };
}

static void no_delay(int end)
{
	int on = 1;

	if (setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0)
		fail("setsockopt");
}

static struct pair tcp_pair(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct pair pair;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 ||
	    listen(listener, 1) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &length) != 0)
		fail("listen");
	pair.near = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (pair.near < 0 || connect(pair.near, (struct sockaddr *)&address, length) != 0)
		fail("connect");
	pair.far = accept(listener, NULL, NULL);
	if (pair.far < 0)
		fail("accept");
	close(listener);
	no_delay(pair.near);
	no_delay(pair.far);
	return pair;
}

/* Returns 0 at the end of the stream. */
static int read_all(int end, uint8_t *bytes, size_t count)
{
	size_t done = 0;

	while (done < count) {
		ssize_t got = read(end, bytes + done, count - done);

		if (got < 0)
			fail("read");
		if (got == 0)
			return 0;
		done += (size_t)got;
	}
	return 1;
}

static void write_all(int end, const uint8_t *bytes, size_t count)
{
	size_t done = 0;

	while (done < count) {
		ssize_t put = write(end, bytes + done, count - done);

		if (put < 0)
			fail("write");
		done += (size_t)put;
	}
}

/* A request of 64 bytes there, a reply of `reply` bytes back. */
static void measure(struct series *series, const char *name, uint32_t samples, struct pair pair,
		    size_t reply)
{
	uint8_t bytes[PAGE_BYTES] = { 0 };
	pid_t child;

	child = fork_child();
	if (child == 0) {
		close(pair.near);
		while (read_all(pair.far, bytes, REQUEST_BYTES))
			write_all(pair.far, bytes, reply);
		_exit(0);
	}
	close(pair.far);
	series_begin(series, name, samples);
	while (!series_is_full(series)) {
		double begin = now_nanos();

		write_all(pair.near, bytes, REQUEST_BYTES);
		if (!read_all(pair.near, bytes, reply))
			fail("the other process");
		series_add(series, now_nanos() - begin);
	}
	close(pair.near);
	waitpid(child, NULL, 0);
	series_print(series);
}

void measure_sockets(struct series *series, uint32_t samples)
{
	measure(series, "unix-64", samples, unix_pair(), REQUEST_BYTES);
	measure(series, "unix-4096", samples, unix_pair(), PAGE_BYTES);
	measure(series, "tcp-64", samples, tcp_pair(), REQUEST_BYTES);
	measure(series, "tcp-4096", samples, tcp_pair(), PAGE_BYTES);
}
