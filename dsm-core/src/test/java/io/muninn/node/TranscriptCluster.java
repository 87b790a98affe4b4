package io.muninn.node;

import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.Copyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.protocol.TwinRules;
import io.muninn.protocol.UpdateRules;
import io.muninn.wire.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The nodes of a transcript, and what they do, line by line. Threads run and calls and faults are
 * stepped at once; messages wait until the transcript delivers them, timers until it lets time
 * pass.
 */
final class TranscriptCluster {
    private static final Pattern DESCRIPTION =
            Pattern.compile(
                    "state=(?<state>\\w+).* probableOwner=(?<owner>\\d+) copyset=\\{(?<nodes>.*)}");

    /** One per message on its way. */
    private record Link(int from, int to) {}

    private final KernelFixture fixture;
    private final TranscriptRenderer renderer;
    private final ArrayDeque<Link> onTheirWay = new ArrayDeque<>(); // in order of sending
    private final List<String> lines = new ArrayList<>();

    TranscriptCluster(
            int nodes,
            int threads,
            UpdateRules updates,
            TwinRules twins,
            List<RegionSpec> regions) {
        this.fixture =
                new KernelFixture(
                        nodes,
                        threads,
                        KernelFixture.HOLD_NANOS,
                        updates,
                        twins,
                        regions.toArray(RegionSpec[]::new));
        this.renderer = new TranscriptRenderer(regions);
        fixture.nodes().forEach(node -> node.observe(this::stepped));
    }

    FixtureThread thread(int node, int thread) {
        return fixture.thread(node, thread);
    }

    List<FixtureNode> nodes() {
        return fixture.nodes();
    }

    /** Removes and returns what happened since the last call. */
    List<String> takeLines() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    /** Something that a thread has done. */
    void tell(int node, int thread, String deed) {
        String name = fixture.nodes().getFirst().threads().size() == 1 ? "" : ".t" + thread;
        lines.add("  n" + node + name + "  " + deed);
    }

    private void stepped(NodeId node, Event event, List<Effect> effects) {
        lines.add("  n" + node + "  " + renderer.event(event));
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send send) {
                onTheirWay.add(new Link(node.index(), send.to().index()));
            }
            if (!(effect instanceof Effect.Count)) {
                lines.add("        " + renderer.effect(effect));
            }
        }
    }

    /** Does everything that needs no message and no time. */
    void run() {
        Optional<KernelFixture.Choice> next;
        do {
            next =
                    fixture.choices().stream()
                            .filter(choice -> !(choice instanceof KernelFixture.Choice.Deliver))
                            .findFirst();
            next.ifPresent(fixture::take);
        } while (next.isPresent());
    }

    /** Delivers the oldest message of a link, held or not. */
    void deliver(int from, int to) {
        if (!onTheirWay.removeFirstOccurrence(new Link(from, to))) {
            throw new AssertionError("nothing is on its way from n" + from + " to n" + to);
        }
        fixture.take(new KernelFixture.Choice.Deliver(from, to));
        run();
    }

    /** Delivers in the order of sending, but for links that are held, until nothing is left. */
    void deliverAll() {
        Optional<Link> next;
        do {
            List<KernelFixture.Choice> choices = fixture.choices();
            next =
                    onTheirWay.stream()
                            .filter(link ->
                                    choices.contains(
                                            new KernelFixture.Choice.Deliver(
                                                    link.from(), link.to())))
                            .findFirst();
            next.ifPresent(link -> deliver(link.from(), link.to()));
        } while (next.isPresent());
    }

    boolean isQuiet() {
        return onTheirWay.isEmpty();
    }

    void hold(int from, int to) {
        fixture.hold(from, to);
    }

    void free(int from, int to) {
        fixture.free(from, to);
    }

    /** Lets time pass; timers fire when they are due. */
    void pass(long nanos) {
        long end = fixture.nowNanos() + nanos;
        while (nextDeadline() <= end) {
            fixture.passNanos(nextDeadline() - fixture.nowNanos());
            run();
        }
        fixture.passNanos(end - fixture.nowNanos());
    }

    private long nextDeadline() {
        return fixture.nodes().stream()
                .mapToLong(FixtureNode::nextDeadline)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** A page as each node has it: state, access, directory entry, content. */
    void show(PageId page) {
        List<List<String>> rows = fixture.nodes().stream().map(node -> row(node, page)).toList();
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (int i = 0; i < columns; i++) {
            int column = i;
            widths[i] = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append("  ").append(row.get(i));
                line.append(" ".repeat(widths[i] - row.get(i).length()));
            }
            lines.add(line.toString().stripTrailing());
        }
    }

    private static List<String> row(FixtureNode node, PageId page) {
        Matcher entry = DESCRIPTION.matcher(node.describe(page));
        if (!entry.find()) {
            throw new AssertionError("not a description: " + node.describe(page));
        }
        return List.of(
                "n" + node.self(),
                entry.group("state"),
                node.pages().access(page).name(),
                "probable owner n" + entry.group("owner"),
                "copyset " + nodes(entry.group("nodes")),
                content(node.pages(), page));
    }

    private static String nodes(String indices) {
        Copyset nodes = Copyset.EMPTY;
        for (String index : indices.isEmpty() ? new String[0] : indices.split(",")) {
            nodes = nodes.with(NodeId.of(Integer.parseInt(index)));
        }
        return TranscriptRenderer.nodes(nodes);
    }

    private static String content(MemoryPages pages, PageId page) {
        if (!pages.isPresent(page)) {
            return "no content";
        }
        String content = TranscriptRenderer.image(pages.bytes(new Payload.PageImage(page)));
        return pages.hasTwin(page)
                ? content
                        + ", twin "
                        + TranscriptRenderer.image(pages.bytes(new Payload.TwinImage(page)))
                : content;
    }
}
