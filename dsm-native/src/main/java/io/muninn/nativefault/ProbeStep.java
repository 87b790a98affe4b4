package io.muninn.nativefault;

import java.util.List;

/** The steps of an {@link EngineProbe}, in this order; each needs the steps before it. */
public enum ProbeStep {
    MEMORY(
            "memory of two processes",
            "memory files (sysctl vm.memfd_noexec below 2) and a process more"),
    /** The {@link Way} gives the remedy. */
    OPEN("userfaultfd", "a task beside the threads", ""),
    FEATURES("its features", "it acts while they are stopped", "Linux 6.6 or newer"),
    REGISTER(
            "pages registered",
            "it gives and takes access",
            "Linux 6.6 or newer, with userfaultfd for shared memory"),
    MISSING("a load waits for its page", ""),
    WRITE_PROTECT("a store waits for its turn", ""),
    PUNCH_HOLE("a page is taken and given again", ""),
    /** A system call on memory of a region; an engine works without it too. */
    SYSTEM_CALL(
            "a system call waits for its page",
            "uffd+event, by the device or as root; or writeTo and readFrom of the views"),
    POISON("a page is ended for good", "");

    private static final List<ProbeStep> STEPS = List.of(values());

    private final String text;
    private final String textOfMprotect;
    private final String remedy;

    ProbeStep(String text, String remedy) {
        this(text, text, remedy);
    }

    ProbeStep(String text, String textOfMprotect, String remedy) {
        this.text = text;
        this.textOfMprotect = textOfMprotect;
        this.remedy = remedy;
    }

    /** The step of this engine, as text for the user. */
    public String text(EngineKind kind) {
        return kind == EngineKind.MPROTECT_SIGNAL ? textOfMprotect : text;
    }

    /** The remedy for this engine, as text for the user; empty if none is known. */
    String remedy(EngineKind kind) {
        boolean ofUserfaultfd = this == FEATURES || this == REGISTER;
        return ofUserfaultfd && kind == EngineKind.MPROTECT_SIGNAL ? "" : remedy;
    }

    /** The step of a value of {@code enum dsm_probe_step_id}. */
    static ProbeStep of(int code) {
        return STEPS.get(code);
    }
}
