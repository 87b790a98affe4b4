package io.muninn.e2e.programs;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Shared;

/** Loads one element behind the end. */
public final class OutOfBounds implements DsmProgram {
    @Shared private final DoubleArray values = DoubleArray.of(100);

    @Override
    public void run(DsmNode node) {
        System.out.println(values.get(100));
    }
}
