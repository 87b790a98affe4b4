import io.muninn.api.*;
import java.util.Arrays;

/** K-means: every point joins the nearest centre, every centre moves to the mean of its points. */
public final class KMeans implements LoopProgram {
    private static final int POINTS = 100_000;
    private final double[] centres = {1, 1, 6, 4, 4, 6, 9, 9};

    @Shared(Protocol.LAZY)
    final DoubleMatrix points = DoubleMatrix.of(POINTS, 2);

    final Loop<None, None> fill = // four clouds at the corners of a square
            Loop.each(i -> {
                points.set(i, 0, 10 * (i % 2) + Math.sin(i));
                points.set(i, 1, 10 * (i / 2 % 2) + Math.cos(1.7 * i));
            });

    final Loop<double[], double[]> assign = // for each centre the number of its points, and sums
            Loop.reduce(
                    Reduction.ofDoubles(Reduction.Operator.SUM),
                    double[].class,
                    (centres, part) -> {
                        double[] sums = new double[3 * centres.length / 2];
                        for (int i = part.from(); i < part.to(); i++) {
                            int near = 3 * nearest(centres, points.get(i, 0), points.get(i, 1));
                            sums[near]++;
                            sums[near + 1] += points.get(i, 0);
                            sums[near + 2] += points.get(i, 1);
                        }
                        return sums;
                    });

    private static int nearest(double[] centres, double x, double y) {
        int near = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < centres.length / 2; k++) {
            double distance = Math.hypot(x - centres[2 * k], y - centres[2 * k + 1]);
            near = distance < least ? k : near;
            least = Math.min(least, distance);
        }
        return near;
    }

    @Override
    public void run(Team team) {
        team.forEach(0, POINTS, fill);
        for (int round = 0; round < 10; round++) {
            double[] sums = team.reduce(0, POINTS, assign, centres);
            Arrays.setAll(centres, i -> sums[i / 2 * 3 + 1 + i % 2] / sums[i / 2 * 3]);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        String text = Arrays.toString(Arrays.stream(centres).mapToLong(Math::round).toArray());
        boolean isRight = text.equals("[0, 0, 10, 0, 0, 10, 10, 10]");
        return isRight ? Verdict.right(text) : Verdict.wrong(text);
    }
}
