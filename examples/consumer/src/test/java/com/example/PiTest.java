package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Verdict;
import io.muninn.junit.Cluster;
import io.muninn.junit.Simulated;
import io.muninn.junit.TestCluster;

class PiTest {
    /** On three processes, and on four simulated nodes under a hundred schedules. */
    @Cluster(nodes = 3)
    @Simulated(nodes = 4, seeds = 100)
    void pi_isTheSumOfAllBands(TestCluster cluster) {
        assertEquals(Verdict.right("pi is 3.141593"), cluster.run(Pi.class, "9000"));
    }
}
