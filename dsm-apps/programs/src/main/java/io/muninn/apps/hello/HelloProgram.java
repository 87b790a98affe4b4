package io.muninn.apps.hello;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Messages;
import io.muninn.api.Shared;
import io.muninn.api.Statistics;
import io.muninn.api.Verdict;
import java.util.Locale;

/**
 * The root writes 42 to a shared word. Every other node reads it and prints the value, in order of
 * node.
 */
public final class HelloProgram implements DsmProgram {
    private static final long ANSWER = 42;
    private static final int TURN = 0;
    private static final int READ = 1;

    @Shared private final LongArray word = LongArray.of(1);

    /** Number of nodes that have read another value; counted on the root. */
    private int wrong;

    @Override
    public void run(DsmNode node) {
        if (node.position() == 0) {
            word.set(0, ANSWER);
            say("node 0  wrote " + ANSWER);
        }
        node.barrier("written").await();
        if (node.thread() == 0) {
            takeTurns(node);
        }
    }

    /** The root gives each node its turn and receives the value that it read. */
    private void takeTurns(DsmNode node) {
        Messages messages = node.messages();
        if (!node.isRoot()) {
            messages.receiveLong(0, TURN);
            messages.send(0, READ, readAndTell(node));
            return;
        }
        for (int other = 1; other < node.nodes(); other++) {
            messages.send(other, TURN, 0L);
            wrong += messages.receiveLong(other, READ) == ANSWER ? 0 : 1;
        }
    }

    private long readAndTell(DsmNode node) {
        Statistics before = node.statistics();
        long value = word.get(0);
        Statistics spent = node.statistics().since(before);
        say(
                String.format(
                        Locale.ROOT,
                        "node %d  read %d, with %d read fault%s and %d page%s fetched",
                        node.id(),
                        value,
                        spent.readFaults(),
                        spent.readFaults() == 1 ? "" : "s",
                        spent.pagesFetched(),
                        spent.pagesFetched() == 1 ? "" : "s"));
        return value;
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    @Override
    public Verdict verify(DsmNode root) {
        if (wrong > 0) {
            return Verdict.wrong(wrong + " nodes did not read " + ANSWER);
        }
        return word.get(0) == ANSWER
                ? Verdict.right("every node read " + ANSWER)
                : Verdict.wrong("the root reads " + word.get(0) + ", not " + ANSWER);
    }
}
