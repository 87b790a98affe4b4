package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.coherence.shared.ReadAhead;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What a step has to say to other nodes about pages: one message of a kind for each node, of all
 * pages. Images leave before pages change. Diffs wait for those that are being made for the same
 * event; they have names, and do not change.
 */
final class Outgoing {
    /** Bytes of diffs with which a message is full. */
    static final int DIFF_BYTES_MAX = 256 << 10;

    private static final class Given {
        final List<GivenDiffs> diffs = new ArrayList<>();
        long bytes;
    }

    private final Context context;
    private final Keepers keepers;
    private final TreeMap<NodeId, List<PageId>> wantedImages = new TreeMap<>();
    private final TreeMap<NodeId, List<WantedDiffs>> wantedDiffs = new TreeMap<>();
    private final TreeMap<NodeId, List<Image>> images = new TreeMap<>();
    private final TreeMap<NodeId, Given> diffs = new TreeMap<>();

    Outgoing(Context context, Keepers keepers) {
        this.context = context;
        this.keepers = keepers;
    }

    void askImage(NodeId of, PageId page) {
        wantedImages.computeIfAbsent(of, _ -> new ArrayList<>()).add(page);
    }

    void askDiffs(NodeId of, WantedDiffs wanted) {
        wantedDiffs.computeIfAbsent(of, _ -> new ArrayList<>()).add(wanted);
    }

    void giveImage(NodeId to, Image image, Effects out) {
        List<Image> of = images.computeIfAbsent(to, _ -> new ArrayList<>());
        of.add(image);
        if (of.size() == ReadAhead.pagesInOneReply(context.region(image.page()))) {
            out.send(to, new ImageReply(of));
            images.remove(to);
        }
    }

    /**
     * @param bytes of these diffs
     */
    void giveDiffs(NodeId to, GivenDiffs given, long bytes, Effects out) {
        Given of = diffs.computeIfAbsent(to, _ -> new Given());
        if (!of.diffs.isEmpty() && of.bytes + bytes > DIFF_BYTES_MAX) {
            out.send(to, new DiffReply(of.diffs));
            of.diffs.clear();
            of.bytes = 0;
        }
        of.diffs.add(given);
        of.bytes += bytes;
    }

    /** The images leave: no page has changed since they were given. */
    void sendImages(Effects out) {
        images.forEach((to, each) -> out.send(to, new ImageReply(each)));
        images.clear();
    }

    /**
     * The step is over.
     *
     * @param isMaking whether steps follow for the same event that say of diffs that they are made
     */
    void send(boolean isMaking, Effects out) {
        wantedImages.forEach((of, pages) ->
                out.send(of, new ImageRequest(context.self(), keepers.chosen(), pages)));
        wantedImages.clear();
        wantedDiffs.forEach((of, wanted) -> out.send(of, new DiffRequest(wanted)));
        wantedDiffs.clear();
        if (!isMaking) {
            diffs.forEach((to, given) -> out.send(to, new DiffReply(given.diffs)));
            diffs.clear();
        }
    }
}
