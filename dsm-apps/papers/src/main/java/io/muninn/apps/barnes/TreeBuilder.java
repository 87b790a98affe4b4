package io.muninn.apps.barnes;

/** One thread's part of building a shared tree. */
interface TreeBuilder {
    /**
     * Inserts bodies into the empty tree and sums all cells. When it returns, the whole tree is
     * complete. Collective.
     *
     * @param mine the bodies of this thread
     */
    void build(int[] mine);
}
