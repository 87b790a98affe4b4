package io.muninn.agent.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.api.spi.RegionSpec;
import io.muninn.ipc.ControlMemory;
import io.muninn.nativefault.ApplicationMapping;
import io.muninn.nativefault.EngineKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * An application in a separate process, for a test that is its agent: each line read is one access
 * by a new thread, and each line printed is the result of one.
 *
 * <pre>
 * get OFFSET          OFFSET VALUE, or OFFSET error, when the load is over
 * set OFFSET VALUE    OFFSET stored, or OFFSET error, when the store is over
 * add OFFSET COUNT    OFFSET added, when 1 has been added so often to one word in each of the
 *                     pages in turn, at this offset of the page
 * </pre>
 */
final class PageThreads {
    private static final String ENGINE = "muninn.engine";
    private static final long PAUSE_NANOS = 20_000;

    private final ApplicationMapping mapping;

    private PageThreads(ApplicationMapping mapping) {
        this.mapping = mapping;
    }

    /** Called between two polls of such an application, to leave it the processor. */
    static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * Such an application, not started yet. The caller reads its output; its errors are those of
     * the test.
     *
     * @param socket where its agent listens
     * @param flags of its JVM
     */
    static ProcessBuilder process(
            EngineKind kind, String socket, byte[] token, long regionBytes, String... flags) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-XX:+UseSerialGC");
        command.add("-XX:-UsePerfData"); // a file that would outlive its SIGKILL
        command.addAll(List.of(flags));
        command.add("-D" + ENGINE + "=" + kind.word());
        command.add("-cp");
        command.add(
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(PageThreads.class.getName());
        command.add(socket);
        command.add(HexFormat.of().formatHex(token));
        command.add(Long.toString(regionBytes));
        command.add(Integer.toString(RegionSpec.MACHINE_PAGE_BYTES)); // of control memory
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /**
     * @param arguments fault socket, token, region bytes, control bytes
     */
    public static void main(String[] arguments) throws IOException {
        ApplicationMapping mapping =
                ApplicationMapping.open(
                        new ApplicationMapping.Shape(
                                EngineKind.named(System.getProperty(ENGINE, "")).orElseThrow(),
                                1,
                                Long.parseLong(arguments[2]),
                                Long.parseLong(arguments[3]),
                                ControlMemory.WATCH_OFFSET));
        mapping.attach(arguments[0], HexFormat.of().parseHex(arguments[1]), 0, 60_000);
        PageThreads threads = new PageThreads(mapping);
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            Thread.ofPlatform().daemon().start(() -> threads.access(words));
        }
    }

    private void add(long offset, long count) {
        MemorySegment region = mapping.region();
        long pages = region.byteSize() / ApplicationMapping.pageBytes();
        for (long i = 0; i < count; i++) {
            long at = i % pages * ApplicationMapping.pageBytes() + offset;
            region.set(JAVA_LONG, at, region.get(JAVA_LONG, at) + 1);
        }
    }

    private void access(String[] words) {
        long offset = Long.parseLong(words[1]);
        String outcome;
        try {
            if (words[0].equals("get")) {
                outcome = Long.toString(mapping.region().get(JAVA_LONG, offset));
            } else if (words[0].equals("add")) {
                add(offset, Long.parseLong(words[2]));
                outcome = "added";
            } else {
                mapping.region().set(JAVA_LONG, offset, Long.parseLong(words[2]));
                outcome = "stored";
            }
        } catch (InternalError poisoned) {
            outcome = "error";
        }
        System.out.println(offset + " " + outcome);
    }
}
