package io.muninn.coherence.shared;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node's requests for pages that travel with locks. A page may arrive at a node that has an
 * outstanding request for it: the page has overtaken the request, which must be dropped wherever it
 * arrives. Otherwise nodes that have had the page later would record the requester as the probable
 * owner, and requests would circulate. Requests are therefore numbered, and a page carries the list
 * of the requests that it has overtaken. A node stores the lists of the pages that it has had.
 */
public final class Requests {
    /** Number that stands for no request: the page was not requested. */
    public static final long UNASKED = 0;

    private final NodeId self;
    private long sent;
    private final Map<PageId, List<Outrun>> outrun = new LinkedHashMap<>(); // one per requester

    public Requests(NodeId self) {
        this.self = self;
    }

    /** The number of the next request that this node sends, for any page. */
    public long next() {
        return ++sent;
    }

    /** The requests that a page has overtaken, to be sent with it. */
    public List<Outrun> outrun(PageId page) {
        return outrun.getOrDefault(page, List.of());
    }

    public boolean isOutrun(PageId page, NodeId asker, long number) {
        return isOutrun(outrun(page), asker, number);
    }

    /** Adds the list of a page that has arrived at this node. */
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
        // for every request that arrives; the list is nearly always empty
        for (Outrun each : outrun) {
            if (each.asker().equals(asker) && number <= each.number()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Records that a page has arrived while this node's request with the number was outstanding.
     */
    public void outran(PageId page, long number) {
        came(page, List.of(new Outrun(self, number)));
    }
}
