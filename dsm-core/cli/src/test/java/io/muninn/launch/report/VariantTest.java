package io.muninn.launch.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.spi.BuiltInProgram;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The runs of a comparison. */
class VariantTest {
    private record Named(List<String> versions, boolean hidesLatency) implements BuiltInProgram {
        @Override
        public String name() {
            return "named";
        }

        @Override
        public String summary() {
            return "";
        }

        @Override
        public String usage() {
            return "";
        }

        @Override
        public DsmProgram create(List<String> options) {
            throw new UnsupportedOperationException("never run");
        }
    }

    private static List<Variant> of(boolean hidesLatency) {
        return Variant.of(new Named(List.of("dsm", "mp", "seq"), hidesLatency));
    }

    @Test
    void programThatHidesLatency_runsWithPrefetchesAndThreads() {
        List<Variant> hiding =
                of(true).stream()
                        .filter(each -> each.threads() > 1 || each.isPrefetching())
                        .toList();

        assertEquals(
                List.of(
                        "dsm, prefetches",
                        "dsm, 2 threads",
                        "dsm, 2 threads, prefetches",
                        "dsm, 4 threads",
                        "dsm, 4 threads, prefetches"),
                hiding.stream().map(Variant::label).toList());
        Variant last = hiding.getLast();
        assertEquals(List.of("--threads", "4"), last.runOptions());
        assertEquals(List.of("--version", "dsm", "--prefetch", "on"), last.programOptions());
    }

    @Test
    void programWithoutVersions_runsOnOneNodeAndUnderEveryProtocol() {
        List<Variant> all = Variant.of(new Named(List.of(""), false));

        assertEquals("one node", all.getFirst().label());
        assertEquals(1, all.getFirst().nodes(4));
        assertEquals("as annotated", all.get(1).label());
        assertEquals("all " + Protocol.CONVENTIONAL.word(), all.get(2).label());
        assertTrue(all.stream().skip(1).allMatch(each -> each.nodes(4) == 4));
        assertTrue(all.stream().allMatch(each -> each.programOptions().isEmpty()));
    }

    @Test
    void otherPrograms_runInTheirVersionsAlone() {
        List<Variant> all = of(false);

        assertTrue(all.stream().allMatch(each -> each.runOptions().isEmpty()));
        assertTrue(all.stream().noneMatch(each -> each.programOptions().contains("--prefetch")));
        assertEquals("sequential", all.getFirst().label());
        assertEquals(of(true).size() - 5, all.size());
    }
}
