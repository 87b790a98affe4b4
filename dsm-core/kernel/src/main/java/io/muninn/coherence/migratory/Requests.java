package io.muninn.coherence.migratory;

import io.muninn.model.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node knows of the requests for one page.
 *
 * @param sent how many it has sent itself
 * @param outrun the last request of each asker that the page had outrun when it was here, if any
 */
record Requests(int sent, List<Outrun> outrun) {
    static final Requests NONE = new Requests(0, List.of());

    Requests {
        outrun = List.copyOf(outrun);
    }

    Requests withOneMore() {
        return new Requests(sent + 1, outrun);
    }

    /** The page has come to this node, which has a request under way. */
    Requests withOutrun(NodeId self) {
        return with(List.of(new Outrun(self, sent)));
    }

    /** The page has come, and says what it has outrun. */
    Requests with(List<Outrun> more) {
        if (more.isEmpty()) {
            return this;
        }
        List<Outrun> all = new ArrayList<>(more);
        for (Outrun each : outrun) {
            if (!isOutrun(more, each.asker(), each.number())) {
                all.removeIf(older -> older.asker().equals(each.asker()));
                all.add(each);
            }
        }
        return new Requests(sent, all);
    }

    boolean isOutrun(NodeId asker, int number) {
        return isOutrun(outrun, asker, number);
    }

    private static boolean isOutrun(List<Outrun> outrun, NodeId asker, int number) {
        return outrun.stream()
                .anyMatch(each -> each.asker().equals(asker) && number <= each.number());
    }
}
