package io.muninn.e2e.programs;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Verdict;

/** Allocations that cannot be had leave the run as it was; with {@code --memory 16m}. */
public final class WrongAllocations implements DsmProgram {
    @Override
    public void initialize(DsmNode root) {
        try {
            root.allocate("early", LongArray.of(1), Protocol.CONVENTIONAL);
            throw new AssertionError("allocated during initialization");
        } catch (IllegalStateException expected) {
            say(root, expected);
        }
    }

    @Override
    public void run(DsmNode node) {
        refused(node, "large", 1 << 24);
        LongArray words = node.allocate("words", LongArray.of(64), Protocol.WRITE_SHARED);
        refused(node, "words", 64);
        words.set(node.id(), 1);
        node.barrier("stored").await();
        for (int i = 0; i < node.nodes(); i++) {
            if (words.get(i) != 1) {
                throw new IllegalStateException("word " + i + " is " + words.get(i));
            }
        }
        differ(node);
    }

    private static void refused(DsmNode node, String name, int length) {
        try {
            node.allocate(name, LongArray.of(length), Protocol.WRITE_SHARED);
            throw new AssertionError("allocated " + name);
        } catch (IllegalArgumentException expected) {
            say(node, expected);
        }
    }

    private static void differ(DsmNode node) {
        try {
            node.allocate("of node " + node.id(), LongArray.of(1), Protocol.WRITE_SHARED);
            throw new AssertionError("allocated differently");
        } catch (DsmException expected) {
            say(node, expected);
        }
    }

    private static void say(DsmNode node, RuntimeException expected) {
        if (node.id() == 0 && node.thread() == 0) {
            System.out.println("refused: " + expected.getMessage());
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right("nothing is left of them");
    }
}
