package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Shared;

/** Declares as many elements as it is told; nodes told otherwise must not meet. */
public final class DifferingLayouts implements DsmProgram {
    @Shared private final IntArray alpha = IntArray.of(8);
    @Shared private final IntArray beta;

    public DifferingLayouts(String[] options) {
        beta = IntArray.of(Integer.parseInt(options[0]));
    }

    @Override
    public void run(DsmNode node) {
        beta.set(0, alpha.get(0));
    }
}
