package io.muninn.api.spi;

import io.muninn.api.SharedVariable;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Binds views to their memory. Used only by the code that starts a run: the runner, the live client
 * and the simulator.
 *
 * <p><b>Order.</b> {@link #bind} is called once per view, {@link #seal} at most once and after it.
 * Neither publishes the view to other threads: start them, or pass a barrier, afterwards.
 */
@SuppressWarnings("exports") // users of this class do not need the annotations
public final class ViewBinder {
    /** Set by the static initializer of {@link SharedVariable}; never null when a view exists. */
    private static @Nullable Access access;

    private ViewBinder() {}

    /** The operations on a view that this class needs; implemented once, in the views' package. */
    public interface Access {
        ViewSpec spec(SharedVariable view);

        void name(SharedVariable view, String name);

        void bind(
                SharedVariable view,
                String name,
                MemorySegment memory,
                @Nullable AccessGuard guard,
                ViewLink link);

        void seal(SharedVariable view);
    }

    /**
     * Called only by {@link SharedVariable}, when it is loaded.
     *
     * @throws IllegalStateException if called twice
     */
    public static synchronized void install(Access seam) {
        if (access != null) {
            throw new IllegalStateException("the views have installed their seam already");
        }
        access = seam;
    }

    /** The view's shape. */
    public static ViewSpec spec(SharedVariable view) {
        return access().spec(view);
    }

    /**
     * Sets the view's name, for error messages before it is bound.
     *
     * @throws IllegalStateException if the view is bound
     */
    public static void name(SharedVariable view, String name) {
        access().name(view, name);
    }

    /**
     * Binds a view to memory of one node.
     *
     * @param memory exactly the view's bytes, outside the heap, aligned to 8, valid until the last
     *     access: an access beyond its end is not detected, and may end the process
     * @throws IllegalStateException if the view is bound
     * @throws IllegalArgumentException if the length differs from the view's, or if the memory is
     *     on the heap
     */
    public static void bind(SharedVariable view, String name, MemorySegment memory) {
        bind(view, name, memory, null, ViewLink.LOCAL);
    }

    /**
     * Binds a view to its memory and passes every access through it to a guard.
     *
     * @param memory exactly the view's bytes, outside the heap, aligned to 8, valid until the last
     *     access: an access beyond its end is not detected, and may end the process
     * @param guard offsets count from the start of {@code memory}; null for no guard
     * @param link to the view's node
     * @throws IllegalStateException if the view is bound, or if there is a guard and neither system
     *     property {@code muninn.simulated} nor {@code muninn.guarded} was {@code true} when the
     *     views were loaded
     * @throws IllegalArgumentException if the length differs from the view's, or if the memory is
     *     on the heap
     */
    public static void bind(
            SharedVariable view,
            String name,
            MemorySegment memory,
            @Nullable AccessGuard guard,
            ViewLink link) {
        access().bind(view, name, memory, guard, link);
    }

    /** Makes every later store through the view, and every later segment of it, fail. */
    public static void seal(SharedVariable view) {
        access().seal(view);
    }

    private static Access access() {
        return Objects.requireNonNull(access, "no view exists");
    }
}
