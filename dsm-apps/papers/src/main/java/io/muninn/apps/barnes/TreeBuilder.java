package io.muninn.apps.barnes;

/** The part of one thread in building a shared tree. */
interface TreeBuilder {
    /**
     * Inserts bodies into the empty tree and sums all cells. When it returns, the whole tree is
     * complete. Collective.
     *
     * @param mine the bodies of this thread
     */
    void build(int[] mine);
}
