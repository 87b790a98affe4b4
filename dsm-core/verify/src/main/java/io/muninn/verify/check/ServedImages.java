package io.muninn.verify.check;

import io.muninn.api.Protocol;
import io.muninn.diff.Diff;
import io.muninn.kernel.NodeKernel;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.Link;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimPages;
import io.muninn.sim.SimThread;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.ByteReader;
import io.muninn.wire.Codecs;
import io.muninn.wire.Payload;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A node can correct every image that it has sent. After the step that sent an image of a page with
 * twins, the sender has discarded the page, or has a twin equal to the image, or has a page that
 * equals the image and cannot be stored to before a twin is made. So a later diff contains every
 * element that differs from the image. This does not hold for a whole page, whose sender names
 * pages instead of elements. Nor for a pool, where the image is that of a frame. An image of a
 * sealed page equals the content that the root sealed.
 */
final class ServedImages implements Checker {
    static final String NAME = "served images";

    private static final Codecs CODECS = new Codecs(NodeKernel.codecs());

    private final List<MemorySegment> sealed = new ArrayList<>(); // by region

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Records the content of sealed regions, which do not change from now on; later regions contain
     * zeros.
     */
    @Override
    public void onInitialized(SimThread root) {
        SimPages pages = root.node().pages();
        for (int region = sealed.size(); region < pages.regionCount(); region++) {
            MemorySegment memory = pages.memory(region);
            MemorySegment copy = MemorySegment.ofArray(new long[(int) (memory.byteSize() >> 3)]);
            boolean isSealed = pages.spec(region).protocol().isSealed();
            sealed.add(isSealed ? copy.copyFrom(memory) : MemorySegment.NULL);
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (int i = 0; i < effects.size(); i++) {
            if (effects.get(i) instanceof Effect.Send(NodeId to, ProtocolMessage.Reply message)
                    && isChecked(node, message.page(0))) {
                Link link = node.simulation().link(node.id().index(), to.index());
                int nodes = node.simulation().nodes().size();
                for (Link.Frame frame : link.frames()) {
                    if (frame.message() == message) {
                        check(
                                node,
                                (ProtocolMessage.Reply)
                                        CODECS.decode(new ByteReader(frame.bytes(), nodes)),
                                effects.subList(i + 1, effects.size()));
                    }
                }
            }
        }
    }

    /**
     * @param later effects of the same step that were performed after the image was sent
     */
    private void check(SimNode node, ProtocolMessage.Reply reply, List<Effect> later) {
        for (PageId page : reply.pages()) {
            if (reply.givesOwnership(page) && reply.imageOf(page) instanceof Payload.None) {
                continue; // the new owner already has the content
            }
            if (protocol(node, page).isSealed()) {
                checkSealed(node, page, received(node, page, reply.imageOf(page)));
            } else if (!contract(node, page).is(Mark.WHOLE)) {
                checkUpdatable(node, page, received(node, page, reply.imageOf(page)), later);
            }
        }
    }

    private static Protocol protocol(SimNode node, PageId page) {
        return node.pages().spec(page.region()).protocol();
    }

    private static ProtocolTraits.State contract(SimNode node, PageId page) {
        return node.traits(page).state(node.snapshot(page).state());
    }

    private static boolean isChecked(SimNode node, PageId page) {
        ProtocolTraits traits = node.traits(page);
        return protocol(node, page).isSealed()
                || traits.has(Trait.TWINS) && !traits.has(Trait.POOLED);
    }

    /**
     * Checks a page against a sent image. Diffs that the step applied afterwards are in page and
     * twin, but not in the image.
     */
    private void checkUpdatable(
            SimNode node, PageId page, MemorySegment image, List<Effect> later) {
        SimPages pages = node.pages();
        if (!pages.isPresent(page)) {
            return;
        }
        int granule = pages.spec(page.region()).granuleBytes();
        for (Effect effect : later) {
            if (effect instanceof Effect.ApplyDiff(PageId other, Payload diff)
                    && other.equals(page)) {
                Diff.apply(pages.bytes(diff), image, granule);
            }
        }
        if (pages.hasTwin(page)) {
            checkEqual(node, page, image, pages.twin(page), "its twin");
        } else if (pages.access(page) == PageAccess.READ_WRITE) {
            throw violation(
                    node.describe(page)
                            + " was served and may be stored to without a twin: what is stored now"
                            + " is in no diff");
        } else {
            checkEqual(node, page, image, pages.content(page), "the page");
        }
    }

    private void checkSealed(SimNode node, PageId page, MemorySegment image) {
        long bytes = image.byteSize();
        if (page.region() < sealed.size()) {
            MemorySegment region = sealed.get(page.region());
            checkEqual(
                    node,
                    page,
                    image,
                    region.asSlice(page.index() * bytes, bytes),
                    "what was sealed");
        } else {
            checkEqual(node, page, image, zeros(bytes), "zeros");
        }
    }

    /** The bytes of an image as received. */
    private MemorySegment received(SimNode node, PageId page, Payload image) {
        if (!(image instanceof Payload.Received(MemorySegment bytes, boolean zero))) {
            throw violation(node.describe(page) + " was served without an image");
        }
        MemorySegment received = zeros(node.pages().spec(page.region()).pageBytes());
        return zero ? received : received.copyFrom(bytes);
    }

    private static MemorySegment zeros(long bytes) {
        return MemorySegment.ofArray(new byte[(int) bytes]);
    }

    private void checkEqual(
            SimNode node, PageId page, MemorySegment image, MemorySegment expected, String what) {
        long at = image.mismatch(expected);
        if (at < 0) {
            return;
        }
        throw violation(
                node.describe(page)
                        + " was served with another byte at offset "
                        + at
                        + " than "
                        + what
                        + ": a later diff cannot take it back");
    }
}
