package io.muninn.nativefault;

/**
 * A change of access was refused: with it the application would have more mappings than {@link
 * EngineKind#MPROTECT_SIGNAL} gives its regions, which is half of {@code vm.max_map_count}. Beyond
 * that limit a JVM could allocate no memory and start no thread.
 */
public final class MappingLimitException extends NativeCallException {
    private static final long serialVersionUID = 1L;

    private final int most;

    MappingLimitException(String call, int most) {
        super(call, Errno.E2BIG);
        this.most = most;
    }

    /** How many there may be for the regions. */
    public int most() {
        return most;
    }
}
