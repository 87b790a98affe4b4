package io.muninn.apps.barnes;

import io.muninn.api.DsmProgram;

/** The entry of the program whose threads insert bodies under locks. */
public final class BarnesRebuild extends BarnesEntry {
    @Override
    public String name() {
        return "barnes-rebuild";
    }

    @Override
    public String summary() {
        return "N bodies with an octree, built under locks of cells (Bilas et al., section 6.2)";
    }

    @Override
    DsmProgram shared(BarnesSize size) {
        return new BarnesShared(size, LockedBuilder::new);
    }
}
