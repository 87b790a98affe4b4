package io.muninn.apps.mp3d;

import static io.muninn.apps.mp3d.Tunnel.COORDINATES;

import io.muninn.api.Band;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteInts;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.Structure;
import java.util.Arrays;

/**
 * The flow over shared memory. Each thread moves a band of particles. A particle that enters a cell
 * collides with the one that waits there, if any, or waits itself; a lock guards each cell and the
 * velocities of the particles that meet in it. After a barrier each thread empties a band of cells.
 *
 * <p>Structure. At first the lock of the global counts lies on their page, and a particle has nine
 * words. The lock is then separated; particles are padded to sixteen words, and the bands of
 * threads to whole pages; particles are sorted by their slow coordinate; cells become remote
 * variables.
 *
 * <p>With several threads, the particles that meet depend on the schedule. The verification is that
 * of what a flow keeps: number, momentum and energy of the particles, and the number of visits. On
 * one thread the whole flow must be that of the sequential program.
 *
 * <p>Source: Kontothanassis and Scott, sections 3, 4.1 and 4.3.
 */
final class Mp3dProgram implements DsmProgram {
    /** Simple operations to move a particle and to find its cell. */
    private static final int MOVE_UNITS = 60;

    /** Simple operations of a collision. */
    private static final int COLLISION_UNITS = 40;

    private static final int PLAIN_WORDS = 9;
    private static final int PADDED_WORDS = 16;

    /** Words of a cell: a cache line of the paper's machine. */
    private static final int CELL_WORDS = 8;

    /** The particle that waits, plus one; 0 if none does. */
    private static final int WAITING = 0;

    private static final int VISITS = 1;
    private static final int MOMENTUM = 2;
    private static final int CELL_USED = 5;

    private static final int PAGE = 4096 / Integer.BYTES;

    @Shared(Protocol.LAZY)
    private final IntArray particles;

    @Shared(Protocol.LAZY)
    private final IntArray cells = IntArray.of(Tunnel.cells() * CELL_WORDS);

    @Shared private final RemoteInts remoteCells = RemoteInts.of(Tunnel.cells() * CELL_WORDS);

    /** Collisions, then visits. */
    @Shared private final IntArray counts = IntArray.of(2);

    private final Tunnel tunnel;
    private final int steps;
    private final Structure structure;
    private final int words;

    Mp3dProgram(Tunnel tunnel, int steps, Structure structure) {
        this.tunnel = tunnel;
        this.steps = steps;
        this.structure = structure;
        words = structure.has(Structure.PADDED) ? PADDED_WORDS : PLAIN_WORDS;
        particles = IntArray.of(tunnel.particles() * words);
    }

    @Override
    public void initialize(DsmNode root) {
        int[] order = tunnel.order(structure.has(Structure.SORTED));
        for (int i = 0; i < order.length; i++) {
            particles.copyFrom(i * words, tunnel.placed(order[i]), 0, COORDINATES);
        }
    }

    /** The particles of a thread; padded ones fill its pages. */
    private Band band(DsmNode node) {
        if (!structure.has(Structure.PADDED)) {
            return Band.of(tunnel.particles(), node.position(), node.positions());
        }
        int ofPage = PAGE / PADDED_WORDS;
        int pages = Math.ceilDiv(tunnel.particles(), ofPage);
        Band mine = Band.of(pages, node.position(), node.positions());
        return new Band(
                Math.min(mine.from() * ofPage, tunnel.particles()),
                Math.min(mine.to() * ofPage, tunnel.particles()));
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier barrier = node.barrier("step");
        DsmLock lock = node.lock("counts");
        if (!structure.has(Structure.SEPARATED)) {
            lock.guards(counts, 0, 2);
        }
        Band mine = band(node);
        for (int step = 0; step < steps; step++) {
            int collisions = 0;
            for (int i = mine.from(); i < mine.to(); i++) {
                collisions += move(node, i, step) ? 1 : 0;
            }
            lock.lock();
            counts.set(0, counts.get(0) + collisions);
            lock.unlock();
            barrier.await();
            int visits = empty(Band.of(Tunnel.cells(), node.position(), node.positions()));
            lock.lock();
            counts.set(1, counts.get(1) + visits);
            lock.unlock();
            barrier.await();
        }
    }

    /** Moves a particle, and lets it meet another. Returns whether they have collided. */
    private boolean move(DsmNode node, int index, int step) {
        int[] own = new int[COORDINATES];
        particles.copyTo(index * words, own, 0, COORDINATES);
        Tunnel.move(own);
        particles.copyFrom(index * words, own, 0, 3);
        node.work(MOVE_UNITS);
        int cell = Tunnel.cell(own);
        DsmLock lock = node.lock("cell-" + cell);
        lock.lock();
        try {
            return meet(node, index, own, cell, step);
        } finally {
            lock.unlock();
        }
    }

    private boolean meet(DsmNode node, int index, int[] own, int cell, int step) {
        int[] state = new int[CELL_USED];
        load(cell, state);
        int waiting = state[WAITING] - 1;
        state[WAITING] = waiting < 0 ? index + 1 : 0;
        state[VISITS]++;
        for (int axis = 0; axis < 3; axis++) {
            state[MOMENTUM + axis] += own[3 + axis];
        }
        store(cell, state);
        if (waiting < 0) {
            return false;
        }
        int[] other = new int[COORDINATES];
        particles.copyTo(waiting * words, other, 0, COORDINATES);
        Tunnel.collide(own, other, step);
        particles.copyFrom(index * words + 3, own, 3, 3);
        particles.copyFrom(waiting * words + 3, other, 3, 3);
        node.work(COLLISION_UNITS);
        return true;
    }

    private void load(int cell, int[] state) {
        if (structure.has(Structure.REMOTE)) {
            remoteCells.get(cell * CELL_WORDS, state, 0, CELL_USED);
        } else {
            cells.copyTo(cell * CELL_WORDS, state, 0, CELL_USED);
        }
    }

    private void store(int cell, int[] state) {
        if (structure.has(Structure.REMOTE)) {
            remoteCells.set(cell * CELL_WORDS, state, 0, CELL_USED);
        } else {
            cells.copyFrom(cell * CELL_WORDS, state, 0, CELL_USED);
        }
    }

    /** Empties cells; returns how many particles have visited them. */
    private int empty(Band which) {
        int visits = 0;
        int[] state = new int[CELL_USED];
        int[] none = new int[CELL_USED];
        for (int cell = which.from(); cell < which.to(); cell++) {
            load(cell, state);
            visits += state[VISITS];
            store(cell, none);
        }
        return visits;
    }

    private int[][] all() {
        int[][] all = new int[tunnel.particles()][COORDINATES];
        for (int i = 0; i < all.length; i++) {
            particles.copyTo(i * words, all[i], 0, COORDINATES);
        }
        return all;
    }

    @Override
    public Verdict verify(DsmNode root) {
        int[][] all = all();
        Tunnel.Kept before = Tunnel.Kept.none();
        Tunnel.Kept after = Tunnel.Kept.none();
        for (int i = 0; i < all.length; i++) {
            before = before.plus(tunnel.placed(i));
            after = after.plus(all[i]);
        }
        long visits = (long) steps * tunnel.particles();
        if (!after.equalsKept(before)) {
            return Verdict.wrong("the flow has " + after.text() + ", not " + before.text());
        }
        if (counts.get(1) != visits) {
            return Verdict.wrong("cells had " + counts.get(1) + " visits, not " + visits);
        }
        if (root.positions() == 1) {
            return verifyAlone(all);
        }
        return Verdict.right(
                tunnel.particles()
                        + " particles keep their momentum and energy in "
                        + counts.get(0)
                        + " collisions");
    }

    private Verdict verifyAlone(int[][] all) {
        int[] order = tunnel.order(structure.has(Structure.SORTED));
        int[][] expected = sequential(tunnel, order, steps);
        for (int i = 0; i < all.length; i++) {
            if (!Arrays.equals(all[i], expected[i])) {
                return Verdict.wrong(
                        "particle "
                                + i
                                + " is "
                                + Arrays.toString(all[i])
                                + ", not "
                                + Arrays.toString(expected[i]));
            }
        }
        return Verdict.right(
                tunnel.particles()
                        + " particles are those of the sequential flow after "
                        + counts.get(0)
                        + " collisions");
    }

    /** The particles after some steps on one thread, without shared memory. */
    static int[][] sequential(Tunnel tunnel, int[] order, int steps) {
        int[][] all = Arrays.stream(order).mapToObj(tunnel::placed).toArray(int[][]::new);
        for (int step = 0; step < steps; step++) {
            int[] waiting = new int[Tunnel.cells()];
            for (int i = 0; i < all.length; i++) {
                Tunnel.move(all[i]);
                int cell = Tunnel.cell(all[i]);
                if (waiting[cell] == 0) {
                    waiting[cell] = i + 1;
                } else {
                    Tunnel.collide(all[i], all[waiting[cell] - 1], step);
                    waiting[cell] = 0;
                }
            }
        }
        return all;
    }
}
