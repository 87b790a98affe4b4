package io.muninn.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The texts of the page, one for each table. */
final class Explanations {
    private static final List<String> FLOORS =
            List.of(
                    "mem",
                    "unix-",
                    "tcp-",
                    "uffd-",
                    "netty-",
                    "handler-twin",
                    "protect-",
                    "drop-",
                    "reentrant-",
                    "jvms-");

    private static final Map<String, String> TEXTS = new HashMap<>();

    static {
        TEXTS.put(
                "access-",
                """
                Loops over two thousand elements, measured by JMH. The floor of a view, and of a
                bare `MemorySegment`, is the same loop over a heap array. `product` multiplies a
                sparse matrix of eight elements per row by a vector. The loops take turns; each has
                a JVM of its own.

                """);
        TEXTS.put(
                "shape-",
                """
                Plain loop nests, entered once, as in a program: the JVM replaces the running
                method by compiled code. `again` is the second call. The floor is the same nest
                over heap arrays. Each nest has a JVM of its own, and views and arrays take turns.
                A time is processor time of the thread that runs the nest. The median column shows
                the least of all JVMs, the column of the 99th percentile the most.

                """);
        TEXTS.put(
                "fault-",
                """
                A fault on one page, on the root. `fault-write-local`: a store to a readable
                write-shared page, for which a twin is made. `fault-read-remote`: a load from a
                conventional page that another node has written; it takes turns with its floors.
                `fault-migratory`: a load from a migratory page, which moves to the root.
                `fault-scan-remote`: loads from 256 neighbouring write-shared pages that another
                node has written; the time is per page. `fault-write-N-copies`: a store to a
                conventional page that N other nodes have copies of. `fault-stale-P`: a load from a
                page of protocol P that the other node has written; under protocols with homes that
                node is the home. `fault-stale-N-P`: the same after N nodes have written different
                words of the page. Protocols that push updates have no such row, because the load
                does not wait.

                """);
        TEXTS.put(
                "release-",
                """
                `release-P-C`: a barrier after the root has stored to P write-shared pages, to C
                percent of their words. The other node has copies of them and waits at the barrier.
                `interval-P-C` is the stores and the release together. The floor compares the
                pages, makes one round trip over a socket, and sends as many bytes to the other
                node as the release did. `release-P-C-X`: the same under protocol X, whose releases
                do not wait for an acknowledgement; under protocols with homes the other node is
                the home. Its floor compares the pages, unless the protocol makes diffs on request,
                protects them in one call, and makes one round trip over a socket.

                """);
        TEXTS.put(
                "lock-",
                """
                `lock-again`: `lock()` and `unlock()` by the last holder, beside a `ReentrantLock`
                in the same process. `lock-read-again`: the same for the read lock of a
                reader-writer lock, on a node that has permission to read, beside that of a
                `ReentrantReadWriteLock`. `lock-passed`: such a pair when the other node has the
                token and does not use it. `lock-contended-N`: the waiting time of the root when N
                nodes request the lock at the same time: up to N - 1 other nodes hold it first.

                """);
        TEXTS.put(
                "acquire-",
                """
                `acquire-N-P`: a lock whose token is unused on the other node. Under the lock that
                node has stored to N neighbouring pages of protocol P; under protocols with homes
                it is their home. The root has copies of all of them, which become stale. Protocols
                that push have no such row. The floor is that of `lock-passed`, the protection of N
                pages in one call and their removal from a page table in another call; of 256 pages
                also a round trip to the process that removes them.
                `section-P`: such a lock, a load and a store of the one page of protocol P that the
                other node has stored to under it, and `unlock()`. The floor is that of
                `lock-passed`, a trap, a few bytes from another node, and a twin. `section-4-P`:
                the same with four pages.

                """);
        TEXTS.put(
                "prefetch-",
                """
                Prefetches of pages of protocol P that the other node has written; under protocols
                with homes it is their home. Protocols that push have no such row.
                `prefetch-issue-P`: the call for 16 neighbouring pages, beside a round trip over a
                socket, of which it needs one direction. `prefetch-hit-P`: a load from one of these
                pages after all have arrived. `prefetch-late-P`: the call for one page, and a load
                from it immediately afterwards.

                """);
        TEXTS.put(
                "barrier-",
                """
                `barrier-N`: N nodes without stores. `barrier-N-sum-K`: each node contributes K
                doubles to a sum, which all receive. `barrier-4-64-P`: each of 4 nodes has stored
                to 16 pages of protocol P, of which it is the home; every node has copies of the
                others' pages, which become stale. `barrier-2-2-P`: each of 2 nodes has stored to
                one page; copies of write-shared pages are updated. The floor is a round trip over
                a socket for each application, and the messages between nodes over bare channels:
                from every node to the root, and from the root to every node.

                """);
        TEXTS.put(
                SiblingRuns.PREFIX,
                """
                Operations between the processes of one node, under home-based pages, measured by
                the first process of node 0. The column "floor" shows another operation of the same
                run. `sibling-fault`: a load from a page that only a sibling has used; the floor is
                the first load of the node from a page (`sibling-first-touch`). `sibling-fault-16`:
                loads from 16 neighbouring pages that only a sibling has used, which are mapped at
                one fault; the time is per page. `sibling-lock`: `lock()` and `unlock()` after a
                sibling whose view this process covers; the floor is the same pair after the
                process itself (`sibling-lock-own`). `sibling-lock-notice`: `lock()` after a
                sibling that has processed one more write notice, of a page that this process has;
                the floor is a lock of the other node with that notice (`sibling-lock-remote`).
                `sibling-release-K`: a barrier that releases 16 pages whose home is the other node;
                K processes of the node have stored to 1 percent of each. `sibling-barrier-NxP`: a
                barrier of N nodes of P processes. Each operation was measured in three runs, by
                turns with the others; the median run counts.

                """);
        TEXTS.put(
                RemoteRuns.PREFIX,
                """
                Operations on remote words, measured by node 0 of two. The column "floor" shows
                another operation of the same run. `remote-add-own`: an addition to a word of the
                node's own home; `remote-add-2`: the same while another node of the agent adds to
                that word on another processor, at least a quarter as often. With an agent for each
                node: `remote-get`: a load of a word
                of the other node; the floor is a load from a conventional page that the other node
                has written (`remote-fault`). `remote-add`: an addition without an answer, of 200
                and a fence; `remote-aggregated`: an addition by an aggregator, of 20000 and its
                close; the floor is the one without.

                """);
        TEXTS.put(
                PoolRuns.PREFIX,
                """
                Two nodes of a run with `--pool`. `pool-read`: a load from a weak page that the
                other node has written; the page is absent, and the trap of the thread enters it and
                copies its frame. The floor is `pool-write` of the same rounds: a store to a
                readable write-shared page, for which the trap makes a twin.

                """);
        TEXTS.put(
                "loop-",
                """
                `loop-N`: a parallel loop with an empty body, on N nodes; its floor is `barrier-N`.
                `loop-N-each`: a loop that adds to each of 10^6 elements; its floor is
                `loop-N-by-hand`, in which each node adds to its part and arrives at a barrier.

                """);
        TEXTS.put(
                "queue-",
                """
                All nodes together perform numbered tasks of 30 microseconds. `queue-lock-N`: the
                next number is in migratory memory under a lock. `queue-ship-N`: the next number is
                in an object of the root, which the nodes call; it is the floor of `queue-lock-N`.
                `queue-remote-N`: the next number is a remote word of the root, in the memory of
                the nodes' agent. `queue-apart-N`: each node has its own numbers, and nothing is
                shared; it is the floor of `queue-ship-N` and `queue-remote-N`. A time is that of a
                round divided by its tasks; the queues take turns, round by round.

                """);
        TEXTS.put(
                "profile",
                """
                Processor time per operation, all processes pinned to one processor: of the thread
                that waits, of its node's agent, and of the applications and agents of all other
                nodes, including the operating system. If the median is above the sum, other
                processes had the processor for the rest of the time, or it was idle.

                """);
        TEXTS.put(
                "floors",
                """
                `handler-twin`: a store to a write-protected page whose twin is made in a signal
                handler. `-cold`: the same with other data in the processor's caches, as after
                agents and applications have run; no ratio refers to it. `uffd-missing`,
                `uffd-write`: a load and a store that another process resolves. `protect-N-pages`,
                `drop-N-pages`: N neighbouring pages are write-protected, and removed from a page
                table, in one call each. `unix-N`, `tcp-N`: a round trip of 64 bytes, answered by N
                bytes, between two processes in C. `netty-unix-A-B`: A bytes there and B bytes back
                over channels as agents have them. `netty-star-N`: 64 bytes from every node to a
                root, and from the root to every node. The speed of the machine changes within
                minutes, so floors are measured close to the operations that are compared with
                them: floors in C before, after, and once more, of which the median counts; those
                over channels immediately after. The table shows the first of these times.

                """);
        TEXTS.put(
                "shipping",
                """
                All nodes take tasks from one queue and put them back. The queue is an object of
                the root that is called, or it is in migratory shared memory under a lock. A time
                is that of a round divided by the tasks that all nodes together took.

                """);
        TEXTS.put(
                "start-",
                """
                `start-4-nodes`: from the start of the launcher until all nodes of `hello` have
                joined, as the run reports it, to a hundredth of a second. `jvms-5`: as many JVMs
                as four nodes and their agent have, started at once, until the last has printed its
                version and ended. The two take turns. Of these few samples the slowest is the 99th
                percentile.

                """);
        TEXTS.put(
                "apps",
                """
                Shared memory (`dsm`) and message passing (`mp`) with the same inner loops, in the
                same processes, after a repetition to warm up. The two take turns, repetition by
                repetition. Waiting times are averages over nodes and all repetitions, in
                milliseconds.

                """);
        TEXTS.put(
                "links",
                """
                Two nodes in two network namespaces that a pair of virtual Ethernet devices links,
                each with its agent and application on a processor of its own. *Bare*:
                `--plaintext --checksums off`; numbers of frames and checks of their headers stay.
                *Checksums*: `--plaintext`. *TLS*: no options, which is TLS and checksums.
                `fault-read-remote`: a load from a page of 4 KiB that the other node has written.
                `lock-passed`: `lock()` and `unlock()` when the other node has the token and does
                not use it. `barrier-2`: a barrier of both nodes. `diff` and `cg` are programs.

                The clusters of all ways are up at the same time. They take turns of some
                milliseconds, programs repetition by repetition. A round of an operation is a set
                of new clusters, because compiled code differs from process to process; its time
                is a median of many samples. A round of a program is a repetition after the first.
                A ratio is the median of the ratios of all rounds; at least half of the rounds are
                in the range behind it.

                Within one host, each node has an agent of its own, and a Unix socket, which never
                has TLS, links the agents. All processes are on one processor, as in the rows of
                [the other page](README.md).

                """);
        TEXTS.put(
                "links-time",
                """
                TLS has one record for the frames that are flushed together, up to 16 KiB, not one
                for each frame, and no further system call. So a fetched page is a record there and
                one back, and so is a lock. Each record is encrypted once and decrypted once. The
                JDK's engine works on arrays of the heap, so each side also copies the record. A
                barrier waits for both messages of a round, one after the other, too, but its
                messages are short.
                [Decision 0094](../../decisions/0094-crypto-is-compiled-early.md) has the processor
                time of a record, cold and warm.

                A checksum is a CRC-32C of the frame and one of the page in it, on both sides: two
                more passes over 4 KiB that are in the caches, by an instruction of the processor.
                Frames without a page have a few dozen bytes.

                A program pays in proportion to the time that its nodes wait for each other, and
                its first second pays most: code that is not compiled yet encrypts without the
                processor's instructions for it.

                """);
        TEXTS.put(
                "switches",
                """
                Operations with an optimisation switched off and on, in consecutive runs on one
                processor; programs unpinned, by turns.

                """);
    }

    private Explanations() {}

    static String of(String table) {
        return TEXTS.getOrDefault(table, "");
    }

    /** Whether a row is only a floor of other rows. */
    static boolean isFloor(String name) {
        return FLOORS.stream().anyMatch(name::startsWith);
    }
}
