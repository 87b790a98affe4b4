package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Message;
import io.muninn.api.Messages;
import io.muninn.api.Verdict;
import java.lang.foreign.ValueLayout;

/**
 * Threads of all other nodes send messages of many lengths, under one tag, to the threads of node
 * 0, which take them as they come. Each arrives whole and as it was sent; all together are more
 * than an agent's memory. Then every thread takes part in reductions, with a tag of its own; with
 * the tag of another thread of its node it may not.
 */
public final class LongMessages implements DsmProgram {
    private static final int ROUNDS_LIVE = 5;
    private static final int TAG = 3;
    private static final int REDUCTIONS = 10; // and the thread
    private static final int MEBIBYTE = 1 << 20;
    private static final int[] BYTES = {
        Messages.BYTES_MAX, 0, 1, MEBIBYTE, MEBIBYTE + 1, 3 * MEBIBYTE - 1, Messages.BYTES_MAX
    };

    private final int rounds;

    public LongMessages() {
        this(ROUNDS_LIVE);
    }

    public LongMessages(int rounds) {
        this.rounds = rounds;
    }

    @Override
    public void run(DsmNode node) {
        exchange(node);
        node.barrier("exchanged").await(); // a number that waits is in a long message's way
        int tag = REDUCTIONS + node.thread();
        for (int i = 0; i < rounds; i++) {
            reduce(node, tag);
        }
        node.barrier("reduced").await();
        if (node.threads() > 1) {
            int ofAnother = REDUCTIONS + (node.thread() + 1) % node.threads();
            try {
                node.messages().reduceLong(ofAnother, 1, Long::sum);
                throw new AssertionError("two threads of a node reduce with one tag");
            } catch (IllegalStateException expected) {
                reduce(node, tag);
            }
        }
    }

    private static void reduce(DsmNode node, int tag) {
        long sum = node.messages().reduceLong(tag, node.id() + 1, Long::sum);
        if (sum != node.nodes() * (node.nodes() + 1) / 2) {
            throw new IllegalStateException("the sum is " + sum);
        }
    }

    private void exchange(DsmNode node) {
        if (node.id() != 0) {
            for (int i = 0; i < rounds * BYTES.length; i++) {
                int bytes = BYTES[i % BYTES.length];
                byte[] content = new byte[bytes];
                for (int at = 0; at < bytes; at++) {
                    content[at] = pattern(node.id(), node.thread(), bytes, at);
                }
                node.messages().send(0, TAG, content);
            }
            return;
        }
        for (int i = 0; i < (node.nodes() - 1) * rounds * BYTES.length; i++) {
            check(node.messages().receive(Messages.ANY, TAG));
        }
    }

    private static byte pattern(int node, int thread, int bytes, int at) {
        return (byte) (31 * node + 17 * thread + bytes + at + (at >> 12));
    }

    /** The first byte says which thread it is from. */
    private static void check(Message message) {
        byte[] content = message.content().toArray(ValueLayout.JAVA_BYTE);
        if (content.length == 0) {
            return;
        }
        int offset = content[0] - pattern(message.node(), 0, content.length, 0);
        for (int at = 0; at < content.length; at++) {
            byte expected = (byte) (pattern(message.node(), 0, content.length, at) + offset);
            if (content[at] != expected) {
                throw new IllegalStateException(
                        "byte "
                                + at
                                + " of "
                                + content.length
                                + " is "
                                + content[at]
                                + ", not "
                                + expected);
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right("messages are whole");
    }
}
