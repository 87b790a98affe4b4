package io.muninn.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * The machine and the software of a measurement, so that readers can compare results of different
 * machines.
 */
record MeasuredMachine(String processor, int processors, String system, String jvm, String commit) {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";
    private static final String UNKNOWN = "unknown";

    static MeasuredMachine read() throws IOException, InterruptedException {
        return new MeasuredMachine(
                model(Files.readAllLines(PROCESSORS)),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                commitHere());
    }

    /** The processor's model name; the architecture where the system reports no name. */
    static String model(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(MODEL) && line.contains(":"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }

    /**
     * The commit of the checkout that contains the classes, with a plus sign if tracked files
     * differ from it.
     */
    private static String commitHere() throws InterruptedException {
        String commit = git("rev-parse", "--short=12", "HEAD");
        boolean isChanged = !git("status", "--porcelain", "--untracked-files=no").isEmpty();
        return commit.isEmpty() ? UNKNOWN : commit + (isChanged ? "+" : "");
    }

    private static String git(String... words) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        try {
            Process git =
                    new ProcessBuilder(command)
                            .directory(BuildFolder.path().toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return git.waitFor() == 0 ? said.strip() : "";
        } catch (IOException noGit) {
            return "";
        }
    }

    String text() {
        return processor
                + ", "
                + processors
                + (processors == 1 ? " processor; " : " processors; ")
                + system
                + "; "
                + jvm
                + "; commit "
                + commit
                + "; "
                + LocalDate.now();
    }
}
