package io.muninn.api;

import io.muninn.api.spi.AccessGuard;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewLink;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gives {@link ViewBinder} access to the views. */
final class ViewSeam implements ViewBinder.Access {
    @Override
    public ViewSpec spec(SharedVariable view) {
        return view.spec;
    }

    @Override
    public void name(SharedVariable view, String name) {
        if (view.name.equals(SharedVariable.LOCAL_NAME)) {
            throw new IllegalStateException(
                    "variable " + name + " is local; declare a shared one with of(...)");
        }
        if (view.isBound()) {
            throw new IllegalStateException(
                    "variable "
                            + view.name
                            + " belongs to a run already; make a new program for another run");
        }
        view.name = name;
    }

    @Override
    public void bind(
            SharedVariable view,
            String name,
            MemorySegment memory,
            @Nullable AccessGuard guard,
            ViewLink link) {
        Objects.requireNonNull(memory, "memory");
        if (guard != null && !SharedVariable.GUARDED) {
            throw new IllegalStateException(
                    "variable "
                            + name
                            + " cannot be guarded in a JVM without -Dmuninn.simulated=true or"
                            + " -Dmuninn.guarded=true");
        }
        name(view, name);
        if (memory.byteSize() != view.spec.bytes()) {
            throw new IllegalArgumentException(
                    "variable "
                            + view
                            + " needs "
                            + view.spec.bytes()
                            + " bytes, not "
                            + memory.byteSize());
        }
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "variable " + view + " needs memory outside the heap");
        }
        view.take(memory);
        view.guard = guard;
        view.link = link;
    }

    @Override
    public void seal(SharedVariable view) {
        view.seal();
    }
}
