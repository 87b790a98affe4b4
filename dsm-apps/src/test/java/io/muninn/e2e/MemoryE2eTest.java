package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import io.muninn.e2e.programs.ManyIntervals;
import io.muninn.e2e.programs.Resident;
import io.muninn.spi.ProtocolTraits.Trait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How much memory a node takes, and how much it finds. */
@Tag("e2e")
class MemoryE2eTest {
    private static final long MIB = 1L << 20;
    private static final long STAT_BLOCK_BYTES = 512;
    private static final long PAGE_BYTES = 4096;
    private static final double SHARE_MAX = 2.2;
    private static final long AGENT_ANONYMOUS_MAX = 120 * MIB;
    private static final int INTERVALS = 100_000;
    private static final long LAZY_BYTES = 256 << 10;
    private static final double GROWTH_MAX = 1.1;
    private static final Duration MANY_INTERVALS_LIMIT = Duration.ofMinutes(5);

    @Tag("slow")
    @Test
    void nodeThatTouches64MiBOf4GiB_holdsLittleMore(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path end = folder.resolve("end");
        Path json = folder.resolve("report");
        String options = "-n 2 --agents node --memory 8g --json " + json;
        try (DsmRun run = DsmRun.startProgram(options, "Resident " + end)) {
            run.awaitOutput(Resident.STORED, 1);
            Member agent = run.member(Role.AGENT, 1);
            long region = regionBytes(agent);
            long anonymous = memoryBytes(agent, "Anonymous:");
            long rootRegion = regionBytes(run.member(Role.AGENT, 0));
            Files.createFile(end);
            run.await().assertStatus(0);
            long twins = twinBytes(json);

            assertTrue(region >= Resident.TOUCHED_BYTES, () -> "the region has " + mib(region));
            assertTrue(
                    region + twins <= SHARE_MAX * Resident.TOUCHED_BYTES,
                    () -> "the region has " + mib(region) + ", its twins " + mib(twins));
            assertTrue(
                    anonymous <= AGENT_ANONYMOUS_MAX + twins,
                    () -> "the agent has " + mib(anonymous) + ", twins are " + mib(twins));
            assertTrue(
                    rootRegion <= 0.2 * Resident.TOUCHED_BYTES,
                    () -> "pages of zeros take " + mib(rootRegion) + " on the root");
        }
    }

    private static Stream<Arguments> waysOfManyIntervals() {
        return ProtocolKind.with(Trait.ACQUIRES_INVALIDATE).stream()
                .flatMap(protocol ->
                        Stream.of("locks", "barriers").map(by -> Arguments.of(protocol, by)));
    }

    /**
     * Agents drop what they keep for others, and their memory is that of the first quarter. Their
     * heaps are as large as they may become from the start. A node that takes a lock again before
     * others come has no interval between.
     */
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("waysOfManyIntervals")
    void hundredThousandIntervals_takeTheMemoryOfAFew(
            Protocol protocol, String by, @TempDir Path folder)
            throws IOException, InterruptedException {
        Path end = folder.resolve("end");
        Path json = folder.resolve("report");
        String options =
                "-n 4 --agents node --heartbeat 60 -Dmuninn.agent-c2=on --protocol "
                        + protocol.word()
                        + " --lazy-bytes "
                        + LAZY_BYTES
                        + " --json "
                        + json;
        String program = "ManyIntervals " + by + " " + INTERVALS / 4 + " " + end;
        Map<String, String> heap =
                Map.of("JAVA_TOOL_OPTIONS", "-Xms96m -Xmx96m -XX:+AlwaysPreTouch");
        try (DsmRun run =
                DsmRun.start(DsmRun.words(DsmRun.programLine(options, program)), heap, List.of())) {
            run.awaitOutput(ManyIntervals.QUARTER, 1, MANY_INTERVALS_LIMIT);
            List<Long> early = residentBytes(run);
            run.awaitOutput(ManyIntervals.DONE, 1, MANY_INTERVALS_LIMIT);
            List<Long> late = residentBytes(run);
            Files.createFile(end);
            run.await().assertStatus(0);

            JsonObject totals = report(json).getAsJsonObject("totals");
            assertTrue(totals.get("flushes").getAsLong() >= INTERVALS / 2, totals::toString);
            boolean keepsLazyData = !ProtocolKind.of(protocol).traits().has(Trait.POSTS_NOTICES);
            assertEquals(
                    keepsLazyData, totals.get("collections").getAsLong() > 0, totals::toString);
            for (int node = 0; node < 4; node++) {
                JsonObject counts = nodeReport(json, node);
                assertTrue(
                        counts.get("lazyBytesMost").getAsLong() <= 2 * LAZY_BYTES,
                        counts::toString);
                assertTrue(
                        late.get(node) <= GROWTH_MAX * early.get(node),
                        () -> "agents have grown from " + early + " to " + late);
            }
        }
    }

    private static List<Long> residentBytes(DsmRun run) throws IOException {
        List<Long> bytes = new ArrayList<>();
        for (int node = 0; node < 4; node++) {
            bytes.add(memoryBytes(run.member(Role.AGENT, node), "Rss:"));
        }
        return bytes;
    }

    private static JsonObject report(Path json) throws IOException {
        return JsonParser.parseString(Files.readString(json)).getAsJsonObject();
    }

    private static JsonObject nodeReport(Path json, int node) throws IOException {
        return report(json).getAsJsonArray("perNode").get(node).getAsJsonObject();
    }

    /** The limit is set on a group that contains the group of the process. */
    @Test
    void limitOfAControlGroupAround_isTheMemoryThereIs() throws IOException, InterruptedException {
        Path outer = ControlGroups.own().resolve("muninn-" + ProcessHandle.current().pid());
        assumeTrue(ControlGroups.make(outer, 700 * MIB), "control groups are not ours to make");
        Path inner = Files.createDirectory(outer.resolve("inner"));
        List<String> inside =
                List.of("sh", "-c", "echo $$ > " + inner + "/cgroup.procs; exec \"$@\"", "sh");
        try (DsmRun run = DsmRun.start(List.of("doctor"), Map.of(), inside)) {
            run.await().assertOut(" available, 700 MiB for this container\n");
        } finally {
            Files.delete(inner);
            Files.delete(outer);
        }
    }

    /** Allocated bytes of the region file, which the agent holds open. */
    private static long regionBytes(Member agent) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(agent.pid()), "fd"))) {
            return files.filter(MemoryE2eTest::isMemoryFile)
                    .mapToLong(file -> blocks(file) * STAT_BLOCK_BYTES)
                    .max()
                    .orElseThrow(() -> new AssertionError("no memory file in " + agent));
        }
    }

    private static boolean isMemoryFile(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("/memfd:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private static long blocks(Path file) {
        try {
            Process stat = new ProcessBuilder("stat", "-L", "-c", "%b", file.toString()).start();
            String text =
                    new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return Long.parseLong(text.strip());
        } catch (IOException cause) {
            throw new IllegalStateException("cannot run stat", cause);
        }
    }

    private static long memoryBytes(Member member, String kind) throws IOException {
        Path rollup = Path.of("/proc", Long.toString(member.pid()), "smaps_rollup");
        try (Stream<String> lines = Files.lines(rollup)) {
            return lines.filter(line -> line.startsWith(kind))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** At most that much: the run's twins were not all there at once. */
    private static long twinBytes(Path json) throws IOException {
        return nodeReport(json, 1).get("twinsMade").getAsLong() * PAGE_BYTES;
    }

    private static String mib(long bytes) {
        return bytes / MIB + " MiB";
    }
}
