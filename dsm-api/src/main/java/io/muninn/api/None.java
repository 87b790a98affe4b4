package io.muninn.api;

/** Stands for parameters or a result that a {@link Loop} does not have. */
public record None() {
    /** The only value that is needed. */
    public static final None NONE = new None();
}
