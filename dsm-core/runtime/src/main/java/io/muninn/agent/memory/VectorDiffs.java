package io.muninn.agent.memory;

import io.muninn.agent.AgentConfig;
import io.muninn.nativefault.VectorDiff;

/** Which kernels this machine can run to compare pages with their twins; for the command line. */
public final class VectorDiffs {
    private VectorDiffs() {}

    /** For people: the one that is taken unless another is asked for, and all there are. */
    public static String text() {
        return VectorDiff.best().word() + " (of " + VectorDiff.namesHere() + ")";
    }

    /**
     * Checks a word of {@link AgentConfig#diffKernel}.
     *
     * @throws IllegalArgumentException whose text is for the user
     */
    public static void check(String word) {
        if (VectorDiff.named(word).isEmpty()) {
            throw new IllegalArgumentException(
                    "--diff-kernel " + word + ": this machine can run " + VectorDiff.namesHere());
        }
    }
}
