package io.muninn.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The programs with which Muninn is built. */
class Tools {
    private static final long ANSWER_SECONDS = 10;

    /** The first line of the C compiler's version output; empty if there is no compiler. */
    Optional<String> compiler() {
        String command = Optional.ofNullable(System.getenv("CC")).orElse("cc");
        ProcessBuilder builder = new ProcessBuilder(command, "--version");
        try {
            Process process = builder.redirectErrorStream(true).start();
            process.getOutputStream().close();
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            return process.exitValue() == 0 ? text.lines().findFirst() : Optional.empty();
        } catch (IOException | UncheckedIOException none) {
            return Optional.empty();
        } catch (InterruptedException told) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
