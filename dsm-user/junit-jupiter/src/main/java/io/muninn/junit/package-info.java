/**
 * JUnit tests of programs: {@link io.muninn.junit.Cluster} runs a program on processes of this
 * machine, {@link io.muninn.junit.Simulated} runs it in the simulator under many schedules.
 *
 * <p>It may import the API, the simulator, and what finds the class of a program. Start reading at
 * {@link io.muninn.junit.TestCluster}.
 */
@NullMarked
package io.muninn.junit;

import org.jspecify.annotations.NullMarked;
