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
                Loops over two thousand elements, by JMH. The floor of a view, and of a bare
                `MemorySegment`, is the same loop over a heap array. `product`: a sparse matrix
                of eight elements in a row, times a vector. They take turns, each in a JVM of
                its own.

                """);
        TEXTS.put(
                "shape-",
                """
                Plain nests of loops, entered once, as a program does it: the JVM replaces the
                running method with compiled code. `again` is the second call. The floor is the
                same nest over heap arrays. Each nest has a JVM of its own, views and arrays take
                turns, and a time is processor time of the thread that runs the nest, the least of
                all JVMs; the column of the 99th percentile shows the most.

                """);
        TEXTS.put(
                "fault-",
                """
                One page each, on the root. `fault-write-local`: a store to a readable
                write-shared page, whose twin is made. `fault-read-remote`: a load from a
                conventional page that another node has written, by turns with its floors.
                `fault-migratory`: a load from a migratory page, which moves here.
                `fault-scan-remote`: a page's share of loads from 256 write-shared pages in a
                row that another node has written. `fault-write-N-copies`: a store to a
                conventional page of which N other nodes have copies. `fault-stale-P`: a load
                from a page of protocol P that the other node has written, which is its home
                where there are homes. `fault-stale-N-P`: N nodes have written it, each its own
                words. There is no such row of a protocol that pushes what is loaded in every
                interval, because such a load does not wait.

                """);
        TEXTS.put(
                "release-",
                """
                `release-P-C`: the root has stored to P write-shared pages, which another node
                has copies of, C percent of their words, as in every interval; it comes to a
                barrier where the other node waits. `interval-P-C` is the stores and the release
                together. The floor compares the pages, asks once
                across a socket, and sends as many bytes to the other node as the release did.
                `release-P-C-X`: the same under protocol X, where nobody waits for what is
                sent; the other node is the home of the pages, where there are homes. That floor
                compares the pages, unless the protocol does it when it is asked for them,
                protects them in one call, and asks once across a socket.

                """);
        TEXTS.put(
                "lock-",
                """
                `lock-again`: a pair of `lock()` and `unlock()` by the last holder, beside a
                `ReentrantLock` in the same process. `lock-passed`: the same pair where the
                token lies unused on the other node. `lock-contended-N`: the wait of the root
                when N nodes come to want the lock at the same time, which is up to N - 1 turns
                of others.

                """);
        TEXTS.put(
                "acquire-",
                """
                `acquire-N-P`: a lock whose token lies unused on the other node, which has stored
                to N neighbouring pages of protocol P under it, as their home where there are
                homes; the root has copies of all, which become stale. There is no such row of
                a protocol that pushes. The floor is that of `lock-passed`, the protection of N
                pages in one call and their removal from a page table in another, and, of 256, a
                round trip to the process that makes it.
                `section-P`: such a lock, a load and a store of the one page of protocol P that
                the other node has stored to under it, and `unlock()`. The floor is that of
                `lock-passed`, a trap, a few bytes of another node, and a twin. `section-4-P`: the
                same with four pages.

                """);
        TEXTS.put(
                "prefetch-",
                """
                Of pages of protocol P that the other node has written, their home where there
                are homes. There is no such row of a protocol that pushes.
                `prefetch-issue-P`: the call for 16 pages in a row, beside a round trip over a
                socket, of which it needs the way there. `prefetch-hit-P`: a load from one of
                them, when all have come. `prefetch-late-P`: the call for one page, and a load
                from it right behind.

                """);
        TEXTS.put(
                "barrier-",
                """
                `barrier-N`: N nodes, nothing stored. `barrier-N-sum-K`: each contributes K doubles
                to a sum, which all get. `barrier-4-64-P`: each of 4 nodes has
                stored to 16 pages of protocol P, as their home; all have copies of the others',
                which become stale. `barrier-2-2-P`: each of 2 nodes has stored to one page; copies
                of write-shared pages are updated. The floor is a round trip over a socket
                for each application, and the messages between nodes over bare channels:
                everybody to the root, and the root to everybody.

                """);
        TEXTS.put(
                SiblingRuns.PREFIX,
                """
                Between the processes of a node, under home-based pages; the first process of
                node 0 measures. What is called a floor here is another operation of the same
                sitting, with which it is compared. `sibling-fault`: a load from a page that only
                a sibling has used, beside one that nobody has (`sibling-first-touch`).
                `sibling-fault-16`: a page's share of loads from 16 pages in a row that only a
                sibling has used, which come with one fault. `sibling-lock`: a pair of `lock()` and
                `unlock()` behind a sibling of which nothing has to be learnt, beside one behind
                the process itself (`sibling-lock-own`). `sibling-lock-notice`: `lock()` behind a
                sibling that has seen one more write notice, of a page that the process has;
                beside a lock of the other node with that notice (`sibling-lock-remote`).
                `sibling-release-K`: a barrier that releases 16 pages with another home, to which K
                processes of the node have stored, each 1 percent. `sibling-barrier-NxP`: a barrier
                of N nodes of P processes. Each operation was measured in three runs, by turns
                with the others, of which the middle one counts.

                """);
        TEXTS.put(
                "loop-",
                """
                `loop-N`: a parallel loop with a body that does nothing, on N nodes; its floor is
                `barrier-N`.
                `loop-N-each`: one that adds to each of 10^6 elements; its floor is
                `loop-N-by-hand`, in which each node adds to its part and comes to a barrier.

                """);
        TEXTS.put(
                "queue-",
                """
                All nodes together perform tasks of 30 microseconds, each of which has a number.
                `queue-lock-N`: the next number is in migratory memory, under a lock.
                `queue-ship-N`: it is an object of the root's, and nodes call it; the floor of
                `queue-lock-N`. `queue-apart-N`: each node has its own numbers, and nothing is
                shared; the floor of `queue-ship-N`. Times are those of a round by its tasks.

                """);
        TEXTS.put(
                "profile",
                """
                Time on the processor per operation, all processes pinned to one: of the thread
                that waits, of its node's agent, and of the applications and agents of all other
                nodes, the kernel's part included. A median above the sum is time in which
                others had the processor, or nobody.

                """);
        TEXTS.put(
                "floors",
                """
                `handler-twin`: a store to a write-protected page whose twin is made in a
                signal handler. `-cold`: the same where the processor's own caches hold other
                things, as they do when agents and applications have run in between; no ratio
                is to it. `uffd-missing`, `uffd-write`: a load and a store that another process
                resolves. `protect-N-pages`, `drop-N-pages`: N neighbouring pages are protected
                against stores, and removed from a page table, in one call each. `unix-N`,
                `tcp-N`: 64 bytes there and N back between two
                processes in C; `netty-unix-A-B`: A bytes there and B back over channels as
                agents have them; `netty-star-N`: 64 bytes of everybody to a root, and of the
                root to everybody. The machine has slow and fast minutes, so floors are
                measured beside the operations that stand on them: those in C before them,
                behind them and once more, of which the one in the middle counts, those over
                channels right behind them. Here is the first of these times.

                """);
        TEXTS.put(
                "shipping",
                """
                All nodes take tasks from one queue and put them back: a queue that is an object
                of the root's and is called, and one in migratory shared memory under a lock.
                Times are those of a round by the tasks that all nodes together took.

                """);
        TEXTS.put(
                "start-",
                """
                `start-4-nodes`: from the start of the launcher until all nodes of `hello` have
                joined, as the run tells it, exact to a hundredth of a second. `jvms-5`: as many
                JVMs as four nodes and their agent have, started at once, until the last has
                printed its version and ended. The two by turns; of so few samples the slowest is
                the 99th percentile.

                """);
        TEXTS.put(
                "apps",
                """
                Shared memory (`dsm`) and message passing (`mp`), the same inner loops, in the
                same processes after a repetition to warm up. The two take turns, repetition
                by repetition. What waits cost is the average over nodes and all repetitions,
                in milliseconds.

                """);
        TEXTS.put(
                "switches",
                """
                Operations with an optimisation switched off and on, one run after the other, on
                one processor; programs unpinned, by turns.

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
