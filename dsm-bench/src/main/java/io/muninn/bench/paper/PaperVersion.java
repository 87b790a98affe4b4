package io.muninn.bench.paper;

import io.muninn.api.Advice;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.sim.app.AppRun;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.UpdateRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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
    ADVISED_8K("advised-8k", "with flush, pages of 8 KB", PaperVersion.LOOPS, "hybrid"),
    ADVISED_PACKED("advised-packed", "with flush, 8 KB, packed", PaperVersion.LOOPS, "hybrid"),
    NO_FLUSH_8K("no-flush-8k", "without flush, pages of 8 KB", PaperVersion.LOOPS, "lazy"),
    NO_FLUSH_PACKED("no-flush-packed", "without flush, 8 KB, packed", PaperVersion.LOOPS, "lazy"),
    SINGLE_WRITER("single-writer", "single writer", PaperVersion.LOOPS, "lazy"),
    LOCKS("locks", "reductions under a lock", PaperVersion.LOCKED, "lazy"),
    ORIGINAL("o", "O", Hiding.NONE),
    PREFETCH("p", "P", new Hiding(1, true, true)),
    THREADS_2("2t", "2T", new Hiding(2, false, true)),
    THREADS_4("4t", "4T", new Hiding(4, false, true)),
    THREADS_8("8t", "8T", new Hiding(8, false, true)),
    BOTH_2("2tp", "2TP", new Hiding(2, true, false)),
    BOTH_4("4tp", "4TP", new Hiding(4, true, false)),
    BOTH_8("8tp", "8TP", new Hiding(8, true, false)),
    TWICE_2("2tp-pages", "2TP, at pages, too", new Hiding(2, true, true)),
    TWICE_4("4tp-pages", "4TP, at pages, too", new Hiding(4, true, true)),
    TWICE_8("8tp-pages", "8TP, at pages, too", new Hiding(8, true, true)),
    HLRC_1("hlrc-1", "HLRC-1", PaperVersion.HLRC, Arrangement.SINGLE),
    HLRC_4("hlrc-4", "HLRC-4", PaperVersion.HLRC, new Arrangement(4, false, false)),
    HLRC_8("hlrc-8", "HLRC-8", PaperVersion.HLRC, new Arrangement(8, false, false)),
    HLRC_4_THREADS(
            "hlrc-4-threads",
            "HLRC-4, shared everything",
            PaperVersion.HLRC,
            new Arrangement(4, true, false)),
    AURC_1("aurc-1", "AURC-1", PaperVersion.HLRC, new Arrangement(1, false, true)),
    AURC_4("aurc-4", "AURC-4", PaperVersion.HLRC, new Arrangement(4, false, true));

    /**
     * How latency is hidden.
     *
     * @param threads of each node
     * @param prefetches whether the program prefetches
     * @param switchesAtPages whether threads switch at pages, too
     */
    private record Hiding(int threads, boolean prefetches, boolean switchesAtPages) {
        static final Hiding NONE = new Hiding(1, false, true);
    }

    /**
     * How processors are arranged in nodes.
     *
     * @param perNode processors of a node
     * @param areThreads whether they are threads of one process; else each has a process
     * @param sendsStores whether their hardware sends stores to pages with another home
     */
    private record Arrangement(int perNode, boolean areThreads, boolean sendsStores) {
        static final Arrangement SINGLE = new Arrangement(1, false, false);
    }

    private static final String HLRC = "home-based";

    /** The program's version of parallel loops; of programs that are nothing else, {@code dsm}. */
    private static final String LOOPS = "loops";

    /** That which takes a lock where loops reduce. */
    private static final String LOCKED = "locks";

    private final String word;
    private final String label;
    private final String programVersion;
    private final String protocol;
    private final Hiding hiding;
    private final Arrangement arrangement;

    PaperVersion(String word, String label, String programVersion, String protocol) {
        this(word, label, programVersion, protocol, Hiding.NONE, Arrangement.SINGLE);
    }

    /** As annotated. */
    PaperVersion(String word, String label, Hiding hiding) {
        this(word, label, "dsm", "", hiding, Arrangement.SINGLE);
    }

    PaperVersion(String word, String label, String protocol, Arrangement arrangement) {
        this(word, label, "dsm", protocol, Hiding.NONE, arrangement);
    }

    PaperVersion(
            String word,
            String label,
            String programVersion,
            String protocol,
            Hiding hiding,
            Arrangement arrangement) {
        this.word = word;
        this.label = label;
        this.programVersion = programVersion;
        this.protocol = protocol;
        this.hiding = hiding;
        this.arrangement = arrangement;
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
        List<String> options = new ArrayList<>(List.of("--version", versionOf(program)));
        if (hiding.prefetches()) {
            options.addAll(List.of("--prefetch", "on"));
        }
        return List.copyOf(options);
    }

    /**
     * A run of this version.
     *
     * @param program creates equal programs
     * @param places threads that the version without latency hiding would have: one for each
     *     processor
     */
    AppRun run(Supplier<DsmProgram> program, int places) {
        int perNode = Math.min(places, arrangement.perNode());
        AppRun run = AppRun.of(program, places / perNode);
        return arrangement.areThreads()
                ? run.threads(perNode * hiding.threads())
                : run.processes(perNode).threads(hiding.threads());
    }

    /** Whether hardware sends stores to pages with another home, where nodes can do so. */
    boolean sendsStores() {
        return arrangement.sendsStores();
    }

    /** The processors of each node, where the machines have these. */
    ProcessorRules processors(ProcessorRules rules) {
        return hiding.switchesAtPages() ? rules : rules.keptAtPages();
    }

    private String versionOf(BuiltInProgram program) {
        boolean hasLoopsOnly = programVersion.equals(LOOPS) && !program.versions().contains(LOOPS);
        return hasLoopsOnly ? "dsm" : programVersion;
    }

    /** Whether it differs from another version by an option that is not the protocol. */
    boolean isOptionOfRun() {
        return this == NO_TIMEOUT
                || this == SINGLE_WRITER
                || advice().isPresent()
                || hasPagesOf8K()
                || hiding.threads() > 1
                || arrangement.perNode() > 1;
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
        return switch (this) {
            case ADVISED, ADVISED_8K, ADVISED_PACKED -> Optional.of(Advice.FLUSH);
            default -> Optional.empty();
        };
    }

    /** The version of the paper that it is compared with. */
    PaperVersion inPaper() {
        return switch (this) {
            case ADVISED, ADVISED_8K, ADVISED_PACKED -> FLUSH;
            case NO_FLUSH_8K, NO_FLUSH_PACKED -> NO_FLUSH;
            default -> this;
        };
    }

    private boolean hasPagesOf8K() {
        return this == ADVISED_8K || this == NO_FLUSH_8K || isPacked();
    }

    private boolean isPacked() {
        return this == ADVISED_PACKED || this == NO_FLUSH_PACKED;
    }

    /** Sets its pages, which may be larger than the machines', and where variables lie in them. */
    AppRun layout(AppRun run, int unitPages) {
        run.unitPages(hasPagesOf8K() ? Math.max(2, unitPages) : unitPages);
        return isPacked() ? run.packed() : run;
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
