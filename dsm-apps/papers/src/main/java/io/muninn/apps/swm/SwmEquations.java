package io.muninn.apps.swm;

import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.NearEqual;
import io.muninn.apps.SameBits;
import java.util.function.DoubleBinaryOperator;

/**
 * The shallow water equations of SWM as the paper writes them: with means and slopes of whole
 * fields, of which each operation makes a new one. An element of a field and its neighbour in a
 * direction make an element of its mean and of its slope.
 *
 * <p>Source: Sadourny, "The Dynamics of Finite-Difference Models of the Shallow-Water Equations",
 * Journal of the Atmospheric Sciences 32, 1975: the scheme that conserves potential enstrophy.
 */
final class SwmEquations {
    /** Those of {@link SwmGrid}, written down once more. */
    private static final double SPACING = 100_000;

    private static final double FILTER = 0.001;
    private static final double STEP = 180;

    private static final double PRESSURE = 50_000; // for the size of rounding

    /** A neighbour. */
    private enum To {
        LEFT(0, -1),
        RIGHT(0, 1),
        ABOVE(-1, 0),
        BELOW(1, 0);

        private final int rows;
        private final int columns;

        To(int rows, int columns) {
            this.rows = rows;
            this.columns = columns;
        }
    }

    /** Values on a grid whose last row and column are followed by the first. */
    private record Field(int size, double[] values) {
        private Field with(DoubleBinaryOperator operator, Field other) {
            double[] result = new double[values.length];
            for (int i = 0; i < result.length; i++) {
                result[i] = operator.applyAsDouble(values[i], other.values[i]);
            }
            return new Field(size, result);
        }

        private Field with(DoubleBinaryOperator operator, To to) {
            double[] result = new double[values.length];
            for (int row = 0; row < size; row++) {
                int other = (row + to.rows + size) % size * size;
                for (int column = 0; column < size; column++) {
                    result[row * size + column] =
                            operator.applyAsDouble(
                                    values[row * size + column],
                                    values[other + (column + to.columns + size) % size]);
                }
            }
            return new Field(size, result);
        }

        Field mean(To to) {
            return with((here, there) -> 0.5 * (here + there), to);
        }

        Field slope(To to) {
            double per = (to.rows + to.columns) / SPACING;
            return with((here, there) -> (there - here) * per, to);
        }

        Field plus(Field other) {
            return with(Double::sum, other);
        }

        Field minus(Field other) {
            return with((mine, its) -> mine - its, other);
        }

        Field times(Field other) {
            return with((mine, its) -> mine * its, other);
        }

        Field over(Field other) {
            return with((mine, its) -> mine / its, other);
        }

        Field times(double factor) {
            return with((mine, _) -> factor * mine, this);
        }
    }

    /** Velocities and pressure at a moment, or how fast they change. */
    private record State(Field u, Field v, Field p) {
        State plus(double factor, State other) {
            return new State(
                    u.plus(other.u.times(factor)),
                    v.plus(other.v.times(factor)),
                    p.plus(other.p.times(factor)));
        }

        State change() {
            Field flowU = p.mean(To.LEFT).times(u);
            Field flowV = p.mean(To.ABOVE).times(v);
            Field turn = v.slope(To.LEFT).minus(u.slope(To.ABOVE));
            Field vorticity = turn.over(p.mean(To.LEFT).mean(To.ABOVE));
            Field squares = u.times(u).mean(To.RIGHT).plus(v.times(v).mean(To.BELOW));
            Field energy = p.plus(squares.times(0.5));
            Field turnedU = vorticity.mean(To.BELOW).times(flowV.mean(To.BELOW).mean(To.LEFT));
            Field turnedV = vorticity.mean(To.RIGHT).times(flowU.mean(To.RIGHT).mean(To.ABOVE));
            return new State(
                    turnedU.minus(energy.slope(To.LEFT)),
                    turnedV.plus(energy.slope(To.ABOVE)).times(-1),
                    flowU.slope(To.RIGHT).plus(flowV.slope(To.BELOW)).times(-1));
        }
    }

    private SwmEquations() {}

    /**
     * @param fields velocities and pressure after the steps
     */
    static Verdict verify(LoopSize size, double[] fields) {
        SwmGrid first = SwmGrid.filled(size.size(), size.size(), 0);
        State now =
                new State(
                        new Field(size.size(), SameBits.of(first.u())),
                        new Field(size.size(), SameBits.of(first.v())),
                        new Field(size.size(), SameBits.of(first.p())));
        State old = now;
        for (int step = 0; step < size.steps(); step++) {
            State next = old.plus(step == 0 ? STEP / 2 : STEP, now.change());
            State bend = next.plus(-2, now).plus(1, old);
            old = now.plus(FILTER, bend);
            now = next;
        }
        int each = size.size() * size.size();
        Verdict u = NearEqual.verdict("velocity u", fields, 0, now.u.values, 1);
        Verdict v = NearEqual.verdict("velocity v", fields, each, now.v.values, 1);
        Verdict p = NearEqual.verdict("pressure", fields, 2 * each, now.p.values, PRESSURE);
        return !u.right() ? u : !v.right() ? v : p;
    }
}
