#define _GNU_SOURCE
#include "floor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT_VARIABLE "MUNINN_TURNS"

/* Messages at the end of a turn. */
enum { MORE, LAST };

int turns_open(void)
{
	const char *port = getenv(PORT_VARIABLE);
	struct sockaddr_in address = { .sin_family = AF_INET };
	int turns;

	if (port == NULL)
		return -1;
	address.sin_port = htons((uint16_t)strtoul(port, NULL, 10));
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	turns = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (turns < 0 || connect(turns, (struct sockaddr *)&address, sizeof(address)) != 0)
		fail("connect to who gives turns");
	return turns;
}

static void say(int turns, uint8_t end)
{
	if (write(turns, &end, 1) != 1)
		fail("write to who gives turns");
}

/* Returns 0 at the end of the stream. */
static int hear(int turns)
{
	uint8_t turn;
	ssize_t count;

	do
		count = read(turns, &turn, 1);
	while (count < 0 && errno == EINTR);
	return count == 1;
}

void turns_await(int turns)
{
	if (!hear(turns))
		fail("read from who gives turns");
}

void turns_pass(int turns)
{
	say(turns, MORE);
}

void turns_pass_last(int turns)
{
	say(turns, LAST);
	hear(turns);
	close(turns);
}
