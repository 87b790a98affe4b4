package io.muninn.verify.mutate;

import java.util.BitSet;

/**
 * The lines of the kernel that a part of the trials reaches. Each copy of the classes has its own
 * set, and one thread.
 */
public final class Reach {
    private static BitSet lines = new BitSet();

    private Reach() {}

    /** Called by changed classes. */
    public static void hit(int line) {
        lines.set(line);
    }

    /** Returns the lines that were reached since the last call. */
    static BitSet take() {
        BitSet taken = lines;
        lines = new BitSet();
        return taken;
    }
}
