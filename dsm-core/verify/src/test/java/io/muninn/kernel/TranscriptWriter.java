package io.muninn.kernel;

import io.muninn.api.spi.RegionSpec;
import io.muninn.directory.Copyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Records, line by line, the actions of a transcript's nodes. */
final class TranscriptWriter implements Observer {
    private static final Pattern DESCRIPTION =
            Pattern.compile(
                    "state=(?<state>\\w+).* probableOwner=(?<owner>\\d+) copyset=\\{(?<nodes>.*)}");

    private final TranscriptRenderer renderer;
    private final boolean namesThreads;
    private final List<String> lines = new ArrayList<>();

    TranscriptWriter(List<RegionSpec> regions, int threads, int processes) {
        renderer = new TranscriptRenderer(regions, processes > 1);
        namesThreads = threads > 1;
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        if (event instanceof Event.RegionAdded) {
            return; // the transcript itself states it
        }
        lines.add("  n" + node.id() + "  " + renderer.event(event));
        for (Effect effect : effects) {
            lines.add("        " + renderer.effect(effect));
        }
    }

    /** Removes and returns the actions since the last call. */
    List<String> takeLines() {
        List<String> taken = List.copyOf(lines);
        lines.clear();
        return taken;
    }

    /** Records an action of a thread. */
    void tell(int node, int thread, String deed) {
        String name = namesThreads ? ".t" + thread : "";
        lines.add("  n" + node + name + "  " + deed);
    }

    /** Records a page on each node: state, access, directory entry, content. */
    void show(List<SimNode> nodes, PageId page) {
        List<List<String>> rows = nodes.stream().map(node -> row(node, page)).toList();
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

    private static List<String> row(SimNode node, PageId page) {
        Matcher entry = DESCRIPTION.matcher(node.describe(page));
        if (!entry.find()) {
            throw new AssertionError("not a description: " + node.describe(page));
        }
        return List.of(
                "n" + node.id(),
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

    private static String content(SimPages pages, PageId page) {
        if (!pages.isPresent(page)) {
            return "no content";
        }
        String content = TranscriptRenderer.image(pages.content(page));
        return pages.hasTwin(page)
                ? content + ", twin " + TranscriptRenderer.image(pages.twin(page))
                : content;
    }
}
