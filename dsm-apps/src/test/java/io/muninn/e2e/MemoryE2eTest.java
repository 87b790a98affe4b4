package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import io.muninn.e2e.programs.Resident;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much memory a node takes, and how much it finds. */
@Tag("e2e")
class MemoryE2eTest {
    private static final long MIB = 1L << 20;
    private static final long STAT_BLOCK_BYTES = 512;
    private static final long PAGE_BYTES = 4096;
    private static final double SHARE_MAX = 2.2;
    private static final long AGENT_ANONYMOUS_MAX = 120 * MIB;

    @Test
    void nodeThatTouches64MiBOf4GiB_holdsLittleMore(@TempDir Path folder)
            throws IOException, InterruptedException {
        Path end = folder.resolve("end");
        Path json = folder.resolve("report");
        String options = "-n 2 --memory 8g --json " + json;
        try (DsmRun run = DsmRun.startProgram(options, "Resident " + end)) {
            run.awaitOutput(Resident.STORED, 1);
            Member agent = run.member(Role.AGENT, 1);
            long region = regionBytes(agent);
            long anonymous = anonymousBytes(agent);
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

    /** The limit is not that of the group in which the process is, but of one around it. */
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

    private static long anonymousBytes(Member member) throws IOException {
        Path rollup = Path.of("/proc", Long.toString(member.pid()), "smaps_rollup");
        try (Stream<String> lines = Files.lines(rollup)) {
            return lines.filter(line -> line.startsWith("Anonymous:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** At most that much: the run's twins were not all there at once. */
    private static long twinBytes(Path json) throws IOException {
        JsonObject report = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        JsonObject node = report.getAsJsonArray("perNode").get(1).getAsJsonObject();
        return node.get("twinsMade").getAsLong() * PAGE_BYTES;
    }

    private static String mib(long bytes) {
        return bytes / MIB + " MiB";
    }
}
