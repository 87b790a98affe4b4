package io.muninn.node;

import io.muninn.protocol.Effect;
import io.muninn.protocol.Effects;
import io.muninn.protocol.Leaving;
import java.util.ArrayList;
import java.util.List;

/** Collects effects, so that a test can compare lists; and what was released, apart from them. */
public final class RecordingEffects implements Effects {
    private final List<Effect> effects = new ArrayList<>();
    private final List<Leaving> performed = new ArrayList<>();

    @Override
    public void add(Effect effect) {
        effects.add(effect);
    }

    @Override
    public void releasePerformed(Leaving leaving) {
        performed.add(leaving);
    }

    /** Removes and returns the effects so far, in order. */
    public List<Effect> take() {
        List<Effect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    /** Removes and returns the releases performed so far, in order. */
    public List<Leaving> takePerformed() {
        List<Leaving> taken = List.copyOf(performed);
        performed.clear();
        return taken;
    }
}
