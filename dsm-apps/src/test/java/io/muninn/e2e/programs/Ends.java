package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;

/** A program that ends in the way its first option says. */
public final class Ends implements DsmProgram {
    /** What node 0 finds in its standard input; others find none. */
    private static final int INPUT_BYTES = 1 << 17;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray words = LongArray.of(1 << 20);

    private final String way;

    public Ends(String[] options) {
        way = options[0];
        if (way.equals("construct")) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Override
    public void initialize(DsmNode root) {
        words.set(0, 1);
    }

    @Override
    public void run(DsmNode node) throws InterruptedException, IOException {
        boolean last = node.thread() == node.threads() - 1;
        switch (way) {
            case "right", "wrong" -> words.set(1 + node.thread(), 1);
            case "throw" -> {
                if (last) {
                    throw new IllegalStateException("on purpose");
                }
                node.barrier("nobody comes").await();
            }
            case "throw, and another computes on" -> {
                if (last) {
                    throw new IllegalStateException("on purpose");
                }
                new CountDownLatch(1).await(); // not ours to end
            }
            case "stray" ->
                    words.segment(0, 1, Mode.WRITE)
                            .reinterpret(2 * words.length() * Long.BYTES)
                            .set(ValueLayout.JAVA_LONG, words.length() * Long.BYTES + 80, 1);
            case "exit" -> System.exit(0);
            case "halt" -> {
                Thread halts = Thread.ofPlatform().unstarted(() -> Runtime.getRuntime().halt(9));
                Runtime.getRuntime().addShutdownHook(halts);
            }
            case "read" -> {
                int bytes = System.in.readAllBytes().length;
                if (bytes != (node.id() == 0 ? INPUT_BYTES : 0)) {
                    throw new IllegalStateException("read " + bytes + " bytes");
                }
            }
            default -> throw new IllegalArgumentException(way);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return way.equals("wrong") ? Verdict.wrong("on purpose") : Verdict.right("words are there");
    }
}
