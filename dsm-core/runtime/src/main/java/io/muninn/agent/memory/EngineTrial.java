package io.muninn.agent.memory;

import java.util.List;

/**
 * What came of trying one engine on this machine, one way; for people.
 *
 * @param engine its word, as in {@code uffd+event}
 * @param way how it came by what changes the access of pages
 * @param works whether every step passed that it needs
 * @param systemCallsWait whether a system call on a page that is elsewhere waits for it
 * @param steps in the order in which they were tried
 */
public record EngineTrial(
        String engine, String way, boolean works, boolean systemCallsWait, List<Step> steps) {
    /**
     * One step of it.
     *
     * @param what was tried
     * @param tried false if one before it failed
     * @param passed whether it gave what it should
     * @param result {@code ok}, {@code not tried}, or an errno
     * @param nanos how long it took
     * @param needs what would make it pass; empty if it passed, was not tried, or nothing is known
     */
    public record Step(
            String what, boolean tried, boolean passed, String result, long nanos, String needs) {}

    public EngineTrial {
        steps = List.copyOf(steps);
    }
}
