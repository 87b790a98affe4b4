package io.muninn.apps.dot;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.apps.LoopSize;

/** DOT with messages: each thread has its part of the vectors in private memory. */
final class DotMessages {
    private DotMessages() {}

    static double[] solve(LoopSize size, DsmNode node) {
        Band band = node.band(size.size());
        int room = Math.max(1, band.length());
        DotVectors mine = new DotVectors(DoubleArray.local(room), DoubleArray.local(room));
        for (int i = 0; i < band.length(); i++) {
            mine.x().set(i, DotVectors.xAt(band.from() + i));
            mine.z().set(i, DotVectors.zAt(band.from() + i));
        }
        double[] products = new double[size.steps()];
        for (int step = 0; step < size.steps(); step++) {
            double sum = 0;
            for (int i = 0; i < band.length(); i++) {
                sum += mine.product(i);
            }
            node.work(band.length());
            products[step] = node.sum(sum);
        }
        return products;
    }
}
