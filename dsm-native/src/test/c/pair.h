/* Applications with traps in separate processes, with the test as their agent. */
#ifndef DSM_PAIR_H
#define DSM_PAIR_H

#include <sys/types.h>

#include "engine.h"

#define PATIENCE_MILLIS 20000
#define THREADS 8

/* The commands to the application and its answers, in the control memory. */
struct talk {
	uint64_t todo; /* number of the operation; 0: none */
	uint64_t watch;
	uint64_t done;
	uint64_t deed;
	uint64_t offset;
	uint64_t value;
};

enum deed { LOAD = 1, STORE = 2, STORE_TO_ALL = 3, LOAD_IN_THREADS = 4, FOREIGN = 5, ENDED = 6, REPLACE = 7, COUNT = 8, STORE_IN_THREADS = 9, HIDE_FRAMES = 10 };

extern uint64_t page_bytes;
extern struct dsm_engine *engine;
extern struct dsm_pool *pool; /* of the pairs that are started from now on; or NULL */
extern struct talk *talk;

/*
 * Starts an application with this many pages; its stderr is `errors`, if that is a descriptor.
 * Only one exists at a time. The caller ends the child and waits for it.
 */
pid_t start_pair(int32_t kind, uint64_t pages, int errors);

/* Starts the processes of one node, which share the pages. As start_pair(). */
void start_siblings(int32_t kind, uint64_t pages, pid_t children[], int32_t processes);
void end_pair(void);

/* The functions below, and `talk`, are about this process from now on; first about process 0. */
void turn_to(int32_t process);

void begin(enum deed deed, uint64_t offset, uint64_t value);
void let_run(void);
int is_done(void);
void await_done(void);
void next_fault(uint64_t offset, uint32_t kind);
void give(uint64_t offset, uint64_t bytes, int32_t access);
uint64_t word_of(uint64_t address);
uint64_t content(uint64_t offset);
void offer(uint64_t offset, uint64_t bytes);
void next_dirtied(uint64_t offset);

#endif
