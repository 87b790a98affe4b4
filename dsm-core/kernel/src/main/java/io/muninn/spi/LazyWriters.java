package io.muninn.spi;

import java.util.Locale;

/** Number of nodes that may store to a page of {@link io.muninn.api.Protocol#LAZY} at a time. */
public enum LazyWriters {
    /** Any number: each makes a twin, and others receive diffs. */
    MULTIPLE,
    /** One: a store of another node moves the page there. Kept for comparison. */
    SINGLE;

    /** Its name on command lines. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
