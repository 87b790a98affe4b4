package io.muninn.agent;

import io.muninn.nativefault.DiffKernel;

/** Which kernels this machine can run to compare pages with their twins; for the command line. */
public final class DiffKernels {
    private DiffKernels() {}

    /** For people: the one that is taken unless another is asked for, and all there are. */
    public static String text() {
        return DiffKernel.best().word() + " (of " + DiffKernel.namesHere() + ")";
    }

    /**
     * Checks a word of {@link AgentConfig#diffKernel}.
     *
     * @throws IllegalArgumentException whose text is for the user
     */
    public static void check(String word) {
        if (DiffKernel.named(word).isEmpty()) {
            throw new IllegalArgumentException(
                    "--diff-kernel " + word + ": this machine can run " + DiffKernel.namesHere());
        }
    }
}
