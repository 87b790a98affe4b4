package io.muninn.kernel;

import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects effects and counts in order, so that a test can compare lists; and, separately, the
 * performed releases.
 */
public final class RecordingEffects implements Effects {
    private final List<Object> effects = new ArrayList<>();
    private final List<GatedRelease> performed = new ArrayList<>();
    private final List<GatedAcquire> acquired = new ArrayList<>();
    private final List<GatedAcquire> unsettled = new ArrayList<>();
    private final List<Long> collected = new ArrayList<>();
    private MappingId every = MappingId.FIRST;
    private MappingId process = MappingId.FIRST;
    private Runnable endOfInterval =
            () -> {
                throw new UnsupportedOperationException("no clock is here");
            };

    /** Sets the action at the end of an interval, for tests with a clock. */
    public void onEndOfInterval(Runnable action) {
        endOfInterval = action;
    }

    /** Sets the name of every process of the node, which is otherwise the first one. */
    public void every(MappingId name) {
        every = name;
    }

    /** From now on, events are those of a process. */
    public void process(MappingId of) {
        process = of;
    }

    @Override
    public void cameUnasked(PageId page) {}

    @Override
    public void endInterval() {
        endOfInterval.run();
    }

    @Override
    public void add(Effect effect) {
        effects.add(effect);
    }

    @Override
    public void count(NodeCounter counter, long amount) {
        effects.add(new Counted(counter, amount));
    }

    @Override
    public MappingId mapping() {
        return every;
    }

    @Override
    public MappingId process() {
        return process;
    }

    @Override
    public void releasePerformed(GatedRelease leaving) {
        performed.add(leaving);
    }

    @Override
    public void acquirePerformed(GatedAcquire acquire) {
        acquired.add(acquire);
        unsettled.add(acquire);
    }

    @Override
    public void collectPerformed(long number) {
        collected.add(number);
    }

    /** Removes and returns the numbers of the collections performed so far, in order. */
    public List<Long> takeCollected() {
        List<Long> taken = List.copyOf(collected);
        collected.clear();
        return taken;
    }

    /** Removes and returns the effects and the {@linkplain Counted counts} so far, in order. */
    public List<Object> take() {
        List<Object> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    /** Removes and returns the releases performed so far, in order. */
    public List<GatedRelease> takePerformed() {
        List<GatedRelease> taken = List.copyOf(performed);
        performed.clear();
        return taken;
    }

    /** Removes and returns the acquires performed so far, in order. */
    public List<GatedAcquire> takeAcquired() {
        List<GatedAcquire> taken = List.copyOf(acquired);
        acquired.clear();
        return taken;
    }

    /** Removes and returns the performed acquires that the clock has not processed. */
    public List<GatedAcquire> takeUnsettled() {
        List<GatedAcquire> taken = List.copyOf(unsettled);
        unsettled.clear();
        return taken;
    }
}
