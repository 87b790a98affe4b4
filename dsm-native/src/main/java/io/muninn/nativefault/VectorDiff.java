package io.muninn.nativefault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The kernels that compare pages with their twins: one per set of vector instructions, all with the
 * same results.
 */
public enum VectorDiff {
    /** Vectors of 16 bytes, compiled for the baseline instruction set. */
    PORTABLE,
    AVX2,
    /** AVX-512; needs F and BW. */
    AVX512,
    NEON;

    private static final List<VectorDiff> KERNELS = List.of(values());
    private static final String AUTO = "auto";

    /** True if this machine can run it. */
    public boolean runsHere() {
        return NativeCallException.checked("dsm_kernel_runs", FaultLibrary.dsm_kernel_runs(code()))
                == 1;
    }

    /** The fastest kernel that this machine can run. */
    public static VectorDiff best() {
        return KERNELS.get(FaultLibrary.dsm_kernel_best());
    }

    /**
     * Returns the kernel with this {@link #word}; for {@code auto} the best.
     *
     * @return empty if there is none, or this machine cannot run it
     */
    public static Optional<VectorDiff> named(String word) {
        if (word.equals(AUTO)) {
            return Optional.of(best());
        }
        return KERNELS.stream()
                .filter(kernel -> kernel.word().equals(word) && kernel.runsHere())
                .findFirst();
    }

    /** The names of the kernels that this machine can run, as text for the user. */
    public static String namesHere() {
        return Arrays.stream(values())
                .filter(VectorDiff::runsHere)
                .map(VectorDiff::word)
                .collect(Collectors.joining(", "));
    }

    /** The name as in {@code --diff-kernel}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The value of {@code enum dsm_kernel}. */
    int code() {
        return KERNELS.indexOf(this);
    }
}
