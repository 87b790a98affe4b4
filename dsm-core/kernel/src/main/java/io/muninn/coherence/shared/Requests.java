package io.muninn.coherence.shared;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node's requests for pages that travel with locks. A page may come to a node that has a request
 * for it under way: the page has outrun the request, which has to be dropped wherever it arrives.
 * Otherwise it would make nodes that have had the page later name the asker as the probable owner,
 * and requests would go round in a circle. Requests are therefore numbered, and a page carries
 * which requests it has outrun. A node remembers what the pages that it had have told it.
 */
public final class Requests {
    /** Of no request: the page comes unasked. */
    public static final long UNASKED = 0;

    private final NodeId self;
    private long sent;
    private final Map<PageId, List<Outrun>> outrun = new LinkedHashMap<>(); // of one per asker

    public Requests(NodeId self) {
        this.self = self;
    }

    /** The number of the next request that this node sends, for whichever page. */
    public long next() {
        return ++sent;
    }

    /** What a page that leaves this node has outrun. */
    public List<Outrun> outrun(PageId page) {
        return outrun.getOrDefault(page, List.of());
    }

    public boolean isOutrun(PageId page, NodeId asker, long number) {
        return isOutrun(outrun(page), asker, number);
    }

    /** A page has come to this node, and says what it has outrun. */
    public void came(PageId page, List<Outrun> told) {
        if (told.isEmpty()) {
            return;
        }
        List<Outrun> all = new ArrayList<>(told);
        for (Outrun known : outrun(page)) {
            if (!isOutrun(all, known.asker(), known.number())) {
                all.removeIf(older -> older.asker().equals(known.asker()));
                all.add(known);
            }
        }
        outrun.put(page, List.copyOf(all));
    }

    private static boolean isOutrun(List<Outrun> outrun, NodeId asker, long number) {
        for (Outrun each : outrun) { // for every request that arrives; nearly always none
            if (each.asker().equals(asker) && number <= each.number()) {
                return true;
            }
        }
        return false;
    }

    /** A page has come while this node's request of the number was under way. */
    public void outran(PageId page, long number) {
        came(page, List.of(new Outrun(self, number)));
    }
}
