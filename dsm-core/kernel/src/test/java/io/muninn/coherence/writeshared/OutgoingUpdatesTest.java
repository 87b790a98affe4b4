package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.node;
import static io.muninn.coherence.Subject.send;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.writeshared.Flushes.OpenFlush;
import io.muninn.coherence.writeshared.Flushes.PageUpdate;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.coherence.writeshared.WriteSharedMessages.UpdateList;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.PageId;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.UpdateRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The diffs that are sent directly, and those that are listed: by node 1; nodes 2 and 3 hold all.
 */
class OutgoingUpdatesTest {
    private static final int PACKET_BYTES = 100;

    private final FakeContext context = new FakeContext(1, Protocol.WRITE_SHARED);
    private final Directory<String> directory = new Directory<>(context.self(), () -> "");
    private final RecordingEffects out = new RecordingEffects();
    private final OutgoingUpdates outgoing;

    OutgoingUpdatesTest() {
        context.updates(new UpdateRules(1_000, PACKET_BYTES));
        directory.add(context.region());
        outgoing = new OutgoingUpdates(context, new RaceChecks(context, new Flushes(context)));
    }

    /** A page whose copy this node has, or has given up to node 2. */
    private DirectoryEntry<String> page(int index, boolean isGivenUp) {
        DirectoryEntry<String> entry = directory.entry(new PageId(0, index));
        DatedCopyset all = DatedCopyset.of(Copyset.of(node(1))).with(node(2), 0).with(node(3), 0);
        entry.copies(isGivenUp ? all.end(node(1)) : all);
        entry.probableOwner(node(2));
        return entry;
    }

    private PageUpdate tell(DirectoryEntry<String> entry, int bytes) {
        PageUpdate update = new PageUpdate(entry.page(), new OpenFlush(1, false));
        update.bytes = bytes;
        outgoing.tell(update, entry, out);
        return update;
    }

    private static Update update(DirectoryEntry<?>... entries) {
        return new Update(
                1, List.of(entries).stream().map(each -> OutgoingUpdates.diff(each, 1)).toList());
    }

    private static UpdateList list(DirectoryEntry<?>... entries) {
        return new UpdateList(
                1,
                List.of(entries).stream()
                        .map(each -> OutgoingUpdates.diff(each, 1).offer())
                        .toList());
    }

    private void expectSent(Object... effects) {
        outgoing.send(out);
        assertEquals(List.of(effects), out.take());
    }

    @Test
    void longDiffsOfOwnCopies_areOfferedToAll() {
        DirectoryEntry<String> first = page(3, false);
        DirectoryEntry<String> second = page(4, false);
        tell(first, PACKET_BYTES);
        tell(second, 1);

        expectSent(
                count(NodeCounter.UPDATE_LISTS_SENT),
                send(2, list(first, second)),
                count(NodeCounter.UPDATE_LISTS_SENT),
                send(3, list(first, second)));
    }

    @Test
    void whoTookTheCopyOver_isSentTheDiffAtOnce_andOthersWhenItHasAnswered() {
        DirectoryEntry<String> entry = page(3, true);
        PageUpdate update = tell(entry, PACKET_BYTES + 1);
        expectSent(send(2, update(entry)));

        update.missing = Copyset.EMPTY;
        outgoing.tell(update, entry, out);

        expectSent(count(NodeCounter.UPDATE_LISTS_SENT), send(3, list(entry)));
    }

    @Test
    void longDiffsThatAreWanted_doNotTurnOthersIntoOffers() {
        DirectoryEntry<String> wanted = page(3, true);
        DirectoryEntry<String> offered = page(4, false);
        tell(wanted, PACKET_BYTES);
        tell(offered, PACKET_BYTES);
        expectSent(send(2, update(wanted, offered)), send(3, update(offered)));
    }

    @Test
    void toOneNode_someAreSentAndOthersOffered() {
        DirectoryEntry<String> wanted = page(3, true);
        DirectoryEntry<String> offered = page(4, false);
        tell(wanted, 1);
        tell(offered, PACKET_BYTES + 1);

        expectSent(
                send(2, update(wanted)),
                count(NodeCounter.UPDATE_LISTS_SENT),
                send(2, list(offered)),
                count(NodeCounter.UPDATE_LISTS_SENT),
                send(3, list(offered)));
    }

    @Test
    void pageThatAllHaveWantedTwice_isNotOfferedAnyMore() {
        DirectoryEntry<String> entry = page(3, false);
        for (int i = 0; i < 2; i++) {
            tell(entry, PACKET_BYTES + 1);
            expectOffered(entry);
        }
        for (int i = 0; i < 2; i++) {
            tell(entry, PACKET_BYTES + 1);
            expectSent(send(2, update(entry)), send(3, update(entry)));
        }
    }

    @Test
    void copyThatEnded_hasItsPageOfferedAgain() {
        DirectoryEntry<String> entry = page(3, false);
        for (int i = 0; i < 3; i++) {
            tell(entry, PACKET_BYTES + 1);
        }
        outgoing.send(out);
        out.take();
        entry.copies(entry.copies().end(node(3)).with(node(3), 1));
        for (int i = 0; i < 2; i++) {
            tell(entry, PACKET_BYTES + 1);
            expectOffered(entry);
        }

        tell(entry, PACKET_BYTES + 1);
        expectSent(send(2, update(entry)), send(3, update(entry)));
    }

    private OutgoingUpdates limited(int pages, int bytes) {
        context.updates(UpdateRules.PLAIN.withLimits(new MessageLimits(pages, bytes, 1, 1)));
        return new OutgoingUpdates(context, new RaceChecks(context, new Flushes(context)));
    }

    private void tell(OutgoingUpdates by, DirectoryEntry<String> entry, int bytes) {
        PageUpdate update = new PageUpdate(entry.page(), new OpenFlush(1, false));
        update.bytes = bytes;
        by.tell(update, entry, out);
    }

    @Test
    void messageWithSoManyPages_goesAtOnce() {
        OutgoingUpdates limited = limited(2, 1_000);
        tell(limited, page(3, false), 0);
        assertEquals(List.of(), out.take());
        tell(limited, page(4, false), 0);
        Update full = update(page(3, false), page(4, false));
        assertEquals(List.of(send(2, full), send(3, full)), out.take());

        tell(limited, page(5, false), 0);
        limited.send(out);
        Update rest = update(page(5, false));
        assertEquals(List.of(send(2, rest), send(3, rest)), out.take());
    }

    @Test
    void messageWithSoManyBytes_goesAtOnce() {
        OutgoingUpdates limited = limited(100, 50);
        tell(limited, page(3, false), 49);
        assertEquals(List.of(), out.take());
        tell(limited, page(4, false), 1);
        Update full = update(page(3, false), page(4, false));
        assertEquals(List.of(send(2, full), send(3, full)), out.take());

        limited.send(out);
        assertEquals(List.of(), out.take());
    }

    private void expectOffered(DirectoryEntry<String> entry) {
        expectSent(
                count(NodeCounter.UPDATE_LISTS_SENT),
                send(2, list(entry)),
                count(NodeCounter.UPDATE_LISTS_SENT),
                send(3, list(entry)));
    }
}
