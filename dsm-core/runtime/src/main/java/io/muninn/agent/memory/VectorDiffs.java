package io.muninn.agent.memory;

import io.muninn.nativefault.VectorDiff;

/** Names the kernels that compare pages with their twins and run on this machine. */
public final class VectorDiffs {
    private VectorDiffs() {}

    /** Returns the name of the default kernel and of all kernels, for messages. */
    public static String text() {
        return VectorDiff.best().word() + " (of " + VectorDiff.namesHere() + ")";
    }

    /**
     * Checks the name of a kernel.
     *
     * @throws IllegalArgumentException if this machine cannot run it; the text is for the user
     */
    public static void check(String word) {
        if (VectorDiff.named(word).isEmpty()) {
            throw new IllegalArgumentException(
                    "--diff-kernel " + word + ": this machine can run " + VectorDiff.namesHere());
        }
    }
}
