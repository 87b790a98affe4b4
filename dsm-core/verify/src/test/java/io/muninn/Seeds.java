package io.muninn;

/** How many of its seeds a test of random programs tries. */
public final class Seeds {
    private static final int PART = 3;

    private Seeds() {}

    /** True with {@code ./dsm test --all}. */
    public static boolean areAll() {
        return Boolean.getBoolean("muninn.all");
    }

    /**
     * All with {@code ./dsm test --all}, otherwise a third, which finds the usual bugs; rare ones
     * take the thousands of {@code ./dsm sim}.
     */
    public static int some(int all) {
        return areAll() ? all : (all + PART - 1) / PART;
    }
}
