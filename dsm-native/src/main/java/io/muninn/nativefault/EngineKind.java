package io.muninn.nativefault;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a node's application is trapped: what withdraws access, and where a fault goes first. */
public enum EngineKind {
    /**
     * userfaultfd, whose events the agent reads. A system call on a page of a region works, unless
     * the way to the userfaultfd was {@link Way#USER_MODE_ONLY}.
     */
    UFFD_EVENT("uffd+event"),
    /**
     * userfaultfd, and SIGBUS in the thread that faults: its handler makes the twin of a page that
     * it may store to after that, and asks the agent about all others. A system call on a page of a
     * region that is not mapped fails with {@code EFAULT} or is cut short.
     */
    UFFD_SIGNAL("uffd+signal"),
    /**
     * mprotect, done in the application by a task that is none of its threads, and SIGSEGV in the
     * thread that faults; handled as with {@link #UFFD_SIGNAL}. Needs no userfaultfd. The number of
     * neighbouring pages of different access is limited by {@code vm.max_map_count}.
     */
    MPROTECT_SIGNAL("mprotect+signal");

    private static final List<EngineKind> KINDS = List.of(values());

    private final String word;

    EngineKind(String word) {
        this.word = word;
    }

    /** As in {@code --engine}. */
    public String word() {
        return word;
    }

    /** The kind with this {@link #word}. */
    public static Optional<EngineKind> named(String word) {
        return KINDS.stream().filter(kind -> kind.word.equals(word)).findFirst();
    }

    /** For people: the words of all. */
    public static String names() {
        return Arrays.stream(values()).map(EngineKind::word).collect(Collectors.joining(", "));
    }

    /** Whether threads make twins in traps of their own, between the steps of their agent. */
    public boolean hasTraps() {
        return this != UFFD_EVENT;
    }

    /** How it may be come by; the first that works is the best. */
    public List<Way> ways() {
        return this == MPROTECT_SIGNAL ? List.of(Way.PROTECTOR) : Way.TO_USERFAULTFD;
    }

    /** {@code enum dsm_engine_kind}. */
    int code() {
        return KINDS.indexOf(this);
    }

    /** {@code enum dsm_engine_kind}. */
    static EngineKind of(int code) {
        return KINDS.get(code);
    }
}
