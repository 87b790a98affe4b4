package io.muninn.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that runs programs on processes of this machine. It has a parameter of type {@link
 * TestCluster}, and may have {@link Simulated}, too: then it runs once for each of the annotations.
 *
 * {@snippet :
 * @Cluster(nodes = 3)
 * void everyNode_isCounted(TestCluster cluster) {
 *     cluster.run(Census.class);
 * }
 * }
 *
 * <p>What the processes print is printed to {@code System.out} after a run, and is part of the
 * message of a failure.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(ClusterTemplate.class)
public @interface Cluster {
    /** Nodes, each a process with one thread. */
    int nodes() default 2;

    /** Options of {@code dsm run}, each option and each value a word of its own. */
    String[] options() default {};
}
