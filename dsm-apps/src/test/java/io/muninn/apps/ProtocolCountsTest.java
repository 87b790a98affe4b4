package io.muninn.apps;

import static io.muninn.apps.ProgramsByName.program;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.report.Units;
import io.muninn.sim.Traffic;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.NodeCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What each program sends under each protocol, in the simulator, is committed: a change of it is a
 * difference that somebody reads. Some programs of small sizes by default; all of them, and the
 * document's tables, of 16 nodes and the usual sizes, are tagged slow. Both are rewritten with
 * {@code -Drewrite=true}.
 */
@Timeout(600)
class ProtocolCountsTest {
    private static final Path COUNTS = Path.of("src/test/resources/protocol-counts.txt");
    private static final Path DOCUMENT = Path.of("../docs/results/protocols/README.md");
    private static final int FEW = 4;
    private static final int MANY = 16;

    private static final List<String> SMALL =
            List.of(
                    "mult --size 64",
                    "diff --rows 66 --columns 64 --sweeps 5",
                    "tsp-c --cities 13 --threshold 10",
                    "tsp-f --cities 13 --threshold 8",
                    "qsort --size 4096 --threshold 256",
                    "fft --points 1024",
                    "gauss --size 32",
                    "cg --size 2000 --iterations 4",
                    "counter --increments 50",
                    "adi --size 3000 --steps 2",
                    "dot --size 8000 --steps 3",
                    "expl --size 64 --steps 2",
                    "irreg --size 30000 --steps 3",
                    "jacobi --size 66 --steps 5",
                    "mult --version loops --size 64",
                    "rb --size 66 --steps 5",
                    "swm --size 64 --steps 2",
                    "tomcatv --size 66 --steps 2",
                    "sor --size 66 --steps 5",
                    "sor --size 66 --steps 5 --prefetch on",
                    "lu --size 128",
                    "lu --size 128 --layout rows --block 16 --prefetch on",
                    "fft-six --points 4096",
                    "fft-six --points 4096 --prefetch on",
                    "radix --keys 3000 --digit-bits 5",
                    "radix --keys 3000 --digit-bits 5 --prefetch on",
                    "water-nsq --molecules 64 --steps 1",
                    "water-nsq --molecules 64 --steps 1 --prefetch on",
                    "water-sp --molecules 216 --steps 1",
                    "water-sp --molecules 216 --steps 1 --prefetch on",
                    "ocean --size 18 --steps 2",
                    "ocean --size 18 --steps 2 --prefetch on",
                    "barnes-rebuild --bodies 300 --steps 1",
                    "barnes-space --bodies 300 --steps 1",
                    "raytrace --image 32 --primitives 200",
                    "volrend --voxels 16 --image 32 --frames 2");

    private static final List<String> USUAL =
            List.of("mult", "diff", "tsp-c", "tsp-f", "qsort", "fft", "gauss", "counter");

    private static final List<Protocol> COMPARED =
            List.of(
                    Protocol.CONVENTIONAL,
                    Protocol.WRITE_SHARED,
                    Protocol.LAZY,
                    Protocol.HOME_BASED,
                    Protocol.HYBRID);

    /** Partial tours that a thread looks at between two refreshes. */
    private static final List<Integer> REFRESHES = List.of(0, 2_097_152, 131_072);

    private static AppResult run(String words, Optional<Protocol> protocol, int nodes) {
        AppRun run = AppRun.of(() -> program(words), nodes).model(MachineModel.RACK);
        protocol.ifPresent(run::protocol);
        AppResult result = run.run();
        assertTrue(result.verdict().right(), words + " " + protocol + ": " + result);
        return result;
    }

    /** As annotated, and under each protocol. */
    private static List<Optional<Protocol>> all(List<Protocol> protocols) {
        List<Optional<Protocol>> all = new ArrayList<>(List.of(Optional.empty()));
        protocols.forEach(protocol -> all.add(Optional.of(protocol)));
        return all;
    }

    private static String word(Optional<Protocol> protocol) {
        return protocol.map(Protocol::word).orElse("annotated");
    }

    /** A program's name, and a line for each protocol. */
    private static String countsOnFewNodes(String words) {
        StringBuilder text = new StringBuilder();
        text.append('\n').append(words).append('\n');
        for (Optional<Protocol> protocol : all(ProtocolKind.ofEveryProgram())) {
            AppResult result = run(words, protocol, FEW);
            text.append(
                    line(
                            "  %-12s %7d %10d\n",
                            word(protocol),
                            result.total(NodeCounter.MESSAGES),
                            result.total(NodeCounter.BYTES)));
        }
        return text.toString();
    }

    /** One program of five. */
    @Test
    void programsOnFourNodes_sendWhatIsCommitted() throws IOException {
        List<String> some =
                IntStream.range(0, SMALL.size())
                        .filter(i -> i % 5 == 0)
                        .mapToObj(SMALL::get)
                        .toList();
        String committed = Files.readString(COUNTS);

        List<String> changed =
                some.parallelStream()
                        .map(ProtocolCountsTest::countsOnFewNodes)
                        .filter(counts -> !committed.contains(counts))
                        .toList();

        assertEquals("", String.join("", changed), "changed: " + COUNTS);
    }

    @Tag("slow")
    @Test
    void everyLineOfTheCounts_isThatOfAProgram() throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("# Messages and bytes of programs on four simulated nodes, by protocol.\n");
        text.append("# ProtocolCountsTest writes this with -Drewrite=true.\n");
        SMALL.parallelStream()
                .map(ProtocolCountsTest::countsOnFewNodes)
                .forEachOrdered(text::append);

        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(COUNTS, text);
        } else {
            assertEquals(Files.readString(COUNTS), text.toString(), "changed: " + COUNTS);
        }
    }

    @Tag("slow")
    @Test
    void document_saysWhatProgramsOnSixteenNodesSend() throws IOException {
        List<List<AppResult>> results = new ArrayList<>();
        for (String program : USUAL) {
            results.add(
                    all(COMPARED).stream().map(protocol -> run(program, protocol, MANY)).toList());
        }
        String table =
                table("messages", results, result -> grouped(result.total(NodeCounter.MESSAGES)))
                        + table(
                                "bytes",
                                results,
                                result -> Units.bytes(result.total(NodeCounter.BYTES)))
                        + table("virtual time", results, ProtocolCountsTest::time)
                        + table(
                                "faults",
                                results,
                                result ->
                                        grouped(
                                                result.total(NodeCounter.READ_FAULTS)
                                                        + result.total(NodeCounter.WRITE_FAULTS)));

        assertDocument("programs", table);
        assertDocument("kinds", kinds(results));
    }

    @Tag("slow")
    @Test
    void document_saysWhatRefreshesOfTspDo() throws IOException {
        StringBuilder table = new StringBuilder();
        table.append("| protocol | refresh after | partial tours looked at | messages | bytes |");
        table.append(" virtual time |\n| --- | ---: | ---: | ---: | ---: | ---: |\n");
        for (Protocol protocol : COMPARED) {
            for (int refresh : REFRESHES) {
                String words = "tsp-f --count --refresh " + refresh;
                AppResult result = run(words, Optional.of(protocol), MANY);
                String detail = result.verdict().detail();
                long looked = Long.parseLong(detail.substring(detail.lastIndexOf(' ') + 1));
                table.append(
                        line(
                                "| %s | %s | %s | %s | %s | %s |\n",
                                protocol.word(),
                                refresh == 0 ? "never" : grouped(refresh),
                                grouped(looked),
                                grouped(result.total(NodeCounter.MESSAGES)),
                                Units.bytes(result.total(NodeCounter.BYTES)),
                                time(result)));
            }
        }

        assertDocument("refreshes", table.toString());
    }

    /** A row for each program, a column for each protocol. */
    private static String table(
            String what, List<List<AppResult>> results, Function<AppResult, String> cell) {
        StringBuilder head = new StringBuilder("| ").append(what).append(" |");
        StringBuilder rule = new StringBuilder("| --- |");
        for (Optional<Protocol> protocol : all(COMPARED)) {
            head.append(' ').append(word(protocol)).append(" |");
            rule.append(" ---: |");
        }
        StringBuilder table = new StringBuilder(head).append('\n').append(rule).append('\n');
        for (int i = 0; i < USUAL.size(); i++) {
            table.append("| ").append(USUAL.get(i)).append(" |");
            results.get(i)
                    .forEach(result -> table.append(' ').append(cell.apply(result)).append(" |"));
            table.append('\n');
        }
        return table.append('\n').toString();
    }

    /** The kinds of message that are a twentieth of a run's at least. */
    private static String kinds(List<List<AppResult>> results) {
        StringBuilder table = new StringBuilder("| program | protocol | sent, by kind |\n");
        table.append("| --- | --- | --- |\n");
        for (int i = 0; i < USUAL.size(); i++) {
            for (int column = 1; column <= COMPARED.size(); column++) {
                AppResult result = results.get(i).get(column);
                long least = result.total(NodeCounter.MESSAGES) / 20;
                String sent =
                        result.byKind().entrySet().stream()
                                .filter(kind -> kind.getValue().messages() >= least)
                                .map(ProtocolCountsTest::kind)
                                .collect(Collectors.joining("; "));
                String protocol = COMPARED.get(column - 1).word();
                table.append(line("| %s | %s | %s |\n", USUAL.get(i), protocol, sent));
            }
        }
        return table.toString();
    }

    private static String kind(Map.Entry<String, Traffic.Sent> kind) {
        Traffic.Sent sent = kind.getValue();
        return line(
                "%s %s, %s", kind.getKey(), grouped(sent.messages()), Units.bytes(sent.bytes()));
    }

    private static String time(AppResult result) {
        return line("%.1f ms", result.seconds() * 1e3);
    }

    private static String grouped(long number) {
        return line("%,d", number).replace(',', ' ');
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static void assertDocument(String part, String table) throws IOException {
        String begin = "<!-- " + part + ": begin -->\n";
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(begin) + begin.length();
        int to = document.indexOf("<!-- " + part + ": end -->\n");
        assertTrue(from >= begin.length() && to >= from, "no place for " + part);
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(
                    DOCUMENT, document.substring(0, from) + table + document.substring(to));
        } else {
            assertEquals(document.substring(from, to), table, "stale: " + DOCUMENT);
        }
    }
}
