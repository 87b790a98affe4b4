package io.muninn.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that runs programs on simulated nodes, in this JVM and under virtual time, once for
 * each seed. A seed determines all delays, and so the schedule: a seed that fails fails again. The
 * message of a failure names it, and the command that runs it alone.
 *
 * {@snippet :
 * @Simulated(nodes = 4, seeds = 100)
 * void everyNode_isCounted(TestCluster cluster) {
 *     cluster.run(Census.class);
 * }
 * }
 *
 * <p>The test fails if the program throws, if its verdict is wrong, and if threads wait for each
 * other for ever. See {@code io.muninn.sim.app.AppRun} for what a simulated program must not do,
 * such as wait at a monitor.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(SimulatedTemplate.class)
public @interface Simulated {
    /** System property with the only seed to run, in place of the first {@link #seeds}. */
    String SEED_PROPERTY = "muninn.seed";

    /** Simulated nodes. */
    int nodes() default 4;

    /** Application threads of each node. */
    int threads() default 1;

    /** Seeds to run: 0 and those that follow. */
    int seeds() default 100;

    /**
     * Whether the test also fails if a node stores to an element of a write-shared variable, and
     * another node loads it or stores to it at the same time.
     */
    boolean checkRaces() default false;
}
