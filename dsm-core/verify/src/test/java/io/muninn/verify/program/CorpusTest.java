package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.sync.ShippedCalls;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import java.util.List;
import org.junit.jupiter.api.Test;

class CorpusTest {
    private static final int ACCESSES_MAX = 100;

    @Test
    void everyProgram_hasANameOfItsOwn_andIsSmall() {
        List<String> names = Corpus.names();

        assertEquals(names, names.stream().distinct().toList());
        for (Corpus.Entry entry : Corpus.ENTRIES) {
            assertTrue(entry.program().sharedOperations() <= ACCESSES_MAX, entry.name());
        }
    }

    @Test
    void everyProgram_runsAsItIsWrittenAndUnderOtherProtocols() {
        for (SeededRun trial : SeededRun.ofCorpus(1, SeededRun.Options.ALL)) {
            trial.run(Checkers.all(new Coverage()));
        }
    }

    @Test
    void moreCalls_thanMayBePosted_arePosted() {
        Corpus.Entry entry = Corpus.entry("more-calls-than-may-be-posted");
        long posted =
                entry.program().scripts().stream()
                        .flatMap(List::stream)
                        .filter(step -> step.op() instanceof Op.Ship ship && ship.isPosted())
                        .count();

        assertTrue(posted > ShippedCalls.POSTED_MAX, posted + " calls");
    }

    @Test
    void options_restrictTheCorpus() {
        SeededRun.Options lazy = SeededRun.Options.ALL.only(Protocol.LAZY);

        for (SeededRun trial : SeededRun.ofCorpus(1, lazy)) {
            assertTrue(
                    trial.program().regions().stream()
                            .allMatch(region -> region.protocol() == Protocol.LAZY));
        }
        assertEquals(
                List.of(), SeededRun.ofCorpus(1, SeededRun.Options.ALL.only(Protocol.READ_ONLY)));
    }

    @Test
    void aLineThatCannotBeRead_isNamedByItsNumberInTheFile() {
        Exception thrown =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Corpus.parse(List.of("any text", "== one", "1 nodes of one thread")));

        assertTrue(
                thrown.getMessage().startsWith("line 3: 1 nodes of one thread: "),
                thrown.getMessage());
    }
}
