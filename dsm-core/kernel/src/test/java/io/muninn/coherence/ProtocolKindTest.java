package io.muninn.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.spi.ProtocolTraits.Trait;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProtocolKindTest {
    @ParameterizedTest
    @EnumSource
    void programsMayAdviseOnExactlyThosePagesThatArePushed(ProtocolKind kind) {
        assertEquals(kind.traits().has(Trait.PUSHES), kind.protocol().hasReaders());
    }

    @ParameterizedTest
    @EnumSource
    void locksGuardExactlyThosePagesThatTravelWithThem(ProtocolKind kind) {
        assertEquals(
                kind.traits().has(Trait.TRAVELS_WITH_LOCKS), kind.protocol().travelsWithLocks());
    }

    /**
     * Except protocols without stores; a variant may have one writer where its protocol merges
     * stores.
     */
    @ParameterizedTest
    @EnumSource
    void storesAreMergedExactlyWherePagesHaveSeveralWriters(ProtocolKind kind) {
        if (!kind.isVariant() && !kind.protocol().isSealed()) {
            assertEquals(!kind.traits().has(Trait.ONE_WRITER), kind.protocol().mergesStores());
        }
    }
}
