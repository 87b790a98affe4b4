package io.muninn.apps.barnes;

/** Locks of the cells of a tree; several cells may have the same lock. */
interface CellLocks {
    /** No locks, for a tree or a part of it that only one thread changes. */
    CellLocks NONE =
            new CellLocks() {
                @Override
                public void lock(int cell) {}

                @Override
                public void unlock(int cell) {}
            };

    void lock(int cell);

    void unlock(int cell);
}
