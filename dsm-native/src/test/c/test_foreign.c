/*
 * Foreign bytes for the parsers in C: packets at the socket of the agent, and frames, mailboxes and
 * diffs as a process reads them. 20 000 inputs for each, a million if MUNINN_ALL is "true". The
 * sanitizers find what a check of results does not.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "listen.h"
#include "mailbox.h"

#define FEW 20000
#define MANY 1000000
#define STREAM_BYTES_MAX 256
#define PAGE_BYTES 256
#define PAGE_GRANULE 4

static const uint8_t token[DSM_TOKEN_BYTES] = { 1, 2, 3 };

static uint32_t below(uint64_t *random, uint32_t bound)
{
	return (uint32_t)(random_next(random) % bound);
}

/* Changes up to four bytes, most often to an extreme value. */
static void mutate(uint64_t *random, void *bytes, uint32_t length)
{
	static const uint8_t extremes[] = { 0, 1, 0x7f, 0x80, 0xff };

	for (uint32_t i = below(random, 5); i > 0 && length > 0; i--) {
		uint8_t value = (uint8_t)random_next(random);

		if (below(random, 2) == 0)
			value = extremes[below(random, sizeof(extremes))];
		((uint8_t *)bytes)[below(random, length)] = value;
	}
}

static int open_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 64; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* None of them is complete: the memory that comes with them is not sealed. */
static void feed_attaches(uint64_t *random, int inputs)
{
	struct dsm_attach good = {
		.magic = DSM_ATTACH_MAGIC,
		.abi = DSM_ABI_VERSION,
		.region_bytes = 65536,
		.control_bytes = 65536,
		.page_bytes = (uint32_t)dsm_page_bytes(),
		.processes = 1,
	};
	int unsealed = memfd_create("unsealed", MFD_CLOEXEC);
	int fds[DSM_ATTACH_FDS_MAX];
	int refused_late = 0;
	struct dsm_listener *listener;
	struct sockaddr_un address;
	char name[64];
	int before;
	int length;

	memcpy(good.token, token, sizeof(token));
	CHECK_EQUAL(0, ftruncate(unsealed, 65536));
	for (int i = 0; i < DSM_ATTACH_FDS_MAX; i++)
		fds[i] = unsealed;
	snprintf(name, sizeof(name), "muninn-test-foreign-%d", getpid());
	length = dsm_abstract_address(name, &address);
	CHECK_EQUAL(0, dsm_listener_open(name, &listener));
	before = open_descriptors();
	for (int i = 0; i < inputs; i++) {
		struct dsm_attach attach = good;
		struct dsm_engine *engine = NULL;
		struct dsm_verdict verdict;
		struct dsm_verdict read;
		int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
		uint32_t bytes = sizeof(attach);

		attach.kind = (int32_t)below(random, DSM_ENGINE_KINDS);
		mutate(random, &attach, bytes);
		if (below(random, 4) == 0)
			bytes = 1 + below(random, bytes);
		CHECK_EQUAL(0, connect(fd, (const struct sockaddr *)&address, (socklen_t)length));
		CHECK_EQUAL(0, dsm_send_with(fd, &attach, bytes, fds,
					     below(random, 2) == 0 ?
						     below(random, DSM_ATTACH_FDS_MAX + 1) :
						     dsm_attach_fds(attach.kind, 0),
					     0));
		CHECK_EQUAL(0, dsm_listener_accept(listener, token, &engine, &verdict));
		CHECK(verdict.status > 0 && engine == NULL);
		CHECK(memchr(verdict.text, 0, sizeof(verdict.text)) != NULL);
		CHECK_EQUAL(sizeof(read), recv(fd, &read, sizeof(read), 0));
		CHECK_EQUAL(0, memcmp(&read, &verdict, sizeof(read)));
		refused_late += verdict.status == EINVAL;
		close(fd);
	}
	CHECK_EQUAL(before, open_descriptors());
	CHECK(refused_late > 0 && refused_late < inputs);
	dsm_listener_close(listener);
	close(unsealed);
}

/* Frames of up to 40 bytes, mutated, cut off anywhere, in pieces. Returns how many were read. */
static int read_stream(uint64_t *random, struct dsm_call *call, int server)
{
	uint8_t stream[STREAM_BYTES_MAX];
	uint8_t frame[STREAM_BYTES_MAX];
	uint32_t end = 0;
	uint32_t at = 0;
	int read = 0;
	int32_t ret = 1;

	while (end < STREAM_BYTES_MAX - 50) {
		uint32_t length = 1 + below(random, 40);

		memcpy(stream + end, &length, sizeof(length));
		memset(stream + end + sizeof(length), (int)length, length);
		end += (uint32_t)sizeof(length) + length;
	}
	mutate(random, stream, end);
	end = 1 + below(random, end);
	while (at < end && ret >= 0) {
		uint32_t piece = 1 + below(random, end - at);

		CHECK_EQUAL(piece, write(server, stream + at, piece));
		at += piece;
		do {
			ret = dsm_call_receive(call, frame, sizeof(frame), 0);
			CHECK(ret <= (int32_t)sizeof(frame));
			read += ret > 0;
		} while (ret > 0);
	}
	close(server);
	while (ret >= 0) {
		ret = dsm_call_receive(call, frame, sizeof(frame), -1);
		read += ret > 0;
	}
	CHECK(ret == -EPIPE || ret == -EBADMSG || ret == -EMSGSIZE);
	return read;
}

static void feed_frames(uint64_t *random, int inputs)
{
	char name[64];
	int listener;
	int read = 0;

	snprintf(name, sizeof(name), "muninn-test-foreign-call-%d", getpid());
	listener = listen_at(name);
	for (int i = 0; i < inputs; i++) {
		struct dsm_call *call;

		CHECK_EQUAL(0, dsm_call_open(name, &call));
		read += read_stream(random, call, accept(listener, NULL, NULL));
		dsm_call_close(call);
	}
	CHECK(read > inputs);
	close(listener);
}

static void feed_mailbox(uint64_t *random, int inputs)
{
	struct dsm_mailbox *box = aligned_alloc(_Alignof(struct dsm_mailbox), sizeof(*box));
	struct dsm_mail_end end = { .box = box, .event_fd = -1 };
	uint8_t frame[DSM_MAIL_BYTES];

	memset(box, 0, sizeof(*box));
	for (int i = 0; i < inputs; i++) {
		uint32_t capacity = 1 + below(random, DSM_MAIL_BYTES);
		int32_t ret;

		box->answer_bytes = below(random, 2) == 0 ? below(random, 2 * DSM_MAIL_BYTES) :
							    (uint32_t)random_next(random);
		ret = dsm_mail_read(&end, frame, capacity);
		if (box->answer_bytes == 0 || box->answer_bytes > DSM_MAIL_BYTES)
			CHECK_EQUAL(-EBADMSG, ret);
		else
			CHECK_EQUAL(box->answer_bytes > capacity ? -EMSGSIZE :
								   (int32_t)box->answer_bytes,
				    ret);
	}
	free(box);
}

/* A refused diff changes nothing; each is in memory of its own length, so that none is overread. */
static void feed_diffs(uint64_t *random, int inputs)
{
	_Alignas(8) uint8_t page[PAGE_BYTES];
	_Alignas(8) uint8_t twin[PAGE_BYTES];
	int refused = 0;

	for (int i = 0; i < inputs; i++) {
		uint32_t length = 0;
		uint8_t whole[2 * PAGE_BYTES];
		uint8_t *diff;
		int32_t ret;

		for (uint32_t next = below(random, 8); next < PAGE_BYTES / PAGE_GRANULE - 8;) {
			uint16_t behind = (uint16_t)below(random, 8);
			uint16_t count = (uint16_t)(1 + below(random, 8));

			memcpy(whole + length, &behind, 2);
			memcpy(whole + length + 2, &count, 2);
			memset(whole + length + 4, 7, count * PAGE_GRANULE);
			length += 4 + (uint32_t)count * PAGE_GRANULE;
			next += behind + (uint32_t)count + below(random, 40);
		}
		mutate(random, whole, length < 12 ? length : 12);
		if (below(random, 4) == 0)
			length = below(random, length + 1);
		diff = malloc(length > 0 ? length : 1);
		memcpy(diff, whole, length);
		memset(page, 0, sizeof(page));
		memset(twin, 0, sizeof(twin));
		ret = dsm_apply(diff, length, page, twin, PAGE_BYTES, PAGE_GRANULE);
		CHECK(ret == -EBADMSG || (ret >= 0 && ret <= PAGE_BYTES / PAGE_GRANULE));
		for (uint32_t at = 0; ret == -EBADMSG && at < PAGE_BYTES; at++)
			CHECK(page[at] == 0 && twin[at] == 0);
		refused += ret == -EBADMSG;
		free(diff);
	}
	CHECK(refused > 0 && refused < inputs);
}

void test_foreign(void)
{
	const char *all = getenv("MUNINN_ALL");
	int inputs = all != NULL && strcmp(all, "true") == 0 ? MANY : FEW;
	uint64_t random = 56;

	feed_attaches(&random, inputs);
	feed_frames(&random, inputs);
	feed_mailbox(&random, inputs);
	feed_diffs(&random, inputs);
}
