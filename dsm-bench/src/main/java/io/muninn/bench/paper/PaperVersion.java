package io.muninn.bench.paper;

import io.muninn.api.Advice;
import io.muninn.api.Protocol;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.UpdateRules;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The versions of a program that the papers compare. One that needs a protocol or a version of the
 * program that is not there is not run.
 */
enum PaperVersion {
    MESSAGES("mp", "message passing", "mp", ""),
    MUNIN("munin", "Munin", "dsm", ""),
    NO_TIMEOUT("no-timeout", "Munin without update timeout", "dsm", ""),
    CONVENTIONAL("conventional", "conventional", "dsm", "conventional"),
    PIPELINED("pipelined", "pipelined write-invalidate", "dsm", "pipelined"),
    WRITE_SHARED("write-shared", "all write-shared", "dsm", "write-shared"),
    SHIP("ship", "Munin, function shipping", "ship", ""),
    SHIP_CONVENTIONAL(
            "ship-conventional", "conventional, function shipping", "ship", "conventional"),
    FLUSH("flush", "with flush", PaperVersion.LOOPS, "hybrid"),
    ADVISED("advised", "with flush, by advice", PaperVersion.LOOPS, "hybrid"),
    NO_FLUSH("no-flush", "without flush", PaperVersion.LOOPS, "lazy"),
    SINGLE_WRITER("single-writer", "single writer", PaperVersion.LOOPS, "lazy"),
    LOCKS("locks", "reductions under a lock", PaperVersion.LOCKED, "lazy");

    /** The program's version of parallel loops; of programs that are nothing else, {@code dsm}. */
    private static final String LOOPS = "loops";

    /** That which takes a lock where loops reduce. */
    private static final String LOCKED = "locks";

    private final String word;
    private final String label;
    private final String programVersion;
    private final String protocol;

    PaperVersion(String word, String label, String programVersion, String protocol) {
        this.word = word;
        this.label = label;
        this.programVersion = programVersion;
        this.protocol = protocol;
    }

    /** Its name in resources and on the command line. */
    String word() {
        return word;
    }

    /** Its name for readers. */
    String label() {
        return label;
    }

    /** The options of a program that make this version, after its others. */
    List<String> options(BuiltInProgram program) {
        return List.of("--version", versionOf(program));
    }

    private String versionOf(BuiltInProgram program) {
        boolean hasLoopsOnly = programVersion.equals(LOOPS) && !program.versions().contains(LOOPS);
        return hasLoopsOnly ? "dsm" : programVersion;
    }

    /** Whether it differs from another version by an option that is not the protocol. */
    boolean isOptionOfRun() {
        return this == NO_TIMEOUT || this == SINGLE_WRITER || this == ADVISED;
    }

    /** What overrides every annotation; empty for the annotations, or if there is no such one. */
    Optional<Protocol> protocol() {
        return Arrays.stream(Protocol.values())
                .filter(each -> each.word().equals(protocol))
                .findFirst();
    }

    /** Whether it is a program of parallel loops. */
    boolean isOfLoops() {
        return programVersion.equals(LOOPS) || programVersion.equals(LOCKED);
    }

    /** What every node is told of every variable, if anything. */
    Optional<Advice> advice() {
        return this == ADVISED ? Optional.of(Advice.FLUSH) : Optional.empty();
    }

    /** How updates travel where the machines have these rules. */
    UpdateRules updates(UpdateRules rules) {
        return switch (this) {
            case NO_TIMEOUT -> new UpdateRules(UpdateRules.NEVER, rules.packetBytes());
            case SINGLE_WRITER -> rules.withLazyWriters(LazyWriters.SINGLE);
            default -> rules;
        };
    }

    /** Whether a program, and the protocols there are, have this version. */
    boolean isPossible(BuiltInProgram program) {
        return program.versions().contains(versionOf(program))
                && (protocol.isEmpty() || protocol().isPresent());
    }

    static Optional<PaperVersion> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
