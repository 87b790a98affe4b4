package io.muninn.api;

/** The type of the parameters or the result of a {@link Loop} that has none. */
public record None() {
    /** The only value that is needed. */
    public static final None NONE = new None();
}
