package io.muninn.verify.program;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.ObjectId;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.Views;
import io.muninn.spi.WeakRules;
import io.muninn.verify.program.TextForms.Form;
import io.muninn.verify.program.TextForms.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * The text of a program: a line for each rule, each region, each initial store and each operation,
 * thread by thread. Blank lines, and lines that begin with a {@code #}, are ignored.
 *
 * <p>{@link #read} restores what {@link #format} has written, except for names and contents of
 * regions and for the units of steps: all steps are of one unit, from which {@link Program#split}
 * separates loads and stores.
 */
public final class ProgramText {
    private static final String COMMENT = "#";

    private static final Form<int[]> SIZE =
            new Form<>(
                    "(\\d+) nodes of (\\d+) threads",
                    words -> new int[] {words.count(1), words.count(2)});

    private static final Form<Integer> THREAD =
            new Form<>("node (\\d+) thread (\\d+)", words -> words.count(1) << 16 | words.count(2));

    private static final Form<Op.Store> INITIAL =
            new Form<>(
                    "initially store (-?\\d+) to (\\S+)",
                    words -> new Op.Store(words.variable(2), words.number(1)));

    private static final Form<BiFunction<Integer, Long, RegionSpec>> REGION =
            new Form<>(
                    "region (\\d+): ([A-Z_]+), (\\d+) pages of (\\d+) bytes, granule (\\d+)"
                            + "(?:, home ([A-Z_]+))?",
                    words -> (index, end) -> region(words, index, end));

    /** Many calls that do nothing; written by hand only. */
    private static final Form<List<Op>> POSTS =
            new Form<>(
                    "post calls (\\d+) to (\\d+) to (\\S+) of node (\\d+) as (-?\\d+)",
                    ProgramText::posts);

    /** Each sets one rule of a program. */
    private static final List<Form<UnaryOperator<Program>>> RULES =
            List.of(
                    rule("hold (\\d+) ns", (words, to) -> to.withHold(words.number(1))),
                    updates("update timeout (?:off|(\\d+) ns)", ProgramText::timeout),
                    updates("update lists (?:off|above (\\d+) bytes)", ProgramText::packets),
                    updates(
                            "steady access (on|off)",
                            (words, rules) -> rules.withSteadyAccess(words.isOn(1))),
                    updates(
                            "read-ahead (?:off|(\\d+) pages after (\\d+) faults)",
                            (words, rules) -> rules.withReadAhead(readAhead(words))),
                    updates(
                            "late prefetches are repeated",
                            (_, rules) ->
                                    rules.withReadAhead(rules.readAhead().withRepeatsLate(true))),
                    updates(
                            "lazy data up to (\\d+) bytes",
                            (words, rules) -> rules.withLazyBytes(words.number(1))),
                    updates(
                            "(single|multiple) writers of lazy pages",
                            (words, rules) ->
                                    rules.withLazyWriters(LazyWriters.valueOf(words.upper(1)))),
                    updates(
                            "weak pages: (delayed|immediate) transitions,"
                                    + " (distributed|centralized) lists,"
                                    + " notices at each (transition|publish),"
                                    + " unsafe after (\\d+), safe after (\\d+)(, over a pool)?",
                            (words, rules) -> rules.withWeak(weak(words))),
                    updates(
                            "messages of (\\d+) pages, (\\d+) bytes of diffs, (\\d+) bytes of"
                                    + " images, windows of (\\d+) bytes",
                            (words, rules) -> rules.withLimits(limits(words))),
                    rule(
                            "(?:no hot pages|hot after (\\d+)), cold after (\\d+)",
                            (words, to) -> to.withTwins(twins(words))),
                    rule(
                            "(?:a processor for each thread|(\\d+) processors), switch (\\d+) ns,"
                                    + " arrival (\\d+) ns, prefetch (\\d+) ns",
                            (words, to) -> to.withProcessors(processors(words))),
                    rule(
                            "(\\d+) processes on each node",
                            (words, to) -> to.withProcesses(words.count(1))),
                    rule("nodes on (\\d+) hosts", (words, to) -> to.withHosts(words.count(1))),
                    updates(
                            "fetches (take|merge) pages",
                            (words, rules) -> rules.withViews(views(words))),
                    rule(
                            "(\\d+) threads initialize",
                            (words, to) -> to.withInitializers(words.count(1))));

    /**
     * A program whose text need not have every rule.
     *
     * @param program with plain rules
     * @param rules changes a program to one with the rules of the text
     * @param marks lines of the text that are no rules of a program, but of its runs
     */
    record Draft(Program program, UnaryOperator<Program> rules, List<String> marks) {}

    private final List<RegionSpec> regions = new ArrayList<>();
    private final List<Op.Store> initial = new ArrayList<>();
    private final List<List<Program.Step>> scripts = new ArrayList<>();
    private final List<String> marks = new ArrayList<>();
    private UnaryOperator<Program> rules = UnaryOperator.identity();
    private int nodes;
    private int threads;
    private int thread = -1; // whose operations follow; -1 before the first

    private ProgramText() {}

    private static Form<UnaryOperator<Program>> rule(
            String pattern, BiFunction<Words, Program, Program> meaning) {
        return new Form<>(pattern, words -> to -> meaning.apply(words, to));
    }

    private static Form<UnaryOperator<Program>> updates(
            String pattern, BiFunction<Words, UpdateRules, UpdateRules> meaning) {
        return rule(pattern, (words, to) -> to.withUpdates(meaning.apply(words, to.updates())));
    }

    private static Views views(Words words) {
        return words.text(1).equals("take") ? Views.TAKING : Views.MERGING;
    }

    private static UpdateRules timeout(Words words, UpdateRules old) {
        return new UpdateRules(
                words.number(1, UpdateRules.NEVER),
                old.packetBytes(),
                old.steadyAccess(),
                old.readAhead(),
                old.lazyBytes(),
                old.lazyWriters(),
                old.views(),
                old.weak(),
                old.limits());
    }

    private static UpdateRules packets(Words words, UpdateRules old) {
        return new UpdateRules(
                old.timeoutNanos(),
                words.count(1, UpdateRules.ALL_DIRECT),
                old.steadyAccess(),
                old.readAhead(),
                old.lazyBytes(),
                old.lazyWriters(),
                old.views(),
                old.weak(),
                old.limits());
    }

    private static ReadAheadRules readAhead(Words words) {
        return new ReadAheadRules(words.count(1, 0), words.count(2, ReadAheadRules.START_USUAL));
    }

    private static WeakRules weak(Words words) {
        WeakRules rules =
                new WeakRules(
                        WeakRules.Transition.valueOf(words.upper(1)),
                        WeakRules.Lists.valueOf(words.upper(2)),
                        WeakRules.Notices.valueOf(words.upper(3)),
                        words.count(4),
                        words.count(5));
        return words.has(6) ? rules.pooled() : rules;
    }

    private static MessageLimits limits(Words words) {
        return new MessageLimits(words.count(1), words.count(2), words.count(3), words.count(4));
    }

    private static AdaptiveTwinRules twins(Words words) {
        return new AdaptiveTwinRules(words.count(1, AdaptiveTwinRules.NEVER), words.count(2));
    }

    private static ProcessorRules processors(Words words) {
        return new ProcessorRules(
                words.count(1, ProcessorRules.ONE_EACH.processors()),
                words.number(2),
                words.number(3),
                words.number(4));
    }

    private static List<Op> posts(Words words) {
        ObjectId object = new ObjectId(words.text(3));
        List<Op> ops = new ArrayList<>();
        for (long serial = words.number(1); serial <= words.number(2); serial++) {
            ops.add(new Op.Ship(object, words.count(4), words.number(5), serial, true));
            ops.add(new Op.Return(object, serial));
        }
        return ops;
    }

    private static RegionSpec region(Words words, int index, long end) {
        int pageBytes = words.count(4);
        if (words.count(1) != index) {
            throw new IllegalArgumentException("region " + index + " is expected");
        }
        return new RegionSpec(
                index,
                "region" + index,
                Protocol.valueOf(words.text(2)),
                (end + pageBytes - 1) / pageBytes * pageBytes,
                words.number(3) * pageBytes,
                words.count(5),
                pageBytes / RegionSpec.MACHINE_PAGE_BYTES,
                words.has(6) ? Home.valueOf(words.text(6)) : Home.BANDED,
                List.of());
    }

    /**
     * Reads a program with all its rules; those that the text does not have are plain.
     *
     * @throws IllegalArgumentException if a line cannot be read; the message has its number and
     *     text
     */
    public static Program read(String text) {
        Draft draft = draft(text.lines().toList(), 1, List.of());
        return draft.rules().apply(draft.program());
    }

    /**
     * @param known lines that are marks of the draft
     * @param firstLine number of the first of the lines, for messages
     * @throws IllegalArgumentException likewise
     */
    static Draft draft(List<String> lines, int firstLine, List<String> known) {
        ProgramText text = new ProgramText();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            try {
                if (known.contains(line)) {
                    text.marks.add(line);
                } else if (!line.isEmpty() && !line.startsWith(COMMENT)) {
                    text.take(line);
                }
            } catch (IllegalArgumentException unreadable) {
                throw new IllegalArgumentException(
                        "line " + (firstLine + i) + ": " + line + ": " + unreadable.getMessage(),
                        unreadable);
            }
        }
        return new Draft(text.program(), text.rules, List.copyOf(text.marks));
    }

    private Program program() {
        return new Program(nodes, threads, 0, regions, initial, scripts);
    }

    private void take(String line) {
        if (nodes == 0) {
            takeSize(TextForms.read(List.of(SIZE), line));
            return;
        }
        Optional<Integer> begun = THREAD.read(line);
        if (begun.isPresent()) {
            takeThread(begun.get() >> 16, begun.get() & 0xFFFF);
        } else if (thread >= 0) {
            POSTS.read(line)
                    .orElseGet(() -> List.of(TextForms.read(OpText.FORMS, line)))
                    .forEach(op -> scripts.get(thread).add(new Program.Step(0, op)));
        } else if (!takeRegion(line) && !takeInitial(line)) {
            UnaryOperator<Program> before = rules;
            UnaryOperator<Program> rule = TextForms.read(RULES, line);
            rules = program -> rule.apply(before.apply(program));
        }
    }

    private void takeSize(int[] size) {
        nodes = size[0];
        threads = size[1];
        for (int i = 0; i < nodes * threads; i++) {
            scripts.add(new ArrayList<>());
        }
    }

    private void takeThread(int node, int ofNode) {
        if (node >= nodes || ofNode >= threads) {
            throw new IllegalArgumentException("there is no such thread");
        }
        thread = node * threads + ofNode;
    }

    private boolean takeRegion(String line) {
        long end = regions.isEmpty() ? 0 : regions.getLast().end();
        Optional<RegionSpec> region =
                REGION.read(line).map(found -> found.apply(regions.size(), end));
        region.ifPresent(regions::add);
        return region.isPresent();
    }

    private boolean takeInitial(String line) {
        Optional<Op.Store> store = INITIAL.read(line);
        store.ifPresent(initial::add);
        return store.isPresent();
    }

    static String format(Program program) {
        StringBuilder text = new StringBuilder();
        text.append(program.nodes()).append(" nodes of ").append(program.threads());
        text.append(" threads\nhold ").append(program.holdNanos()).append(" ns\n");
        formatUpdates(program.updates(), text);
        AdaptiveTwinRules twins = program.twins();
        text.append(
                twins.hotAfter() == AdaptiveTwinRules.NEVER
                        ? "no hot pages"
                        : "hot after " + twins.hotAfter());
        text.append(", cold after ").append(twins.coldAfter()).append('\n');
        text.append(program.processors().text()).append('\n');
        if (program.processes() > 1) {
            text.append(program.processes()).append(" processes on each node\n");
            boolean isTaking = program.updates().views() == Views.TAKING;
            text.append("fetches ").append(isTaking ? "take" : "merge").append(" pages\n");
        }
        if (program.hosts() > 1) {
            text.append("nodes on ").append(program.hosts()).append(" hosts\n");
        }
        text.append(program.initializers()).append(" threads initialize\n");
        for (RegionSpec region : program.regions()) {
            text.append("region ").append(region.index()).append(": ").append(region.protocol());
            text.append(", ").append(region.pages()).append(" pages of ");
            text.append(region.pageBytes()).append(" bytes, granule ");
            text.append(region.granuleBytes());
            text.append(region.home() == Home.BANDED ? "" : ", home " + region.home());
            text.append('\n');
        }
        program.initial().forEach(each -> text.append("initially ").append(each).append('\n'));
        for (int i = 0; i < program.scripts().size(); i++) {
            List<Program.Step> script = program.scripts().get(i);
            if (!script.isEmpty()) {
                text.append("node ").append(i / program.threads());
                text.append(" thread ").append(i % program.threads()).append('\n');
                script.forEach(step -> text.append("    ").append(step.op()).append('\n'));
            }
        }
        return text.toString();
    }

    private static void formatUpdates(UpdateRules rules, StringBuilder text) {
        text.append("update timeout ");
        text.append(rules.timesOut() ? rules.timeoutNanos() + " ns" : "off");
        text.append("\nupdate lists ");
        text.append(
                rules.packetBytes() == UpdateRules.ALL_DIRECT
                        ? "off"
                        : "above " + rules.packetBytes() + " bytes");
        text.append("\nsteady access ").append(rules.steadyAccess() ? "on" : "off");
        ReadAheadRules ahead = rules.readAhead();
        text.append("\nread-ahead ");
        text.append(
                ahead.isOn()
                        ? ahead.pagesMax() + " pages after " + ahead.startAfter() + " faults"
                        : "off");
        text.append(ahead.repeatsLate() ? "\nlate prefetches are repeated" : "");
        text.append("\nlazy data up to ").append(rules.lazyBytes()).append(" bytes\n");
        text.append(rules.lazyWriters().name().toLowerCase(Locale.ROOT));
        text.append(" writers of lazy pages\n").append(rules.limits().text()).append('\n');
        text.append(rules.weak().equals(WeakRules.DEFAULT) ? "" : rules.weak().text() + '\n');
    }
}
