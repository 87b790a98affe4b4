package io.muninn.junit;

import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;

/**
 * The cluster on which a test runs programs: the parameter of a test method with {@link Cluster} or
 * {@link Simulated}. A test that runs none fails.
 *
 * <p><b>Threads.</b> The thread of the test.
 */
public interface TestCluster {
    /**
     * Runs a program as the annotation says.
     *
     * @param program a class of its own, or nested and static. Its constructor takes a {@code
     *     String[]}, a {@code List<String>} or nothing
     * @param words the options of the program
     * @return the verdict, right or unchecked; of several runs, that of the last one
     * @throws AssertionError if the run failed or its verdict is wrong
     * @throws IllegalArgumentException if the program, its options or those of the annotation are
     *     wrong
     */
    Verdict run(Class<? extends DsmProgram> program, String... words);
}
