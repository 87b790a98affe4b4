package io.muninn.coherence.writeshared;

import io.muninn.coherence.shared.DirtyStreak;
import io.muninn.coherence.writeshared.WriteShared.State;
import io.muninn.directory.DirectoryEntry;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;

/**
 * Selects the write-shared pages of a node that keep their twins, and for how long.
 *
 * <p>A page that is written in every interval costs a fault in each if its release protects it, and
 * a comparison if it does not. So a page that was dirty in several consecutive intervals is hot: it
 * stays in the delayed update queue, every release compares it while threads store to it, and its
 * twin becomes the compared content. A page that is found unchanged several times in a row is
 * protected, compared once more, and clean.
 *
 * <p>Source: ours; {@link io.muninn.spi.AdaptiveTwinRules} has the numbers.
 */
final class AdaptiveTwins {
    /**
     * Largest number of hot pages: their twins take memory, and every release processes all of
     * them.
     */
    static final int PAGES_MAX = 1 << 14;

    private final Context context;
    private int count;

    AdaptiveTwins(Context context) {
        this.context = context;
    }

    /** The state of a page with a twin before its comparison: hot, or clean and protected. */
    State afterRelease(DirectoryEntry<State> entry, long interval, Effects out) {
        out.pageEvent(entry.page(), "release");
        return switch (entry.state()) {
            case State.Dirty(DirtyStreak before) -> {
                DirtyStreak heat = before.dirtyIn(interval);
                yield heat.isHot(context.twins()) && count < PAGES_MAX
                        ? heated(out)
                        : new State.Clean(context.nowNanos(), heat);
            }
            case State.Hot hot -> hot.unchanged() < context.twins().coldAfter() ? hot : cooled(out);
            case State.Absent(),
                    State.Deferred _,
                    State.Ahead _,
                    State.Fetching _,
                    State.Clean _,
                    State.Withdrawn _,
                    State.Exclusive(),
                    State.Idle() ->
                    throw new ProtocolViolation(entry, "release");
        };
    }

    private State heated(Effects out) {
        count++;
        out.count(NodeCounter.PAGES_HEATED);
        return State.Hot.CHANGED;
    }

    private State cooled(Effects out) {
        count--;
        out.count(NodeCounter.PAGES_COOLED);
        return new State.Clean(context.nowNanos(), DirtyStreak.NONE);
    }

    /** The state of a page that was compared and has kept its twin. */
    State afterKept(DirectoryEntry<State> entry, Event.DiffSaved saved, Effects out) {
        return switch (entry.state()) {
            case State.Hot(int unchanged, _) -> {
                out.count(NodeCounter.TWINS_KEPT);
                yield saved.granules() == 0
                        ? new State.Hot(unchanged + 1, State.Hot.NEVER)
                        : State.Hot.CHANGED;
            }
            case State.Clean(_, DirtyStreak heat) ->
                    new State.Dirty(heat); // it could not be protected
            case State.Absent(),
                    State.Deferred _,
                    State.Ahead _,
                    State.Fetching _,
                    State.Withdrawn _,
                    State.Dirty _,
                    State.Exclusive(),
                    State.Idle() ->
                    throw new ProtocolViolation(entry, saved);
        };
    }

    /**
     * Records that a page that was compared loses its twin: it is clean, or no other node holds it.
     */
    void onTwinDropped(DirectoryEntry<State> entry, Event.DiffSaved saved) {
        if (entry.state() instanceof State.Hot) {
            ProtocolViolation.check(saved.kept(), entry, saved);
            count--;
        }
    }

    /**
     * Processes an update of a hot page. On a node without releases it would stay hot for ever,
     * used or not: so it becomes cold if no release has processed it for the window.
     *
     * @return true if it must be compared at once
     */
    boolean onUpdate(DirectoryEntry<State> entry, State.Hot hot) {
        long nowNanos = context.nowNanos();
        if (!context.updates().timesOut()) {
            return false;
        } else if (hot.updatedNanos() == State.Hot.NEVER) {
            entry.become(new State.Hot(hot.unchanged(), nowNanos));
            return false;
        } else if (nowNanos - hot.updatedNanos() < context.updates().timeoutNanos()) {
            return false;
        }
        entry.become(new State.Hot(context.twins().coldAfter(), hot.updatedNanos()));
        return true;
    }
}
