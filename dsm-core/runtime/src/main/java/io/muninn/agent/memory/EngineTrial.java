package io.muninn.agent.memory;

import java.util.List;

/**
 * The result of a trial of one engine on this machine, opened in one way.
 *
 * @param engine its name, as in {@code uffd+event}
 * @param way how its userfaultfd, or the task in its place, was opened
 * @param works whether every step that it needs passed
 * @param systemCallsWait whether a system call on an absent page waits for the page
 * @param steps in the order in which they were tried
 */
public record EngineTrial(
        String engine, String way, boolean works, boolean systemCallsWait, List<Step> steps) {
    /**
     * One step of the trial.
     *
     * @param what the step, in words
     * @param tried false if an earlier step failed
     * @param passed whether the result was as expected
     * @param result {@code ok}, {@code not tried}, or an errno
     * @param nanos its duration
     * @param needs a remedy; empty if it passed, was not tried, or if none is known
     */
    public record Step(
            String what, boolean tried, boolean passed, String result, long nanos, String needs) {}

    public EngineTrial {
        steps = List.copyOf(steps);
    }
}
