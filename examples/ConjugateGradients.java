import io.muninn.api.*;

/** Solves Ax = b by conjugate gradients; A has 3 on its diagonal and -1 on either side of it. */
public final class ConjugateGradients implements LoopProgram {
    private static final int N = 100_000; // unknowns 1 to N; all vectors are zero on either side

    @Shared(Protocol.LAZY)
    final DoubleArray x = DoubleArray.of(N + 2);

    @Shared(Protocol.LAZY)
    final DoubleArray residual = DoubleArray.of(N + 2);

    @Shared(Protocol.LAZY)
    final DoubleArray direction = DoubleArray.of(N + 2);

    final Loop<None, None> begin = Loop.each(i -> residual.set(i, Math.sin(i)));
    final Loop<None, Double> multiply = Loop.sum(i -> direction.get(i) * row(direction, i));
    final Loop<None, Double> square = Loop.sum(i -> residual.get(i) * residual.get(i));

    final Loop<Double, None> advance =
            Loop.each(
                    Double.class,
                    (step, i) -> {
                        x.set(i, x.get(i) + step * direction.get(i));
                        residual.set(i, residual.get(i) - step * row(direction, i));
                    });

    final Loop<Double, None> turn =
            Loop.each(
                    Double.class,
                    (keep, i) -> direction.set(i, residual.get(i) + keep * direction.get(i)));

    private static double row(DoubleArray vector, int i) {
        return 3 * vector.get(i) - vector.get(i - 1) - vector.get(i + 1);
    }

    @Override
    public void run(Team team) {
        team.forEach(1, N + 1, begin);
        team.forEach(1, N + 1, turn, 0.0);
        double old = team.reduce(1, N + 1, square);
        while (old > 1e-20) {
            team.forEach(1, N + 1, advance, old / team.reduce(1, N + 1, multiply));
            double next = team.reduce(1, N + 1, square);
            team.forEach(1, N + 1, turn, next / old);
            old = next;
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        double worst = 0;
        for (int i = 1; i <= N; i++) {
            worst = Math.max(worst, Math.abs(Math.sin(i) - row(x, i)));
        }
        return worst < 1e-9 ? Verdict.right("Ax = b") : Verdict.wrong("Ax - b is up to " + worst);
    }
}
