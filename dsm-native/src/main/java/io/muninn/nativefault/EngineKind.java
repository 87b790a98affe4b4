package io.muninn.nativefault;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a node's application is trapped: the mechanism that withdraws access, and the first receiver
 * of a fault.
 */
public enum EngineKind {
    /**
     * userfaultfd, whose events the agent reads. System calls on pages of a region work, unless the
     * userfaultfd was opened {@link Way#USER_MODE_ONLY}.
     */
    UFFD_EVENT("uffd+event", 0),
    /**
     * userfaultfd, with SIGBUS in the faulting thread. Its handler makes the twin of an offered
     * page and lets the thread store to it, or copies an offered page from the pool; all other
     * faults are sent to the agent. A system call on a page of a region that is not mapped fails
     * with {@code EFAULT} or is cut short.
     */
    UFFD_SIGNAL("uffd+signal", 7),
    /**
     * mprotect, called in the application by a task that is not one of its threads, with SIGSEGV in
     * the faulting thread, handled as with {@link #UFFD_SIGNAL}. Needs no userfaultfd. The number
     * of neighbouring pages of different access is limited by {@code vm.max_map_count}.
     */
    MPROTECT_SIGNAL("mprotect+signal", 11);

    private static final List<EngineKind> KINDS = List.of(values());

    private final String word;
    private final int signal; // SIGBUS or SIGSEGV; 0 without signals

    EngineKind(String word, int signal) {
        this.word = word;
        this.signal = signal;
    }

    /** The name as in {@code --engine}. */
    public String word() {
        return word;
    }

    /** Returns the kind with this {@link #word}. */
    public static Optional<EngineKind> named(String word) {
        return KINDS.stream().filter(kind -> kind.word.equals(word)).findFirst();
    }

    /** The names of all kinds, as text for the user. */
    public static String names() {
        return Arrays.stream(values()).map(EngineKind::word).collect(Collectors.joining(", "));
    }

    /** True if threads make twins in their own traps, concurrently with their agent. */
    public boolean hasTraps() {
        return this != UFFD_EVENT;
    }

    /** True if threads are trapped by this signal, given by its number. */
    public boolean isTrappedBy(int number) {
        return hasTraps() && number == signal;
    }

    /**
     * True if {@link FaultEngine#withdraw} is one request, regardless of the number of pages, and
     * copies nothing.
     */
    public boolean withdrawsRunsAtOnce() {
        return this == MPROTECT_SIGNAL;
    }

    /** The ways to set the engine up, best first. */
    public List<Way> ways() {
        return this == MPROTECT_SIGNAL ? List.of(Way.PROTECTOR) : Way.TO_USERFAULTFD;
    }

    /** The value of {@code enum dsm_engine_kind}. */
    int code() {
        return KINDS.indexOf(this);
    }

    /** The kind of a value of {@code enum dsm_engine_kind}. */
    static EngineKind of(int code) {
        return KINDS.get(code);
    }
}
