package io.muninn.agent.memory;

import io.muninn.nativefault.EngineKind;
import io.muninn.nativefault.EngineProbe;
import io.muninn.nativefault.NativeDirectory;
import io.muninn.nativefault.ProbeResult;
import io.muninn.nativefault.Way;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the engine of a node among those that work on this machine. An engine is chosen only
 * after a trial: a child process faults on shared pages in every way an application does.
 */
public final class Engines {
    /** Stands for the best engine that works. */
    public static final String AUTO = "auto";

    /** Best first. */
    private static final List<EngineKind> BY_PREFERENCE =
            List.of(EngineKind.UFFD_SIGNAL, EngineKind.UFFD_EVENT, EngineKind.MPROTECT_SIGNAL);

    private Engines() {}

    /** Returns the values of the option: the names of all engines, and {@link #AUTO}. */
    public static List<String> words() {
        List<String> words = new ArrayList<>(List.of(AUTO));
        BY_PREFERENCE.forEach(kind -> words.add(kind.word()));
        return words;
    }

    /**
     * The folder into which the engines' library and the other native libraries of the jars are
     * unpacked; empty if this process and its children have another one.
     *
     * @throws IllegalStateException if they cannot be unpacked or loaded from there; the text gives
     *     the remedy
     */
    public static Optional<Path> unpackedLibraries() {
        return NativeDirectory.unpacked();
    }

    /**
     * Chooses an engine by trials.
     *
     * @param word one of {@link #words}
     * @throws IllegalArgumentException if the engine, or every engine, fails; the text lists the
     *     trials and remedies
     */
    public static EngineChoice choose(String word) {
        boolean isAuto = word.equals(AUTO);
        List<EngineProbe> failures = new ArrayList<>();
        for (EngineKind kind : BY_PREFERENCE) {
            if (!isAuto && !kind.word().equals(word)) {
                continue;
            }
            for (Way way : kind.ways()) {
                EngineProbe probe = EngineProbe.run(kind, way);
                if (probe.isGood()) {
                    return new EngineChoice(
                            kind.word(),
                            why(isAuto ? "auto" : "asked for", probe, failures),
                            probe.systemCallsWait());
                }
                failures.add(probe);
            }
        }
        throw new IllegalArgumentException(refusal(isAuto ? "" : "--engine " + word, failures));
    }

    private static String why(String reason, EngineProbe probe, List<EngineProbe> failures) {
        List<String> better =
                failures.stream()
                        .filter(failure -> failure.kind() != probe.kind())
                        .map(failure -> failure.kind().word())
                        .distinct()
                        .toList();
        return reason
                + ", by "
                + probe.way().text()
                + ", which passed every probe"
                + (better.isEmpty() ? "" : "; " + String.join(" and ", better) + " did not")
                + (probe.systemCallsWait() ? "" : "; system calls on shared memory fail");
    }

    private static String refusal(String asked, List<EngineProbe> failures) {
        StringBuilder text = new StringBuilder();
        text.append(asked.isEmpty() ? "no engine" : asked)
                .append(asked.isEmpty() ? " works here" : " does not work here")
                .append(", see 'dsm doctor'; tried:");
        for (EngineProbe failure : failures) {
            text.append("\n  ");
            if (asked.isEmpty()) {
                text.append(failure.kind().word()).append(" by ");
            }
            text.append(failure.verdict());
        }
        return text.toString();
    }

    /** Tries every engine in every way, for {@code dsm doctor}; best first. */
    public static List<EngineTrial> tryAll() {
        List<EngineTrial> trials = new ArrayList<>();
        for (EngineKind kind : BY_PREFERENCE) {
            for (Way way : kind.ways()) {
                trials.add(trial(EngineProbe.run(kind, way)));
            }
        }
        return trials;
    }

    private static EngineTrial trial(EngineProbe probe) {
        return new EngineTrial(
                probe.kind().word(),
                probe.way().text(),
                probe.isGood(),
                probe.systemCallsWait(),
                probe.steps().stream().map(step -> step(probe, step)).toList());
    }

    private static EngineTrial.Step step(EngineProbe probe, ProbeResult result) {
        return new EngineTrial.Step(
                probe.text(result),
                result.hasPassed() || result.hasFailed(),
                result.hasPassed(),
                result.text(),
                result.nanos(),
                result.hasFailed() ? probe.remedy(result) : "");
    }
}
