package io.muninn.coherence.weak;

/** Whether an acquire has overtaken the copy that a node is about to get. */
enum Overtaken {
    NO,
    /** Yes, if the copy has to be checked, or is on the weak list. */
    IF_WEAK,
    /** A publication that the acquire must see may not be in the copy. */
    YES;

    Overtaken join(Overtaken other) {
        return compareTo(other) < 0 ? other : this;
    }

    /**
     * @param isWeak whether the copy has to be checked, or is on the weak list
     */
    boolean isTrue(boolean isWeak) {
        return this == YES || this == IF_WEAK && isWeak;
    }
}
