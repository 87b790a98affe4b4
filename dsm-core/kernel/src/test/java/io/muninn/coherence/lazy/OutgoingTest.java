package io.muninn.coherence.lazy;

import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.send;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.lazy.LazyMessages.DiffReply;
import io.muninn.coherence.lazy.LazyMessages.GivenDiffs;
import io.muninn.coherence.lazy.LazyMessages.Image;
import io.muninn.coherence.lazy.LazyMessages.ImageReply;
import io.muninn.coherence.lazy.LazyMessages.Push;
import io.muninn.directory.AppliedDiffs;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the messages of node 1 are full: with 2 images, or with 100 bytes of diffs. */
class OutgoingTest {
    private static final int DIFF_BYTES = 100;
    private static final int IMAGES = 2;

    private final FakeContext context = new FakeContext(1, Protocol.LAZY);
    private final RecordingEffects out = new RecordingEffects();
    private final Outgoing outgoing = new Outgoing(context, new Keepers(context.nodes()));

    OutgoingTest() {
        int imageBytes = IMAGES * RegionSpec.MACHINE_PAGE_BYTES;
        context.updates(
                UpdateRules.PLAIN.withLimits(new MessageLimits(1, DIFF_BYTES, imageBytes, 1)));
    }

    private static Image image(int page) {
        PageId id = new PageId(0, page);
        return new Image(id, false, AppliedDiffs.EMPTY, new Payload.PageImage(id));
    }

    private static Image onlyImage(int page) {
        Image image = image(page);
        return new Image(image.page(), true, image.applied(), image.image());
    }

    private static GivenDiffs diffs(int page) {
        return new GivenDiffs(new PageId(0, page), List.of());
    }

    private static Effect sendImages(int to, Image... images) {
        return send(to, new ImageReply(List.of(images)));
    }

    private static Effect sendDiffs(int to, int... pages) {
        return send(to, new DiffReply(Arrays.stream(pages).mapToObj(OutgoingTest::diffs).toList()));
    }

    private static Effect sendPush(int to, int... pages) {
        return send(to, new Push(Arrays.stream(pages).mapToObj(OutgoingTest::diffs).toList()));
    }

    private void giveImages(int to, Image... images) {
        List.of(images).forEach(each -> outgoing.giveImage(node(to), each, out));
    }

    private void expect(Object... effects) {
        assertEquals(List.of(effects), out.take());
    }

    @Test
    void imagesThatFit_leaveTogetherAtTheEnd() {
        giveImages(2, image(3));
        giveImages(3, image(4));
        expect();

        outgoing.sendImages(out);
        expect(sendImages(2, image(3)), sendImages(3, image(4)));
        outgoing.sendImages(out);
        expect();
    }

    @Test
    void fullImageReply_leavesAtOnceAndOnce() {
        giveImages(2, image(3), image(4));
        expect(sendImages(2, image(3), image(4)));

        giveImages(2, image(5));
        expect();
        outgoing.sendImages(out);
        expect(sendImages(2, image(5)));
    }

    @Test
    void pagesHandedOver_areDiscardedBehindTheLastImage() {
        giveImages(2, onlyImage(3), image(4));
        expect(sendImages(2, onlyImage(3), image(4)));

        giveImages(2, image(5));
        outgoing.sendImages(out);
        expect(sendImages(2, image(5)), new Effect.Discard(new PageId(0, 3)));
    }

    @Test
    void diffsThatFit_leaveTogetherAtTheEnd() {
        outgoing.giveDiffs(node(2), diffs(3), DIFF_BYTES - 1, out);
        outgoing.giveDiffs(node(3), diffs(3), DIFF_BYTES, out);
        outgoing.giveDiffs(node(2), diffs(4), 1, out);
        outgoing.send(true, out);
        expect();

        outgoing.send(false, out);
        expect(sendDiffs(2, 3, 4), sendDiffs(3, 3));
        outgoing.send(false, out);
        expect();
    }

    @Test
    void diffsThatDoNotFit_areInTheNextMessageOnly() {
        outgoing.giveDiffs(node(2), diffs(3), DIFF_BYTES, out);
        outgoing.giveDiffs(node(2), diffs(4), 1, out);
        expect(sendDiffs(2, 3));
        outgoing.giveDiffs(node(2), diffs(5), DIFF_BYTES - 1, out);
        expect();
        outgoing.giveDiffs(node(2), diffs(6), 1, out);
        expect(sendDiffs(2, 4, 5));

        outgoing.send(false, out);
        expect(sendDiffs(2, 6));
    }

    @Test
    void diffLongerThanAMessage_goesAlone() {
        outgoing.giveDiffs(node(2), diffs(3), DIFF_BYTES + 1, out);
        expect();
        outgoing.giveDiffs(node(2), diffs(4), DIFF_BYTES + 1, out);
        expect(sendDiffs(2, 3));

        outgoing.send(false, out);
        expect(sendDiffs(2, 4));
    }

    @Test
    void pushes_areCutLikewise() {
        outgoing.push(node(2), diffs(3), DIFF_BYTES, out);
        outgoing.push(node(2), diffs(4), 1, out);
        expect(sendPush(2, 3));

        outgoing.sendPushes(out);
        expect(sendPush(2, 4));
        outgoing.sendPushes(out);
        expect();
    }
}
