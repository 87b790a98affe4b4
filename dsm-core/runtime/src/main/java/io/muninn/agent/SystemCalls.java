package io.muninn.agent;

import io.muninn.nativefault.SystemCall;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * The system calls that a node needs and that the system refuses, tried before anything relies on
 * them.
 *
 * @param refused the errno of each
 */
public record SystemCalls(Map<SystemCall, Integer> refused) {
    /** Tries every {@link SystemCall} in this process. */
    public static SystemCalls attempt() {
        return attempt(SystemCall::attempt);
    }

    /**
     * Tries every {@link SystemCall}.
     *
     * @param errno the result of each: 0 if it works
     */
    public static SystemCalls attempt(ToIntFunction<SystemCall> errno) {
        Map<SystemCall, Integer> refused = new TreeMap<>();
        for (SystemCall call : SystemCall.values()) {
            int result = errno.applyAsInt(call);
            if (result != 0) {
                refused.put(call, result);
            }
        }
        return new SystemCalls(Collections.unmodifiableMap(refused));
    }

    public boolean isComplete() {
        return refused.isEmpty();
    }

    /** Each refused call with its errno, as in {@code timerfd_create EPERM (1)}. */
    public String text() {
        return refused.entrySet().stream()
                .map(each -> each.getKey().word() + " " + SystemCall.errnoText(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** The remedy, as text for the user. */
    public String needs() {
        return refused.values().stream().anyMatch(SystemCall::lacksFiles)
                ? "more open files: raise 'ulimit -n'"
                : "a filter of system calls that lets them through: the seccomp profile of the"
                        + " container, or SystemCallFilter of the service";
    }
}
