package io.muninn.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.node.port.Pages;
import io.muninn.node.port.Tracer;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which effects become one step. */
class EffectPerformerTest {
    private final List<String> calls = new ArrayList<>();

    private <T> T recording(Class<T> port) {
        InvocationHandler handler =
                (_, method, arguments) -> {
                    calls.add(method.getName() + Arrays.toString(arguments));
                    return null;
                };
        return port.cast(
                Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, handler));
    }

    private void perform(Effect... effects) {
        EffectPerformer.Ports ports =
                new EffectPerformer.Ports(
                        (_, _) -> 0,
                        recording(Pages.class),
                        null,
                        null,
                        null,
                        recording(Tracer.class),
                        null);
        new EffectPerformer(ports, new PageStatistics(), _ -> {}).performAll(List.of(effects));
    }

    private static Effect read(int page) {
        return new Effect.SetAccess(new PageId(0, page), PageAccess.READ);
    }

    private static Effect discard(int page) {
        return new Effect.Discard(new PageId(0, page));
    }

    @Test
    void sameAccessOfNeighbours_isOneStep() {
        perform(read(3), read(4), read(5));
        assertEquals(List.of("setAccess[0/3, 3, READ]"), calls);
    }

    @Test
    void discardsOfNeighbours_areOneStep() {
        perform(discard(0), discard(1));
        assertEquals(List.of("discard[0/0, 2]"), calls);
    }

    @Test
    void anotherAccess_beginsAnew() {
        perform(read(3), new Effect.SetAccess(new PageId(0, 4), PageAccess.NONE), discard(5));
        assertEquals(
                List.of("setAccess[0/3, READ]", "setAccess[0/4, NONE]", "discard[0/5]"), calls);
    }

    @Test
    void pagesThatAreNoNeighbours_areStepsOfTheirOwn() {
        perform(read(3), read(5), read(4), new Effect.SetAccess(new PageId(1, 5), PageAccess.READ));
        assertEquals(
                List.of(
                        "setAccess[0/3, READ]",
                        "setAccess[0/5, READ]",
                        "setAccess[0/4, READ]",
                        "setAccess[1/5, READ]"),
                calls);
    }

    @Test
    void whatStandsBetween_keepsItsPlace() {
        perform(read(3), new Effect.Count(Counter.FLUSHES, 1), read(4));
        assertEquals(
                List.of("setAccess[0/3, READ]", "count[FLUSHES, 1]", "setAccess[0/4, READ]"),
                calls);
    }
}
