package io.muninn.kernel;

import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.port.Pages;
import io.muninn.kernel.port.PoolMemory;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.wire.Payload;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The effects that are merged into one batch call. */
class EffectPerformerTest {
    private static final RegionSpec REGION =
            new RegionSpec(0, "pages", Protocol.WRITE_SHARED, 0, 64 * 4096, 8, 1, List.of());

    private final List<String> calls = new ArrayList<>();
    private final List<Event> results = new ArrayList<>();

    private <T> T recording(Class<T> port) {
        InvocationHandler handler =
                (_, method, arguments) -> {
                    calls.add(method.getName() + Arrays.toString(arguments));
                    return switch (method.getName()) {
                        case "saveDiff" -> size(5);
                        case "saveDiffs" -> List.of(size(5), size(0));
                        case "applyDiff" -> 7;
                        case "applyDiffs" -> List.of(7, 0);
                        default -> null;
                    };
                };
        return port.cast(
                Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
    }

    private static Pages.DiffSize size(int granules) {
        return new Pages.DiffSize(granules, 12 * granules, true);
    }

    private void perform(Effect... effects) {
        performer().performAll(List.of(effects), 0, effects.length);
    }

    private EffectPerformer performer() {
        EffectPerformer.Ports ports =
                new EffectPerformer.Ports(
                        (_, _) -> 0,
                        recording(Pages.class),
                        PoolMemory.NONE,
                        null,
                        null,
                        null,
                        (_, _) -> {},
                        null);
        PageStatistics statistics = new PageStatistics();
        statistics.onEvent(new Event.RegionAdded(REGION));
        return new EffectPerformer(ports, statistics, () -> 0, results::add);
    }

    private static Effect read(int page) {
        return new Effect.SetAccess(FIRST, new PageId(0, page), PageAccess.READ);
    }

    private static Effect discard(int page) {
        return new Effect.Discard(new PageId(0, page));
    }

    @Test
    void sameAccessOfNeighbours_isOneStep() {
        perform(read(3), read(4), read(5));
        assertEquals(List.of("setAccess[0, 0/3, 3, READ]"), calls);
    }

    @Test
    void discardsOfNeighbours_areOneStep() {
        perform(discard(0), discard(1));
        assertEquals(List.of("discard[0/0, 2]"), calls);
    }

    private static Effect save(int page, long interval, boolean keepTwin) {
        return new Effect.SaveDiff(new PageId(0, page), interval, keepTwin);
    }

    private static Effect apply(int page) {
        return new Effect.ApplyDiff(new PageId(0, page), new Payload.None());
    }

    @Test
    void comparisonsOfAnInterval_areOneStep_withAResultForEach() {
        perform(save(9, 4, true), save(3, 4, true));

        assertEquals(List.of("saveDiffs[[0/9, 0/3], 4, true]"), calls);
        assertEquals(
                List.of(
                        new Event.DiffSaved(new PageId(0, 9), 4, 5, 60, true),
                        new Event.DiffSaved(new PageId(0, 3), 4, 0, 0, true)),
                results);
    }

    @Test
    void comparisonsOfAnotherIntervalOrKind_beginAnew() {
        perform(save(1, 4, true), save(2, 5, true), save(3, 5, false));
        assertEquals(
                List.of(
                        "saveDiff[0/1, 4, true]",
                        "saveDiff[0/2, 5, true]",
                        "saveDiff[0/3, 5, false]"),
                calls);
    }

    @Test
    void diffsOfPagesAnywhere_areAppliedInOneStep() {
        perform(apply(9), apply(3));

        assertEquals(List.of("applyDiffs[[0/9, 0/3], [None[], None[]]]"), calls);
    }

    @Test
    void anotherAccess_beginsAnew() {
        perform(
                read(3),
                new Effect.SetAccess(FIRST, new PageId(0, 4), PageAccess.NONE),
                discard(5));
        assertEquals(
                List.of("setAccess[0, 0/3, READ]", "setAccess[0, 0/4, NONE]", "discard[0/5]"),
                calls);
    }

    @Test
    void pagesThatAreNoNeighbours_areStepsOfTheirOwn() {
        perform(
                read(3),
                read(5),
                read(4),
                new Effect.SetAccess(FIRST, new PageId(1, 5), PageAccess.READ));
        assertEquals(
                List.of(
                        "setAccess[0, 0/3, READ]",
                        "setAccess[0, 0/5, READ]",
                        "setAccess[0, 0/4, READ]",
                        "setAccess[0, 1/5, READ]"),
                calls);
    }

    @Test
    void accessOfAnotherProcess_beginsAnew() {
        MappingId other = new MappingId(1);
        perform(
                read(3),
                new Effect.SetAccess(other, new PageId(0, 4), PageAccess.READ),
                resume(FIRST, 5),
                resume(other, 6),
                install(other, 7),
                install(FIRST, 8),
                resume(other, 8));
        assertEquals(
                List.of(
                        "setAccess[0, 0/3, READ]",
                        "setAccess[1, 0/4, READ]",
                        "resume[0, 0/5, READ]",
                        "resume[1, 0/6, READ]",
                        "install[1, 0/7, None[], NONE]",
                        "install[0, 0/8, None[], NONE]",
                        "resume[1, 0/8, READ]"),
                calls);
    }

    private static Effect resume(MappingId mapping, int page) {
        return new Effect.ResumeFault(mapping, new PageId(0, page), PageAccess.READ);
    }

    private static Effect install(MappingId mapping, int page) {
        PageId id = new PageId(0, page);
        return new Effect.InstallPage(mapping, id, Payload.NONE, PageAccess.NONE);
    }

    @Test
    void imageAndTheAccessThatFollows_areOneStep() {
        perform(install(FIRST, 8), resume(FIRST, 8));
        assertEquals(List.of("install[0, 0/8, None[], READ]", "resume[0, 0/8, READ]"), calls);
    }

    @Test
    void whatStandsBetween_keepsItsPlace() {
        perform(read(3), discard(9), read(4));
        assertEquals(
                List.of("setAccess[0, 0/3, READ]", "discard[0/9]", "setAccess[0, 0/4, READ]"),
                calls);
    }
}
