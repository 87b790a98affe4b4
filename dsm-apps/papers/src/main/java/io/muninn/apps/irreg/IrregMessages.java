package io.muninn.apps.irreg;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.Mode;
import io.muninn.apps.LoopSize;

/**
 * IRREG with messages. Every thread makes the mesh itself and has all values; after each step it
 * sends its own to all others, because every thread has neighbours of them.
 */
final class IrregMessages {
    private IrregMessages() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int points = IrregMesh.points(size.size());
        IrregMesh mesh = IrregMesh.filled(size.size());
        DoubleArray now = DoubleArray.local(points);
        DoubleArray next = DoubleArray.local(points);
        for (int point = 0; point < points; point++) {
            now.set(point, IrregMesh.value(point));
        }
        double change = 0;
        for (int step = 0; step < size.steps(); step++) {
            change = node.max(step(node, mesh, now, next));
            exchange(node, now);
        }
        return IrregSequential.results(now, change);
    }

    private static double step(DsmNode node, IrregMesh mesh, DoubleArray now, DoubleArray next) {
        Band mine = node.band(now.length());
        for (int point = mine.from(); point < mine.to(); point++) {
            mesh.relax(point, now, next);
        }
        node.work(mine.length() * IrregMesh.relaxUnits());
        double change = 0;
        for (int point = mine.from(); point < mine.to(); point++) {
            change = Math.max(change, IrregMesh.accept(point, now, next));
        }
        node.work(mine.length());
        return change;
    }

    private static void exchange(DsmNode node, DoubleArray now) {
        int self = node.position();
        int positions = node.positions();
        Band mine = node.band(now.length());
        for (int other = 0; other < positions && !mine.isEmpty(); other++) {
            if (other != self) {
                node.messages()
                        .send(
                                other / node.threads(),
                                self * positions + other,
                                now.segment(mine.from(), mine.to(), Mode.READ));
            }
        }
        for (int other = 0; other < positions; other++) {
            Band theirs = Band.of(now.length(), other, positions);
            if (other != self && !theirs.isEmpty()) {
                node.messages()
                        .receive(
                                other / node.threads(),
                                other * positions + self,
                                now.segment(theirs.from(), theirs.to(), Mode.WRITE));
            }
        }
    }
}
