package io.muninn.apps.barnes;

import io.muninn.api.DsmProgram;

/** The entry of the program whose threads build separate subtrees. */
public final class BarnesSpace extends BarnesEntry {
    @Override
    public String name() {
        return "barnes-space";
    }

    @Override
    public String summary() {
        return "N bodies with an octree, built by subspaces, no locks (Bilas et al., section 6.2)";
    }

    @Override
    DsmProgram shared(BarnesSize size) {
        return new BarnesShared(size, (node, tree) -> new SpaceBuilder(size.bodies(), node, tree));
    }
}
