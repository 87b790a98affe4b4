package io.muninn.nativefault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What compares pages with their twins: one per set of vector instructions, all alike in result.
 */
public enum VectorDiff {
    /** Whatever the compiler makes of vectors of 16 bytes. */
    PORTABLE,
    AVX2,
    /** AVX-512, of which F and BW are needed. */
    AVX512,
    NEON;

    private static final List<VectorDiff> KERNELS = List.of(values());
    private static final String AUTO = "auto";

    /** Whether this machine can run it. */
    public boolean runsHere() {
        return NativeCallException.checked("dsm_kernel_runs", FaultLibrary.dsm_kernel_runs(code()))
                == 1;
    }

    /** The fastest that this machine can run. */
    public static VectorDiff best() {
        return KERNELS.get(FaultLibrary.dsm_kernel_best());
    }

    /**
     * The kernel with this {@link #word}; the best for {@code auto}.
     *
     * @return empty if there is none, or it does not run here
     */
    public static Optional<VectorDiff> named(String word) {
        if (word.equals(AUTO)) {
            return Optional.of(best());
        }
        return KERNELS.stream()
                .filter(kernel -> kernel.word().equals(word) && kernel.runsHere())
                .findFirst();
    }

    /** For people: the words of those that run here. */
    public static String namesHere() {
        return Arrays.stream(values())
                .filter(VectorDiff::runsHere)
                .map(VectorDiff::word)
                .collect(Collectors.joining(", "));
    }

    /** As in {@code --diff-kernel}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@code enum dsm_kernel}. */
    int code() {
        return KERNELS.indexOf(this);
    }
}
