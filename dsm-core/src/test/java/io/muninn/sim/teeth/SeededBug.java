package io.muninn.sim.teeth;

/**
 * A bug that is put into a copy of one source file, to see whether the simulator finds it.
 *
 * @param name in words with hyphens
 * @param what the mistake, for a person
 * @param file below the folder of packages, as in {@code protocols/WriteShared.java}
 * @param right text that occurs in the file exactly once
 * @param wrong what stands there instead
 */
record SeededBug(String name, String what, String file, String right, String wrong) {
    /** True if it shows only where kernels look for races. */
    boolean needsRaceChecks() {
        return file.equals("protocols/RaceChecks.java");
    }

    @Override
    public String toString() {
        return name;
    }
}
