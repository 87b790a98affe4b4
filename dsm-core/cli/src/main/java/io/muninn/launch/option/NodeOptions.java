package io.muninn.launch.option;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.Idle;
import io.muninn.agent.lifecycle.JavaVariables;
import io.muninn.agent.memory.Engines;
import io.muninn.agent.memory.VectorDiffs;
import io.muninn.api.Dsm;
import io.muninn.api.Protocol;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.application.ApplicationMain;
import io.muninn.launch.jvm.JvmFlags;
import io.muninn.launch.jvm.StartCaches;
import io.muninn.launch.process.StartException;
import io.muninn.launch.report.RunReports;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.report.MetricsServer;
import io.muninn.report.ReportFile;
import io.muninn.transport.tls.Tls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options common to {@code dsm run} and {@code dsm node}. */
public final class NodeOptions {
    /** Application processes per node. */
    static final String PROCESSES = "--processes";

    /** How long nodes wait for one that waits for a debugger. */
    private static final Duration DEBUG_TIMEOUT = Duration.ofDays(1);

    /** Largest TCP port. */
    private static final int PORT_MAX = 65_535;

    @Option(
            names = PROCESSES,
            paramLabel = "P",
            defaultValue = "1",
            description =
                    "application processes per node, which share its memory without messages; a"
                            + " program sees N * P nodes (default: ${DEFAULT-VALUE})")
    private int processes;

    @Option(
            names = "--threads",
            paramLabel = "T",
            defaultValue = "1",
            description = "application threads per process (default: ${DEFAULT-VALUE})")
    private int threads;

    @Option(
            names = "--engine",
            paramLabel = "E",
            defaultValue = Engines.AUTO,
            converter = Converters.EngineName.class,
            completionCandidates = Converters.EngineName.class,
            description =
                    "how page faults are caught: auto, uffd+event, uffd+signal or mprotect+signal"
                            + " (default: auto, the best that works here; 'dsm doctor' says"
                            + " which)")
    private String engine = Engines.AUTO;

    @Option(
            names = "--protocol",
            paramLabel = "P",
            converter = Converters.ProtocolName.class,
            completionCandidates = Converters.ProtocolName.class,
            description = "overrides every annotation: ${COMPLETION-CANDIDATES}")
    private @Nullable Protocol protocol; // null without an override

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "writes how the run ended, and its counts, to FILE; - is standard output, and"
                            + " all else goes to standard error then")
    private @Nullable Path json; // null without a report

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description =
                    "records what the threads wait for, and writes the run to FILE as a page for a"
                            + " browser: time line, critical path, heat of pages")
    private @Nullable Path page; // null without a page

    @Option(
            names = "--jfr",
            paramLabel = "FOLDER",
            description =
                    "writes what the threads wait for to FOLDER, as recordings for the JDK's 'jfr':"
                            + " one of each agent, with the events muninn.Wait, and one of each"
                            + " application, with muninn.Call and those of the JVM")
    private @Nullable Path events; // null without recordings

    @Option(
            names = "--metrics",
            paramLabel = "PORT",
            description =
                    "serves live counters on the loopback address, in Prometheus format; node I of"
                            + " 'dsm run' on PORT + I")
    private @Nullable Integer metricsPort; // null if metrics are not served

    @Option(
            names = "--stall",
            paramLabel = "SECONDS",
            converter = Converters.Seconds.class,
            description =
                    "prints all waits when one has lasted for this time; threads that wait for each"
                            + " other do not end the run then")
    private Duration stall = Duration.ZERO;

    @Option(
            names = "--heartbeat",
            paramLabel = "SECONDS",
            defaultValue = "5",
            converter = Converters.Seconds.class,
            description =
                    "a node that is silent for this time is lost; a network may be"
                            + " interrupted for a second less, before Linux 6.15 for about half of"
                            + " it (default: ${DEFAULT-VALUE})")
    private Duration heartbeatLimit = Duration.ofSeconds(5);

    @Option(
            names = "--join-timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            converter = Converters.Seconds.class,
            description =
                    "how long to wait at the start for the next node to join (default:"
                            + " ${DEFAULT-VALUE})")
    private Duration joinTimeout = Duration.ofSeconds(60);

    @Option(
            names = "--hold-micros",
            paramLabel = "N",
            defaultValue = "200",
            description =
                    "how long a node keeps a page that it has just obtained (default:"
                            + " ${DEFAULT-VALUE})")
    private long holdMicros;

    @Option(
            names = "--flush-micros",
            paramLabel = "N",
            defaultValue = "1000",
            description =
                    "longest time that stores stay unflushed after a release inside the"
                            + " node (default: ${DEFAULT-VALUE})")
    private long flushMicros;

    @Mixin private UpdateOptions updates = new UpdateOptions();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = Converters.Bytes.class,
            description =
                    "most shared memory that a program may declare, as 512m or 4g (default: this"
                            + " machine's)")
    private @Nullable Long memoryBytes; // null for the machine's

    @Option(
            names = "--checksums",
            paramLabel = "on|off",
            defaultValue = "on",
            converter = Converters.Switch.class,
            description =
                    "whether messages and pages that leave a process have checksums; off shows what"
                            + " they cost; every node must have the same (default: on)")
    private String checksums = Converters.ON;

    @Option(
            names = "--byte-diffs",
            description =
                    "compares pages with their twins byte by byte, not by element, so that stores"
                            + " narrower than an element are kept, too; every node must have it")
    private boolean byteDiffs;

    @Option(
            names = "--diff-kernel",
            paramLabel = "K",
            defaultValue = "auto",
            converter = Converters.KernelName.class,
            description =
                    "code that compares pages with their twins: auto, portable, avx2,"
                            + " avx512, neon (default: auto, the fastest that the machine can run)")
    private String diffKernel = Converters.AUTO;

    @Option(
            names = "--idle",
            paramLabel = "I",
            defaultValue = "auto",
            converter = Converters.IdleName.class,
            description =
                    "how agents and threads wait: block, spin (for 50 us, then block), or"
                            + " auto (default: auto, which spins if every thread has a CPU)")
    private Idle idle = Idle.AUTO;

    @Option(
            names = "--check-races",
            description =
                    "reports elements of write-shared variables that one node stores to, and"
                            + " another loads or stores to at the same time, and ends with status 1"
                            + " if there are any")
    private boolean checksRaces;

    @Option(names = "--no-table", description = "prints no table of counts at the end")
    private boolean noTable;

    @Option(
            names = "--stats",
            description = "prints the costs of each variable, and where false sharing is suspected")
    private boolean stats;

    @Option(
            names = "--pages",
            description = "writes the counts of each page to the file of --json, too")
    private boolean everyPage;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            converter = Converters.LogLevel.class,
            description =
                    "what agents log on standard error: error, warn, info (starts, losses), debug"
                            + " (joining, connections) or trace (default: warn)")
    private @Nullable String logLevel; // null for the default

    @Mixin private ApplicationOptions ofApplications = new ApplicationOptions();

    @Mixin private ProgramOptions ofProgram = new ProgramOptions();

    /**
     * The place of a node in its run.
     *
     * @param listen the configured address to listen on
     * @param launched true if a launcher has a pipe to it
     * @param report file for its report; empty for none
     * @param page file for the page for a browser; empty for none
     * @param tls which links to other hosts have TLS
     */
    public record Place(
            int id,
            int nodes,
            String root,
            Optional<String> listen,
            boolean launched,
            Optional<Path> report,
            Optional<Path> page,
            Tls tls) {}

    /**
     * Checks the combination of options.
     *
     * @param nodesOption the option that gave the number of nodes
     * @param served nodes of the agent that serves most
     * @throws IllegalArgumentException whose text is for the user
     */
    public void check(String nodesOption, int nodes, int served) {
        Ranges.requireLive(nodesOption, nodes);
        Ranges.requireProcesses(processes, nodes, NodeId.LIVE_MAX);
        Ranges.require("--threads", threads, 1, Dsm.THREADS_MAX);
        if (processes * threads > Dsm.THREADS_MAX) {
            throw new IllegalArgumentException(
                    processes
                            + " processes of "
                            + threads
                            + " threads are more than the "
                            + Dsm.THREADS_MAX
                            + " threads that a node can have");
        }
        ProcessLimits.requireOpenFiles(nodes, served, processes, processes * threads);
        ProcessLimits.requireFileSize();
        Ranges.require("--hold-micros", holdMicros, 0, TimeUnit.SECONDS.toMicros(1));
        Ranges.require("--flush-micros", flushMicros, 0, TimeUnit.SECONDS.toMicros(1));
        updates.check(processes, Optional.ofNullable(protocol));
        if (!diffKernel.equals(Converters.AUTO)) {
            VectorDiffs.check(diffKernel); // loads the engine's library
        }
        checkEngine(engine);
        ofApplications.check(nodes, processes);
        ofProgram.checkProperties();
        if (!isOn(Optimization.START_CACHES)) {
            StartCaches.leaveOut();
        }
        if (metricsPort != null) {
            Ranges.require("--metrics", metricsPort, 1, PORT_MAX - nodes + 1);
        }
        if (json != null) {
            ReportFile.requireWritable(json);
        }
        if (page != null) {
            requirePage(page);
        }
        if (events != null && (!Files.isDirectory(events) || !Files.isWritable(events))) {
            throw new IllegalArgumentException(
                    "cannot write --jfr " + events + ": no writable folder; make it first");
        }
        if (events != null && events.toAbsolutePath().toString().contains(",")) {
            throw new IllegalArgumentException(
                    "cannot write --jfr " + events + ": the JVM permits no comma in its name");
        }
    }

    /**
     * Checks the file of {@code --report}.
     *
     * @throws IllegalArgumentException whose text is for the user
     */
    public static void requirePage(Path file) {
        if (ReportFile.isStandardOutput(file)) {
            throw new IllegalArgumentException(
                    "--report " + file + " is no file; a browser opens a file, as in run.html");
        }
        ReportFile.requireWritable("--report", file);
    }

    /**
     * Tries an engine requested by name; without a name each node chooses an engine itself.
     *
     * @throws IllegalArgumentException if it does not work here; the text is for the user
     */
    public static void checkEngine(String engine) {
        if (!engine.equals(Engines.AUTO)) {
            Engines.choose(engine); // loads the engine's library
        }
    }

    /**
     * Checks the ports of all nodes of this machine: an agent that finds its port taken would leave
     * the others waiting for it.
     *
     * @throws IllegalArgumentException if one is taken; the text is for the user
     */
    public void checkMetricsPorts(int nodes) {
        if (metricsPort != null) {
            for (int node = 0; node < nodes; node++) {
                MetricsServer.requireAvailable(metricsPort + node);
            }
        }
    }

    /**
     * Checks the options of the report, whose file only the root knows.
     *
     * @throws IllegalArgumentException whose text is for the user
     */
    public void checkReport() {
        if (everyPage && json == null) {
            throw new IllegalArgumentException("--pages means nothing without --json");
        }
    }

    /**
     * Checks the program before anything is started.
     *
     * @param words the program and its options
     * @param nodes number of nodes of the run
     * @throws IllegalArgumentException whose text is for the user
     */
    public void checkProgram(Programs programs, List<String> words, int nodes) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException(
                    "which program? 'dsm programs' lists those there are");
        }
        if (isOfBuiltIn()) {
            programs.check(
                    words.getFirst(), words.subList(1, words.size()), nodes * processes, threads);
        } else if (!ofProgram.isMain(words.getFirst())) {
            ofProgram.named(programs, words.getFirst());
        }
    }

    /**
     * Checks what a program of the user declares, once for all nodes; built-in programs are right,
     * and what a {@code main} declares is not known before it runs.
     *
     * @param words the words checked by {@link #checkProgram}
     * @throws IllegalArgumentException if it is wrong; the text is for the user
     * @throws StartException if it cannot be constructed; the text is for the user
     */
    public void checkDeclarations(List<String> words) throws InterruptedException {
        if (!isOfBuiltIn() && !ofProgram.isMain(words.getFirst())) {
            Declarations.check(
                    ofProgram.own(words.getFirst()),
                    words.subList(1, words.size()),
                    ofProgram.forProgram(),
                    !ofApplications.hasJvmOptions() && JavaVariables.hidden().isEmpty());
        }
    }

    /**
     * The whole command of an application JVM of a node that runs a program.
     *
     * @param words the words checked by {@link #checkProgram}
     */
    public List<String> applicationCommand(Programs programs, List<String> words, int node) {
        List<String> program = new ArrayList<>(words);
        Optional<BuiltInProgram> builtIn = Optional.empty();
        if (isOfBuiltIn()) {
            builtIn = Optional.of(programs.named(words.getFirst()));
        } else {
            boolean isMain = ofProgram.isMain(words.getFirst());
            program.addFirst(isMain ? ApplicationMain.MAIN : ApplicationMain.CLASS);
        }
        program.addAll(0, List.of(ApplicationMain.NODE, Integer.toString(node)));
        List<String> flags = new ArrayList<>();
        if (events != null) {
            flags.addAll(JvmFlags.recording(events.toAbsolutePath()));
        }
        if (checksRaces) {
            flags.add(JvmFlags.recordingLoads());
        }
        flags.addAll(ofProgram.flags(node));
        flags.addAll(ofApplications.flags(node));
        return JvmFlags.application(builtIn, flags, ofProgram.entries(), program);
    }

    /** The options for programs of the user. */
    public ProgramOptions ofProgram() {
        return ofProgram;
    }

    /** Returns what the user must know about these nodes before they start. */
    public List<String> hints(int first, int last) {
        return ofApplications.hints(first, last);
    }

    /** What agents log, if the user has chosen it. */
    public Optional<String> logLevel() {
        return Optional.ofNullable(logLevel);
    }

    /** True if the program is a built-in one, and no class of the user. */
    public boolean isOfBuiltIn() {
        return ofProgram.isOfBuiltIn();
    }

    /**
     * Checks that the class path means the same wherever it is used.
     *
     * @throws IllegalArgumentException whose text is for the user
     */
    public void requireAbsoluteClassPath() {
        ofProgram.requireAbsoluteClassPath();
    }

    public boolean isOn(Optimization optimization) {
        return ofProgram.isOn(optimization);
    }

    public Duration heartbeatLimit() {
        return heartbeatLimit;
    }

    /** The file of the report, if requested. */
    public Optional<Path> json() {
        return Optional.ofNullable(json);
    }

    /** The file of the page for a browser, if requested. */
    public Optional<Path> page() {
        return Optional.ofNullable(page);
    }

    /** True if standard output is reserved for the report. */
    public boolean isJsonOnStandardOutput() {
        return json().map(ReportFile::isStandardOutput).orElse(false);
    }

    /** The data of a report on a run whose nodes have reported nothing. */
    public RunReports.Known known(String program, int nodes) {
        String word = Optional.ofNullable(protocol).map(Protocol::word).orElse("annotated");
        return new RunReports.Known(program, word, nodes, new NodeThreads(processes, threads));
    }

    /** The configuration of one agent of a run; each serves its counters on a separate port. */
    public AgentConfig toConfig(Place place, int offset, byte[] secret, List<String> command) {
        return new AgentConfig(
                new AgentConfig.Membership(
                        NodeId.of(place.id()),
                        place.nodes(),
                        place.root(),
                        place.listen(),
                        secret,
                        heartbeatLimit,
                        ofApplications.isDebugged() ? DEBUG_TIMEOUT : joinTimeout,
                        new AgentConfig.Links(place.tls(), checksums.equals(Converters.ON))),
                processes,
                threads,
                new AgentConfig.Mechanism(engine, diffKernel, idle, isOn(Optimization.MAILBOXES)),
                new AgentConfig.Coherence(
                        Optional.ofNullable(protocol),
                        byteDiffs,
                        TimeUnit.MICROSECONDS.toNanos(holdMicros),
                        TimeUnit.MICROSECONDS.toNanos(flushMicros),
                        updates.rules(processes),
                        updates.twins(),
                        memoryBytes == null ? MachineMemory.bytes() : memoryBytes,
                        checksRaces),
                new AgentConfig.Output(
                        place.report(),
                        metricsPort(offset),
                        !noTable,
                        stats,
                        everyPage,
                        stall,
                        place.page(),
                        events(place.id())),
                place.launched(),
                command);
    }

    /** The file of the recording of the agent whose first node is this one. */
    private Optional<Path> events(int node) {
        return Optional.ofNullable(events)
                .map(folder -> folder.toAbsolutePath().resolve("node-" + node + ".jfr"));
    }

    private OptionalInt metricsPort(int offset) {
        return metricsPort == null ? OptionalInt.empty() : OptionalInt.of(metricsPort + offset);
    }
}
