package io.muninn.model;

/** The kind of access that caused a page fault. */
public enum FaultKind {
    /** A load from a page with access {@link PageAccess#NONE}. */
    READ,
    /** A store to a page with access {@link PageAccess#NONE}. */
    WRITE,
    /** A store to a page with access {@link PageAccess#READ}. */
    UPGRADE;

    public boolean isStore() {
        return this != READ;
    }
}
