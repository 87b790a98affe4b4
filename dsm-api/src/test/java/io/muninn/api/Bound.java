package io.muninn.api;

import io.muninn.api.spi.ViewBinder;
import java.lang.foreign.Arena;

/** Views with memory, for tests that need no run. */
final class Bound {
    private Bound() {}

    static <V extends SharedVariable> V named(String name, V view) {
        long bytes = ViewBinder.spec(view).bytes();
        ViewBinder.bind(view, name, Arena.ofAuto().allocate(bytes, Long.BYTES));
        return view;
    }

    static <V extends SharedVariable> V sealed(String name, V view) {
        named(name, view);
        ViewBinder.seal(view);
        return view;
    }
}
