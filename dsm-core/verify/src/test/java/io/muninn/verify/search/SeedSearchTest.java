package io.muninn.verify.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.sim.RunEndedException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeedSearchTest {
    private static final TimeLimit LONG = new TimeLimit(Long.MAX_VALUE);

    private final Set<Long> ran = new ConcurrentSkipListSet<>();

    @Test
    void runsEverySeedOnce() throws InterruptedException {
        SeedSearch search = new SeedSearch(ran::add, 3);

        Optional<SeedSearch.Found> found = search.run(List.of(), 5, 100, LONG, _ -> {});

        assertTrue(found.isEmpty());
        assertEquals(LongStream.range(5, 105).boxed().collect(Collectors.toSet()), ran);
        assertEquals(100, search.done());
    }

    @Test
    void beginsWithTheSeedsThatItIsGiven() throws InterruptedException {
        List<Long> order = new CopyOnWriteArrayList<>();
        SeedSearch search = new SeedSearch(order::add, 1);

        search.run(List.of(900L, 70L), 5, 3, LONG, _ -> {});

        assertEquals(List.of(900L, 70L, 5L, 6L, 7L), order);
        assertEquals(5, search.done());
    }

    @Test
    void stopsAtTheSeedThatFails() throws InterruptedException {
        SeedSearch search =
                new SeedSearch(
                        seed -> {
                            if (seed == 7) {
                                throw new IllegalStateException("seven");
                            }
                            ran.add(seed);
                        },
                        1);

        SeedSearch.Found found = search.run(List.of(), 1, 1_000_000, LONG, _ -> {}).orElseThrow();

        assertEquals(7, found.seed());
        assertEquals("seven", found.failure().getMessage());
        assertEquals(6, search.done());
    }

    @Test
    void beginsNoSeedWhenTimeIsUp() throws InterruptedException {
        SeedSearch search = new SeedSearch(ran::add, 2);

        assertTrue(search.run(List.of(), 1, 1_000, new TimeLimit(0), _ -> {}).isEmpty());
        assertEquals(Set.of(), ran);
    }

    @Test
    void seedThatTheTimeEnds_isNeitherDoneNorFound() throws InterruptedException {
        SeedSearch search =
                new SeedSearch(
                        seed -> {
                            if (seed == 3) {
                                throw new RunEndedException("the time is over");
                            }
                            ran.add(seed);
                        },
                        1);

        assertTrue(search.run(List.of(), 1, 1_000, LONG, _ -> {}).isEmpty());
        assertEquals(Set.of(1L, 2L), ran);
        assertEquals(2, search.done());
    }
}
