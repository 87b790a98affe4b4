package io.muninn.coherence.lazy;

import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.DiffRequest;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.ImageRequest;
import io.muninn.coherence.lazy.LazyMessages.Msg;
import io.muninn.coherence.lazy.LazyMessages.Push;
import io.muninn.coherence.lazy.LazyMessages.Unread;
import io.muninn.coherence.lazy.LazyMessages.WantedDiffs;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The messages of a step to other nodes about pages: one message of each kind per node, for all
 * pages. Images are sent before pages change. Diffs are sent together with those that are being
 * made for the same event; they are identified by name, and do not change.
 */
final class Outgoing {
    private static final class Given {
        final List<GivenDiffs> diffs = new ArrayList<>();
        long bytes;
    }

    private final Context context;
    private final Keepers keepers;
    private final TreeMap<NodeId, List<PageId>> wantedImages = new TreeMap<>();
    private final TreeMap<NodeId, List<WantedDiffs>> wantedDiffs = new TreeMap<>();
    private final TreeMap<NodeId, List<Image>> images = new TreeMap<>();
    private final List<PageId> handedOver = new ArrayList<>(); // with these images
    private final TreeMap<NodeId, List<ImageRequest>> forwarded = new TreeMap<>();
    private final TreeMap<NodeId, Given> diffs = new TreeMap<>();
    private final TreeMap<NodeId, Given> pushes = new TreeMap<>();
    private final TreeMap<NodeId, List<PageId>> unread = new TreeMap<>();

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

    /** Notifies another node that this node does not read the diffs that it pushes of a page. */
    void tellUnread(NodeId writer, PageId page) {
        unread.computeIfAbsent(writer, _ -> new ArrayList<>()).add(page);
    }

    /** Forwards a request to another node, after the images of this step. */
    void forward(NodeId keeper, ImageRequest request) {
        List<ImageRequest> of = forwarded.computeIfAbsent(keeper, _ -> new ArrayList<>());
        if (!of.isEmpty() && of.getLast().isAlike(request)) {
            of.add(of.removeLast().and(request));
        } else {
            of.add(request);
        }
    }

    void giveImage(NodeId to, Image image, Effects out) {
        if (image.exclusive()) {
            handedOver.add(image.page());
        }
        List<Image> of = images.computeIfAbsent(to, _ -> new ArrayList<>());
        of.add(image);
        if (of.size() >= context.updates().limits().images(context.region(image.page()))) {
            out.send(to, new ImageReply(of));
            images.remove(to);
        }
    }

    /**
     * @param bytes of these diffs
     */
    void giveDiffs(NodeId to, GivenDiffs given, long bytes, Effects out) {
        add(diffs, to, given, bytes, DiffReply::new, out);
    }

    /**
     * @param bytes of these diffs
     */
    void push(NodeId to, GivenDiffs given, long bytes, Effects out) {
        add(pushes, to, given, bytes, Push::new, out);
    }

    private void add(
            TreeMap<NodeId, Given> outgoing,
            NodeId to,
            GivenDiffs given,
            long bytes,
            Function<List<GivenDiffs>, Msg> message,
            Effects out) {
        Given of = outgoing.computeIfAbsent(to, _ -> new Given());
        if (!of.diffs.isEmpty() && of.bytes + bytes > context.updates().limits().diffBytes()) {
            out.send(to, message.apply(of.diffs));
            of.diffs.clear();
            of.bytes = 0;
        }
        of.diffs.add(given);
        of.bytes += bytes;
    }

    /** Sends the pushes. */
    void sendPushes(Effects out) {
        pushes.forEach((to, given) -> out.send(to, new Push(given.diffs)));
        pushes.clear();
    }

    /** Sends the images; no page has changed since they were added. */
    void sendImages(Effects out) {
        images.forEach((to, each) -> out.send(to, new ImageReply(each)));
        images.clear();
        handedOver.forEach(out::discard);
        handedOver.clear();
    }

    /**
     * Ends the step.
     *
     * @param isMaking true if later steps for the same event will report diffs as made
     */
    void send(boolean isMaking, Effects out) {
        forwarded.forEach((keeper, requests) -> {
            out.count(NodeCounter.FORWARDS, requests.size());
            requests.forEach(each -> out.send(keeper, each));
        });
        forwarded.clear();
        wantedImages.forEach((of, pages) ->
                out.send(of, new ImageRequest(context.self(), keepers.chosen(), pages)));
        wantedImages.clear();
        wantedDiffs.forEach((of, wanted) -> out.send(of, new DiffRequest(wanted)));
        wantedDiffs.clear();
        unread.forEach((writer, pages) -> out.send(writer, new Unread(pages)));
        unread.clear();
        if (!isMaking) {
            diffs.forEach((to, given) -> out.send(to, new DiffReply(given.diffs)));
            diffs.clear();
        }
    }
}
