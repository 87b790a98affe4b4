package io.muninn.nativefault;

import java.util.List;

/** How a process obtains the means to change the access of its pages. */
public enum Way {
    /** {@code /dev/userfaultfd}: works for processes that may read and write the device. */
    DEVICE(
            "/dev/userfaultfd",
            "read and write permission on it (in a container: --device /dev/userfaultfd)"),
    /** The system call, also for accesses by the kernel: system calls on regions work. */
    SYSTEM_CALL(
            "the system call userfaultfd",
            "root, CAP_SYS_PTRACE or sysctl vm.unprivileged_userfaultfd=1, and a seccomp profile"
                    + " that lets it through"),
    /**
     * The system call, for accesses from user mode only. A system call on a page of a region that
     * is not mapped fails with {@code EFAULT} or is cut short.
     */
    USER_MODE_ONLY(
            "the system call userfaultfd, user mode only",
            "a seccomp profile that lets it through (container profiles usually do not)"),
    /** mprotect, by a task that shares the application's memory but is not one of its threads. */
    PROTECTOR(
            "a task beside the application's threads",
            "a seccomp profile that lets clone with CLONE_VM through, and one process more");

    /** The ways to a userfaultfd, in the order in which they are tried. */
    static final List<Way> TO_USERFAULTFD = List.of(DEVICE, SYSTEM_CALL, USER_MODE_ONLY);

    private static final List<Way> WAYS = List.of(values());

    private final String text;
    private final String remedy;

    Way(String text, String remedy) {
        this.text = text;
        this.remedy = remedy;
    }

    /** The way, as text for the user. */
    public String text() {
        return text;
    }

    /** The remedy that would permit it, as text for the user. */
    String remedy() {
        return remedy;
    }

    /** The way of a value of {@code enum dsm_way}. */
    static Way of(int code) {
        return WAYS.get(code);
    }
}
