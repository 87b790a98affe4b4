package io.muninn.apps.dot;

import static io.muninn.api.None.NONE;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.Loop;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.ReducingLoops;

/** DOT as a parallel loop. The barrier at the end of the loop carries the sum. */
final class DotLoops extends ReducingLoops {
    @Shared(Protocol.LAZY)
    private final DoubleArray x;

    @Shared(Protocol.LAZY)
    private final DoubleArray z;

    private final Loop<None, None> fill;
    private final Loop<None, Double> product;

    private final LoopSize size;
    private final double[] products;

    DotLoops(LoopSize size) {
        super(size, Double::sum, 0);
        this.size = size;
        x = DoubleArray.of(size.size());
        z = DoubleArray.of(size.size());
        products = new double[size.steps()];
        DotVectors vectors = new DotVectors(x, z);
        fill = Loop.each(i -> vectors.fill(i));
        product = Loop.sum(i -> vectors.product(i)).charging(1);
    }

    @Override
    protected Loop<None, Double> reducing() {
        return product;
    }

    @Override
    protected void steps(Team team) {
        team.forEach(size.all(), size.schedule(), fill, NONE);
        for (int step = 0; step < size.steps(); step++) {
            products[step] = team.reduce(size.all(), size.schedule(), product, NONE);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return DotSequential.verify(size, products);
    }
}
