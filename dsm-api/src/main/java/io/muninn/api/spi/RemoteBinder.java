package io.muninn.api.spi;

import io.muninn.api.RemoteVariable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Binds remote variables to their words, as {@link ViewBinder} binds views. Used only by the code
 * that starts a run.
 */
public final class RemoteBinder {
    /** Set by the static initializer of {@link RemoteVariable}. */
    private static @Nullable Access access;

    private RemoteBinder() {}

    /** The operations on a variable that this class needs; implemented in its package. */
    public interface Access {
        ViewSpec spec(RemoteVariable variable);

        boolean isField(RemoteVariable variable);

        void name(RemoteVariable variable, String name);

        void bind(RemoteVariable variable, String name, RemoteAccess access);
    }

    /**
     * Called only by {@link RemoteVariable}, when it is loaded.
     *
     * @throws IllegalStateException if called twice
     */
    public static synchronized void install(Access seam) {
        if (access != null) {
            throw new IllegalStateException("remote variables have installed their seam already");
        }
        access = seam;
    }

    /** The variable's shape. */
    public static ViewSpec spec(RemoteVariable variable) {
        return access().spec(variable);
    }

    /** True for a field of structs, which is no variable of its own. */
    public static boolean isField(RemoteVariable variable) {
        return access().isField(variable);
    }

    /**
     * Sets the variable's name, for error messages before it is bound.
     *
     * @throws IllegalStateException if it is bound
     */
    public static void name(RemoteVariable variable, String name) {
        access().name(variable, name);
    }

    /**
     * Binds a variable to its words.
     *
     * @throws IllegalStateException if it is bound
     */
    public static void bind(RemoteVariable variable, String name, RemoteAccess words) {
        access().bind(variable, name, words);
    }

    private static Access access() {
        return Objects.requireNonNull(access, "no remote variable exists");
    }
}
