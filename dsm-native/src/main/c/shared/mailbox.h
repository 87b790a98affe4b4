/*
 * Mailboxes: a thread's calls to its agent, and the answers, in the control memory, as
 * far as they are short. All others go by the thread's socket.
 *
 *    head | mailboxes
 *
 * Both words of a mailbox are changed by its thread and by the agent; the table of
 * docs/decisions/0049-short-calls-go-through-shared-memory.md says who may when.
 */
#ifndef DSM_MAILBOX_H
#define DSM_MAILBOX_H

#include <stddef.h>
#include <stdint.h>

#include "dsm_fault.h"
#include "spin.h"

#define DSM_MAILBOXES 256
#define DSM_MAIL_BYTES 496 /* of a frame, at most */

enum dsm_mail_call {
	DSM_CALL_NONE = 0, /* the thread may write one */
	DSM_CALL_POSTED = 1, /* the agent may read it */
};

enum dsm_mail_answer {
	DSM_ANSWER_NONE = 0,
	DSM_ANSWER_AWAITED = 1, /* none, and the thread has to be woken */
	DSM_ANSWER_HERE = 2,
	DSM_ANSWER_ON_SOCKET = 3, /* too long for here */
};

struct dsm_mailbox {
	_Alignas(64) uint32_t call; /* enum dsm_mail_call */
	uint32_t next; /* index + 1 of the mailbox posted before it */
	uint32_t after; /* frames that the thread had sent on its socket when it posted */
	uint32_t call_bytes;
	uint8_t call_frame[DSM_MAIL_BYTES];
	_Alignas(64) uint32_t answer; /* enum dsm_mail_answer */
	uint32_t answer_bytes;
	uint8_t answer_frame[DSM_MAIL_BYTES];
};

struct dsm_mail {
	_Alignas(64) uint32_t posted; /* index + 1: threads push, the agent takes all at once */
	uint32_t taken; /* mailboxes that belong to threads, from the first on (Java counts them) */
	struct dsm_mailbox boxes[DSM_MAILBOXES];
};

_Static_assert(offsetof(struct dsm_mail, boxes) == 64, "dsm_mail");
_Static_assert(offsetof(struct dsm_mailbox, answer) == 512, "dsm_mailbox.answer");
_Static_assert(sizeof(struct dsm_mailbox) == 1024, "dsm_mailbox");

/* A thread's end of its mailbox. */
struct dsm_mail_end {
	struct dsm_mailbox *box; /* NULL: it has none */
	uint32_t *posted;
	uint32_t number; /* index + 1 */
	int event_fd; /* tells the agent */
};

/*
 * Posts a frame. `after`: how many frames the thread has sent on its socket. Returns 0,
 * with nothing done, for a frame that is too long, and while the last is unread.
 */
int dsm_mail_post(const struct dsm_mail_end *end, const void *frame, uint32_t bytes,
		  uint32_t after);

/*
 * Waits for an answer. `socket`: whose end shows that the agent has gone. timeout_millis:
 * 0 polls, -1 waits for ever.
 *
 * Returns DSM_ANSWER_HERE or DSM_ANSWER_ON_SOCKET; 0 when the time is up; -EPIPE.
 */
int dsm_mail_await(const struct dsm_mail_end *end, struct dsm_spin *spin, int socket,
		   int32_t timeout_millis);

/* Copies an answer that is here. Returns its bytes, or -EMSGSIZE, and it stays. */
int32_t dsm_mail_read(const struct dsm_mail_end *end, void *frame, uint32_t capacity);

/* The answer has been received. */
void dsm_mail_done(const struct dsm_mail_end *end);

#endif
