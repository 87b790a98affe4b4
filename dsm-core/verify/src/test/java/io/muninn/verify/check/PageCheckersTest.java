package io.muninn.verify.check;

import static io.muninn.api.Protocol.CONVENTIONAL;
import static io.muninn.api.Protocol.MIGRATORY;
import static io.muninn.api.Protocol.READ_ONLY;
import static io.muninn.api.Protocol.WRITE_SHARED;
import static io.muninn.model.MappingId.FIRST;
import static io.muninn.verify.check.Runs.PAGE;
import static io.muninn.verify.check.Runs.assertFires;
import static io.muninn.verify.check.Runs.assertSays;
import static io.muninn.verify.check.Runs.deafTo;
import static io.muninn.verify.check.Runs.effect;
import static io.muninn.verify.check.Runs.next;
import static io.muninn.verify.check.Runs.once;
import static io.muninn.verify.check.Runs.sending;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Protocol;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.coherence.migratory.Migratory;
import io.muninn.coherence.readonly.ReadOnly;
import io.muninn.coherence.writeshared.WriteSharedMessages;
import io.muninn.directory.Copyset;
import io.muninn.model.PageAccess;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.Violation;
import io.muninn.spi.Effect;
import io.muninn.verify.program.SeededRun;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checkers of access to pages, locations of copies, and states of pages. */
class PageCheckersTest {
    private static final Runs.Step STORING =
            effect(new Effect.ResumeFault(FIRST, PAGE, PageAccess.READ_WRITE));

    private final ClusterView overview = new ClusterView();

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void rightRuns_areSilent(Protocol protocol) {
        Runs.run(
                protocol,
                List.of(
                        overview,
                        new OneWriter(overview),
                        new Copysets(overview),
                        new ProbableOwners(overview),
                        new Twins(overview),
                        new ServedImages()));
    }

    // one writer

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY"})
    void accessWhileAnotherNodeMayStore_isFound(Protocol protocol) {
        Violation found =
                assertFires(
                        OneWriter.NAME,
                        protocol,
                        List.of(
                                once(
                                        STORING,
                                        node ->
                                                next(node)
                                                        .pages()
                                                        .resume(FIRST, PAGE, PageAccess.READ)),
                                overview,
                                new OneWriter(overview)));

        assertSays(found, "variable 'shared'");
    }

    @Test
    void contentOfAMigratoryPageOnTwoNodes_isFound() {
        assertFires(
                OneWriter.NAME,
                MIGRATORY,
                List.of(
                        once(
                                STORING,
                                node -> next(node).pages().resume(FIRST, PAGE, PageAccess.NONE)),
                        overview,
                        new OneWriter(overview)));
    }

    @Test
    void contentOfAMigratoryPageThatIsOnItsWay_isFound() {
        Violation found =
                assertFires(
                        OneWriter.NAME,
                        MIGRATORY,
                        List.of(
                                once(
                                        sending(Migratory.PageMove.class),
                                        node -> node.pages().resume(FIRST, PAGE, PageAccess.NONE)),
                                overview,
                                new OneWriter(overview)));

        assertSays(found, "on its way");
    }

    // copysets

    @Test
    void copyThatTheOwnerDoesNotKnow_isFound() {
        Violation found =
                assertFires(
                        Copysets.NAME,
                        CONVENTIONAL,
                        List.of(
                                once(
                                        STORING,
                                        node ->
                                                next(node)
                                                        .pages()
                                                        .resume(FIRST, PAGE, PageAccess.NONE)),
                                overview,
                                new Copysets(overview)));

        assertSays(found, "does not know of the copies");
    }

    @Test
    void ownershipThatNobodyHas_isFound() {
        Violation found =
                assertFires(
                        Copysets.NAME,
                        CONVENTIONAL,
                        List.of(
                                deafTo(
                                        Conventional.WriteGrant.class,
                                        overview,
                                        new Copysets(overview))));

        assertSays(found, "no owner");
    }

    @Test
    void secondHolderOfAnExclusivePage_isFound() {
        Violation found =
                assertFires(
                        Copysets.NAME,
                        WRITE_SHARED,
                        List.of(
                                once(
                                        (node, _, _) -> isState(node, "Exclusive"),
                                        node ->
                                                next(node)
                                                        .pages()
                                                        .resume(FIRST, PAGE, PageAccess.NONE)),
                                overview,
                                new Copysets(overview)));

        assertSays(found, "held by no other node");
    }

    @Test
    void holderThatNoCopysetLeadsTo_isFound() {
        List<Observer> spoilt =
                List.of(
                        once(
                                (node, _, _) -> isSharedByTwo(node),
                                node ->
                                        node.simulation().nodes().stream()
                                                .filter(each -> !each.pages().isPresent(PAGE))
                                                .forEach(each ->
                                                        each.pages()
                                                                .resume(
                                                                        FIRST,
                                                                        PAGE,
                                                                        PageAccess.NONE))),
                        overview,
                        new Copysets(overview));

        Violation found =
                assertThrows(Violation.class, () -> Runs.runWithoutRoot(WRITE_SHARED, spoilt));

        assertEquals(Copysets.NAME, found.checker(), found.getMessage());
        assertSays(found, "by copyset closure");
    }

    private static boolean isSharedByTwo(SimNode node) {
        return (isState(node, "Clean") || isState(node, "Dirty"))
                && node.simulation().nodes().stream()
                                .map(each -> each.snapshot(PAGE).copyset())
                                .reduce(Copyset.EMPTY, Copyset::union)
                                .count()
                        == 2
                && node.simulation().nodes().stream()
                                .filter(each -> each.pages().isPresent(PAGE))
                                .count()
                        == 2;
    }

    private static boolean isState(SimNode node, String state) {
        return node.pages().regionCount() > 0 && node.snapshot(PAGE).state().equals(state);
    }

    // probable owners

    /**
     * While the ownership is transferred, old and new owner name each other. Without the reply in
     * transit this is a circle.
     */
    @Test
    void chainThatEndsNowhere_isFound() {
        Observer deaf =
                deafTo(
                        WriteSharedMessages.FetchReply.class,
                        overview,
                        new ProbableOwners(overview));

        Violation found =
                assertThrows(
                        Violation.class, () -> Runs.runWithoutRoot(WRITE_SHARED, List.of(deaf)));

        assertEquals(ProbableOwners.NAME, found.checker());
        assertSays(found, "0 (Absent) → 1 (Fetching) → 0 (Absent)");
    }

    @Test
    void pageOnItsWayToItsNewOwner_isSilent() {
        Runs.runWithoutRoot(WRITE_SHARED, List.of(overview, new ProbableOwners(overview)));
    }

    // twins

    @Test
    void dirtyPageWithoutATwin_isFound() {
        Violation found =
                assertFires(
                        Twins.NAME,
                        WRITE_SHARED,
                        List.of(
                                once(
                                        effect(new Effect.MakeTwin(PAGE)),
                                        node -> node.pages().dropTwin(PAGE)),
                                overview,
                                new Twins(overview)));

        assertSays(found, "no twin");
    }

    @Test
    void twinOfAPageThatIsNotDirty_isFound() {
        assertFires(
                Twins.NAME,
                WRITE_SHARED,
                List.of(
                        once(
                                effect(new Effect.DropTwin(PAGE)),
                                node -> node.pages().makeTwin(PAGE)),
                        overview,
                        new Twins(overview)));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "READ_ONLY", "WRITE_SHARED", "PIPELINED"})
    void accessBeyondTheState_isFound(Protocol protocol) {
        Violation found =
                assertFires(
                        Twins.NAME,
                        protocol,
                        List.of(
                                once(
                                        effect(
                                                new Effect.ResumeFault(
                                                        FIRST, PAGE, PageAccess.READ)),
                                        node ->
                                                node.pages()
                                                        .resume(
                                                                FIRST,
                                                                PAGE,
                                                                PageAccess.READ_WRITE)),
                                overview,
                                new Twins(overview)));

        assertSays(found, "its state grants READ");
    }

    // served images

    @Test
    void pageChangedBehindItsServedImage_isFound() {
        Violation found =
                assertFires(
                        ServedImages.NAME,
                        WRITE_SHARED,
                        List.of(
                                onceServed(node -> change(node.pages().content(PAGE))),
                                new ServedImages()));

        assertSays(found, "at offset 8 than the page");
    }

    @Test
    void pageThatMayBeStoredToBehindItsServedImage_isFound() {
        Violation found =
                assertFires(
                        ServedImages.NAME,
                        WRITE_SHARED,
                        List.of(
                                onceServed(node ->
                                        node.pages().resume(FIRST, PAGE, PageAccess.READ_WRITE)),
                                new ServedImages()));

        assertSays(found, "without a twin");
    }

    @Test
    void twinThatIsNotTheServedImage_isFound() {
        Violation found =
                assertFires(
                        ServedImages.NAME,
                        WRITE_SHARED,
                        List.of(
                                onceServed(node -> {
                                    node.pages().makeTwin(PAGE);
                                    change(node.pages().twin(PAGE));
                                }),
                                new ServedImages()));

        assertSays(found, "at offset 8 than its twin");
    }

    @Test
    void readOnlyImageThatIsNotWhatWasSealed_isFound() {
        Violation found =
                assertFires(
                        ServedImages.NAME,
                        READ_ONLY,
                        List.of(
                                new ServedImages(),
                                once(
                                        sending(ReadOnly.CopyReply.class),
                                        node -> change(node.pages().content(PAGE)))));

        assertSays(found, "at offset 8 than what was sealed");
    }

    /** Spoils a node that has served a copy and kept its own. */
    private static Observer onceServed(Runs.Spoiler spoiler) {
        Runs.Step serving = sending(WriteSharedMessages.FetchReply.class);
        return once(
                (node, event, effects) ->
                        serving.test(node, event, effects) && isState(node, "Clean"),
                spoiler);
    }

    private static void change(MemorySegment bytes) {
        bytes.set(ValueLayout.JAVA_LONG, 8, 99);
    }

    // hot pages

    /** The page waits until its own update is acknowledged, and then for a comparison's result. */
    @Test
    void hotPageWithoutReleases_mayBeComparedInALaterStep() {
        SeededRun.ofCorpus(153, SeededRun.Options.ALL, "requests-behind-own-updates")
                .forEach(trial -> trial.run(Checkers.all(new Coverage())));
    }
}
