package io.muninn.apps.irreg;

import static io.muninn.api.None.NONE;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.IntArray;
import io.muninn.api.Loop;
import io.muninn.api.None;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Team;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.ReducingLoops;

/** IRREG as parallel loops. The mesh is made by one thread, and only read afterwards. */
final class IrregLoops extends ReducingLoops {
    @Shared(Protocol.READ_ONLY)
    private final IntArray starts;

    @Shared(Protocol.READ_ONLY)
    private final IntArray neighbours;

    @Shared(Protocol.LAZY)
    private final DoubleArray now;

    @Shared(Protocol.LAZY)
    private final DoubleArray next;

    private final Loop<None, None> fill;
    private final Loop<None, None> relax;
    private final Loop<None, Double> accept;

    private final LoopSize size;
    private double change;

    IrregLoops(LoopSize size) {
        super(size, Math::max, Double.NEGATIVE_INFINITY);
        this.size = size;
        int points = IrregMesh.points(size.size());
        starts = IntArray.of(points + 1);
        neighbours = IntArray.of(2 * size.size());
        now = DoubleArray.of(points);
        next = DoubleArray.of(points);
        IrregMesh mesh = new IrregMesh(starts, neighbours);
        fill = Loop.each(point -> now.set(point, IrregMesh.value(point)));
        relax = Loop.each(point -> mesh.relax(point, now, next)).charging(IrregMesh.relaxUnits());
        accept = Loop.max(point -> IrregMesh.accept(point, now, next)).charging(1);
    }

    @Override
    public void initialize(DsmNode root) {
        new IrregMesh(starts, neighbours).fill(size.size());
    }

    @Override
    protected Loop<None, Double> reducing() {
        return accept;
    }

    @Override
    protected void steps(Team team) {
        Band points = new Band(0, now.length());
        team.forEach(points, size.schedule(), fill, NONE);
        for (int step = 0; step < size.steps(); step++) {
            team.forEach(points, size.schedule(), relax, NONE);
            change = team.reduce(points, size.schedule(), accept, NONE);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return IrregSequential.verify(size, root, IrregSequential.results(now, change));
    }
}
