package io.muninn.sim.ncc;

/** The locks of the coherent map's entries, each in the memory of its page's home. */
final class MapEntries {
    private final Hardware hardware;
    private final Homes homes;
    private final long[] free; // from when on each is unlocked

    MapEntries(Hardware hardware, Homes homes) {
        this.hardware = hardware;
        this.homes = homes;
        free = new long[homes.pages()];
    }

    /**
     * Waits for the lock of an entry. Until {@link #unlock} the caller lets no other processor run.
     */
    void lock(NccProcessor by, int page) {
        by.settle();
        int home = homes.of(page);
        long arrival = by.now() + hardware.way(by.id(), home);
        long served = hardware.memory(home, 1, arrival);
        long granted = Math.max(served, free[page] + hardware.model().memory(1));
        by.passUntil(granted + hardware.way(home, by.id()), Spent.COHERENCE);
    }

    /** Modifies an entry and unlocks it. */
    void unlock(NccProcessor by, int page) {
        by.pass(hardware.model().mapChange(), Spent.COHERENCE);
        free[page] = by.now() + hardware.way(by.id(), homes.of(page));
    }
}
