package io.muninn.apps.cg;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;

/**
 * The common part of all versions of CG: one thread's rows of the vectors, and the two phases of an
 * iteration.
 *
 * <p>In the first phase every thread multiplies its rows with the whole direction, and stores its
 * parts of the dot products to its slot. In the second phase it adds the slots of all threads in
 * order of position, so that all threads compute the same bits, and updates its rows of solution,
 * residual and direction. The second phase needs all slots, and the first phase of the next
 * iteration needs the whole direction. So an iteration has two synchronizations.
 *
 * <p>The textbook iteration has three, because the new direction depends on the square of the new
 * residual, which is another sum. Here the square is predicted. With direction p, its image q = Ap
 * and residual r, the new residual is r - aq with a = rr / pq. As rq = pq, its square is a²·qq -
 * rr. The prediction determines only the direction. The square itself is computed with the sums of
 * the next iteration, so rounding errors of predictions do not accumulate.
 *
 * <p>Source: Hestenes and Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems",
 * 1952; the prediction: Meurant, "Multitasking the Conjugate Gradient Method on the CRAY X-MP/48",
 * 1987.
 *
 * <p><b>Threads.</b> One.
 */
final class CgBand {
    /** Elements of a slot: pq, qq and rr. */
    static final int SLOT = 3;

    /** Simple operations for an element in each phase, without the matrix product. */
    private static final int VECTOR_UNITS = 6;

    private final Band band;
    private final int position;
    private final DoubleArray solution;
    private final DoubleArray residual;
    private final DoubleArray image;
    private double residualSquare;

    CgBand(CgSize size, int position, int positions) {
        this.band = size.band(position, positions);
        this.position = position;
        int room = Math.max(1, band.length());
        solution = DoubleArray.local(room);
        residual = DoubleArray.local(room);
        image = DoubleArray.local(room);
    }

    Band rows() {
        return band;
    }

    /**
     * Begins with system {@code turn} and the solution zero.
     *
     * @param direction receives the rows of this band
     */
    void begin(int turn, DoubleArray direction) {
        residualSquare = 0;
        for (int i = 0; i < band.length(); i++) {
            double right = CgMatrix.right(turn, band.from() + i);
            solution.set(i, 0);
            residual.set(i, right);
            direction.set(band.from() + i, right);
            residualSquare += right * right;
        }
    }

    /**
     * First phase.
     *
     * @param first the row of {@code matrix} that is the first row of this band
     * @param direction the whole direction
     * @param slots receives the slot of this position
     */
    void multiply(
            DsmNode node, SparseRows matrix, int first, DoubleArray direction, DoubleArray slots) {
        matrix.multiply(node, first, band.length(), direction, image);
        addUp(direction, slots);
    }

    private void addUp(DoubleArray direction, DoubleArray slots) {
        double directionTimesImage = 0;
        double imageSquare = 0;
        int from = band.from();
        int length = band.length();
        for (int i = 0; i < length; i++) {
            double element = image.get(i);
            directionTimesImage += direction.get(from + i) * element;
            imageSquare += element * element;
        }
        int slot = SLOT * position;
        slots.set(slot, directionTimesImage);
        slots.set(slot + 1, imageSquare);
        slots.set(slot + 2, residualSquare);
    }

    /**
     * Second phase.
     *
     * @param slots slots of all positions
     * @param direction receives the rows of this band
     */
    void advance(DsmNode node, DoubleArray slots, DoubleArray direction) {
        int end = SLOT * node.positions();
        double directionTimesImage = 0;
        double imageSquare = 0;
        double square = 0;
        for (int slot = 0; slot < end; slot += SLOT) {
            directionTimesImage += slots.get(slot);
            imageSquare += slots.get(slot + 1);
            square += slots.get(slot + 2);
        }
        double step = quotient(square, directionTimesImage);
        double keep = quotient(step * step * imageSquare - square, square);
        advance(step, keep, direction);
        node.work((long) VECTOR_UNITS * band.length());
    }

    /**
     * The quotient; 0 if the divisor is 0, so that a zero residual leaves the solution unchanged.
     */
    private static double quotient(double dividend, double divisor) {
        return divisor > 0 ? dividend / divisor : 0;
    }

    private void advance(double step, double keep, DoubleArray direction) {
        double square = 0;
        int from = band.from();
        int length = band.length();
        for (int i = 0; i < length; i++) {
            double along = direction.get(from + i);
            double rest = residual.get(i) - step * image.get(i);
            solution.set(i, solution.get(i) + step * along);
            residual.set(i, rest);
            direction.set(from + i, rest + keep * along);
            square += rest * rest;
        }
        residualSquare = square;
    }

    /**
     * Copies this band's part of the solution to the array of all solutions.
     *
     * @param to index of the system's first unknown
     */
    void copySolution(DoubleArray solutions, int to) {
        for (int i = 0; i < band.length(); i++) {
            solutions.set(to + band.from() + i, solution.get(i));
        }
    }
}
