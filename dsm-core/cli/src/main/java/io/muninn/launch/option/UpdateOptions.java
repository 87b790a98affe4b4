package io.muninn.launch.option;

import io.muninn.api.Protocol;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.Views;
import io.muninn.spi.WeakRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options for the handling of copies, twins and updates of pages, common to all commands that run a
 * program.
 */
public final class UpdateOptions {
    private static final String TIMEOUT = "--update-timeout";
    private static final String LISTS = "--update-lists";
    private static final String TWINS = "--adaptive-twins";
    private static final String PACKET_BYTES = "--packet-bytes";
    private static final String STEADY = "--steady-access";
    private static final String READ_AHEAD = "--read-ahead";
    private static final String LAZY_BYTES = "--lazy-bytes";
    public static final String LAZY_WRITERS = "--lazy-writers";

    private static final String FETCH = "--fetch";
    private static final String WEAK_TRANSITION = "--weak-transition";
    private static final String WEAK_LISTS = "--weak-lists";
    private static final String WEAK_NOTICES = "--weak-notices";
    private static final String WEAK_UNSAFE_AFTER = "--weak-unsafe-after";
    private static final String WEAK_SAFE_AFTER = "--weak-safe-after";
    private static final int WEAK_AFTER_MAX = 1_000_000;
    private static final String POOL = "--pool";

    /**
     * Number of bytes that take as long on a link of 1 Gbit/s as the list and the request that
     * avoid sending them.
     */
    private static final int PACKET_BYTES_USUAL = 8192;

    private static final int PACKET_BYTES_MAX = 64 << 20;

    @Option(
            names = TIMEOUT,
            paramLabel = "TIME",
            converter = Converters.Window.class,
            description =
                    "write-shared: a copy that a node has not used for this time is given"
                            + " up with the next update; as 50ms, 200us or 2s, or off"
                            + " (default: 50ms)")
    private @Nullable Long timeoutNanos; // null if not given

    @Option(
            names = LISTS,
            paramLabel = "on|off",
            converter = Converters.Switch.class,
            description =
                    "write-shared: diffs that fill more than a packet are offered by a"
                            + " list, from which each node requests those that it needs"
                            + " (default: off)")
    private @Nullable String lists; // null if not given

    @Option(
            names = PACKET_BYTES,
            paramLabel = "N",
            description = "for --update-lists on: bytes of a packet (default: 8192)")
    private @Nullable Integer packetBytes; // null if not given

    @Option(
            names = TWINS,
            paramLabel = "on|off",
            converter = Converters.Switch.class,
            description =
                    "write-shared, lazy: a page written in every interval keeps its twin, and"
                            + " stays writable over releases (default: on)")
    private @Nullable String twins; // null if not given

    @Option(
            names = STEADY,
            paramLabel = "on|off",
            converter = Converters.Switch.class,
            description =
                    "write-shared: a thread keeps an access that it has requested for the"
                            + " time of --update-timeout; off: the next update withdraws it, to see"
                            + " whether the copy is used (default: on)")
    private @Nullable String steady; // null if not given

    @Option(
            names = READ_AHEAD,
            paramLabel = "off|auto|N",
            converter = Converters.Pages.class,
            description =
                    "write-shared, read-only, lazy, home-based: most pages that are"
                            + " requested ahead of threads that access page after page; auto: 256"
                            + " (default: off)")
    private @Nullable Integer readAheadPages; // null if not given

    @Option(
            names = LAZY_BYTES,
            paramLabel = "SIZE",
            converter = Converters.Bytes.class,
            description =
                    "lazy protocols: most notices and diffs that a node keeps for others,"
                            + " as 64k or 1m; beyond it, all nodes fetch those that they lack, and"
                            + " drop them (default: 4m)")
    private @Nullable Long lazyBytes; // null if not given

    @Option(
            names = LAZY_WRITERS,
            paramLabel = "multiple|single",
            converter = Converters.Writers.class,
            description =
                    "lazy: nodes that may store to a page at a time; single: the page moves"
                            + " to the node that stores, without twins and diffs"
                            + " (default: multiple)")
    private @Nullable LazyWriters lazyWriters; // null if not given

    @Option(
            names = FETCH,
            paramLabel = "merge|take",
            converter = Converters.Fetch.class,
            description =
                    "home-based, several processes per node: merge a fetched page with the stores"
                            + " of all of them, or take the page from all of them first"
                            + " (default: merge)")
    private @Nullable Views views; // null if not given

    @Option(
            names = WEAK_TRANSITION,
            paramLabel = "delayed|immediate",
            converter = Converters.WeakTransition.class,
            description =
                    "weak: a store is announced at the release that follows, or at its write fault"
                            + " (default: delayed)")
    private WeakRules.@Nullable Transition weakTransition; // null if not given

    @Option(
            names = WEAK_LISTS,
            paramLabel = "distributed|centralized",
            converter = Converters.WeakLists.class,
            description =
                    "weak: write notices are in a list of each node, or in one on the root, which"
                            + " every acquire reads (default: distributed)")
    private WeakRules.@Nullable Lists weakLists; // null if not given

    @Option(
            names = WEAK_NOTICES,
            paramLabel = "transition|publish",
            converter = Converters.WeakNotices.class,
            description =
                    "weak: notices go to all nodes that map a page while several do and one"
                            + " stores, also to the one that stores; or with each publication to"
                            + " those whose copies lack it (default: transition)")
    private WeakRules.@Nullable Notices weakNotices; // null if not given

    @Option(
            names = WEAK_UNSAFE_AFTER,
            paramLabel = "N",
            description =
                    "weak: publications with notices, after which a page is unsafe: acquires check"
                            + " it, and it has no notices (default: 8)")
    private @Nullable Integer weakUnsafeAfter; // null if not given

    @Option(
            names = WEAK_SAFE_AFTER,
            paramLabel = "N",
            description =
                    "weak: checks in a row that find a copy current, after which its page is safe"
                            + " again (default: 8)")
    private @Nullable Integer weakSafeAfter; // null if not given

    @Option(
            names = POOL,
            description =
                    "weak: a page is in memory that the nodes of its home's agent share, and their"
                            + " threads get it without a message; nodes of other agents get it by"
                            + " messages (default: each page is at its home)")
    private boolean isPooled;

    /**
     * @param processes of each node
     * @param protocol in place of every annotation, if there is one
     * @throws IllegalArgumentException whose text is for the user
     */
    public void check(int processes, Optional<Protocol> protocol) {
        checkWeak();
        if (isPooled && protocol.isPresent() && protocol.get() != Protocol.WEAK) {
            throw new IllegalArgumentException(
                    POOL
                            + " means nothing with --protocol "
                            + protocol.get().word()
                            + ": only weak pages can be in a pool");
        }
        if (views != null && processes == 1) {
            throw new IllegalArgumentException(
                    FETCH + " means nothing without several " + NodeOptions.PROCESSES);
        }
        if (packetBytes != null) {
            Ranges.require(PACKET_BYTES, packetBytes, 0, PACKET_BYTES_MAX);
            if (!Converters.ON.equals(lists)) {
                throw new IllegalArgumentException(
                        PACKET_BYTES + " means nothing without " + LISTS + " on");
            }
        }
    }

    private void checkWeak() {
        boolean hasThresholds = weakUnsafeAfter != null || weakSafeAfter != null;
        if (weakUnsafeAfter != null) {
            Ranges.require(WEAK_UNSAFE_AFTER, weakUnsafeAfter, 0, WEAK_AFTER_MAX);
        }
        if (weakSafeAfter != null) {
            Ranges.require(WEAK_SAFE_AFTER, weakSafeAfter, 1, WEAK_AFTER_MAX);
        }
        if (hasThresholds && weakLists == WeakRules.Lists.CENTRALIZED) {
            throw new IllegalArgumentException(
                    (weakUnsafeAfter != null ? WEAK_UNSAFE_AFTER : WEAK_SAFE_AFTER)
                            + " means nothing with "
                            + WEAK_LISTS
                            + " centralized");
        }
        if (isPooled && weakLists == WeakRules.Lists.CENTRALIZED) {
            throw new IllegalArgumentException(
                    POOL + " needs " + WEAK_LISTS + " distributed: it has a list for each node");
        }
        if (weakTransition == WeakRules.Transition.IMMEDIATE
                && weakNotices == WeakRules.Notices.PUBLISH) {
            throw new IllegalArgumentException(
                    WEAK_NOTICES
                            + " publish needs "
                            + WEAK_TRANSITION
                            + " delayed: a copy made between a store and its release lacks it");
        }
    }

    private WeakRules weak() {
        WeakRules usual = WeakRules.DEFAULT;
        WeakRules rules =
                new WeakRules(
                        Objects.requireNonNullElse(weakTransition, usual.transition()),
                        Objects.requireNonNullElse(weakLists, usual.lists()),
                        Objects.requireNonNullElse(weakNotices, usual.notices()),
                        Objects.requireNonNullElse(weakUnsafeAfter, usual.unsafeAfter()),
                        Objects.requireNonNullElse(weakSafeAfter, usual.safeAfter()));
        return isPooled ? rules.pooled() : rules;
    }

    /**
     * @param processes of each node
     */
    public UpdateRules rules(int processes) {
        UpdateRules rules = rules().withWeak(weak());
        return (views == null ? rules : rules.withViews(views)).forProcesses(processes);
    }

    private UpdateRules rules() {
        return new UpdateRules(
                Objects.requireNonNullElse(timeoutNanos, UpdateRules.DEFAULT.timeoutNanos()),
                Converters.ON.equals(lists)
                        ? Objects.requireNonNullElse(packetBytes, PACKET_BYTES_USUAL)
                        : UpdateRules.DEFAULT.packetBytes(),
                !Converters.OFF.equals(steady),
                readAheadPages == null
                        ? UpdateRules.DEFAULT.readAhead()
                        : ReadAheadRules.upTo(readAheadPages),
                Objects.requireNonNullElse(lazyBytes, UpdateRules.DEFAULT.lazyBytes()),
                Objects.requireNonNullElse(lazyWriters, UpdateRules.DEFAULT.lazyWriters()));
    }

    public AdaptiveTwinRules twins() {
        return Converters.OFF.equals(twins) ? AdaptiveTwinRules.OFF : AdaptiveTwinRules.DEFAULT;
    }

    /** Returns the options as arguments. */
    List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        if (timeoutNanos != null) {
            arguments.addAll(List.of(TIMEOUT, Converters.Window.text(timeoutNanos)));
        }
        if (lists != null) {
            arguments.addAll(List.of(LISTS, lists));
        }
        if (packetBytes != null) {
            arguments.addAll(List.of(PACKET_BYTES, packetBytes.toString()));
        }
        if (twins != null) {
            arguments.addAll(List.of(TWINS, twins));
        }
        if (steady != null) {
            arguments.addAll(List.of(STEADY, steady));
        }
        if (readAheadPages != null) {
            arguments.addAll(List.of(READ_AHEAD, Converters.Pages.text(readAheadPages)));
        }
        if (lazyBytes != null) {
            arguments.addAll(List.of(LAZY_BYTES, lazyBytes.toString()));
        }
        if (lazyWriters != null) {
            arguments.addAll(List.of(LAZY_WRITERS, lazyWriters.word()));
        }
        if (views != null) {
            arguments.addAll(List.of(FETCH, views.word()));
        }
        addWeak(arguments);
        return arguments;
    }

    private void addWeak(List<String> arguments) {
        if (weakTransition != null) {
            arguments.addAll(List.of(WEAK_TRANSITION, weakTransition.word()));
        }
        if (weakLists != null) {
            arguments.addAll(List.of(WEAK_LISTS, weakLists.word()));
        }
        if (weakNotices != null) {
            arguments.addAll(List.of(WEAK_NOTICES, weakNotices.word()));
        }
        if (weakUnsafeAfter != null) {
            arguments.addAll(List.of(WEAK_UNSAFE_AFTER, weakUnsafeAfter.toString()));
        }
        if (weakSafeAfter != null) {
            arguments.addAll(List.of(WEAK_SAFE_AFTER, weakSafeAfter.toString()));
        }
        if (isPooled) {
            arguments.add(POOL);
        }
    }
}
