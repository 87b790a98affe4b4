package io.muninn.verify.mutate;

/** The active mutant in a copy of the classes. Each copy has its own, and one thread. */
public final class Active {
    static final int NONE = -1;

    /** Its number; read by changed classes. */
    public static int mutant = NONE;

    private Active() {}
}
