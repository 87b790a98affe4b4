package io.muninn.nativefault;

/**
 * A change of access was refused because the application would have more mappings than {@link
 * EngineKind#MPROTECT_SIGNAL} allows its regions: half of {@code vm.max_map_count}. A JVM that
 * exceeds that count can neither allocate memory nor start a thread.
 */
public final class MappingLimitException extends NativeCallException {
    private static final long serialVersionUID = 1L;

    private final int most;

    MappingLimitException(String call, int most) {
        super(call, Errno.E2BIG);
        this.most = most;
    }

    /** Largest number of mappings for the regions. */
    public int most() {
        return most;
    }
}
