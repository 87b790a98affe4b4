/**
 * The registry of the coherence protocols.
 *
 * <p>Each protocol is a package below this one, and one entry of {@link
 * io.muninn.coherence.ProtocolKind}; protocols do not depend on one another. {@link
 * io.muninn.coherence.shared} has their common code. They may import {@code spi}, {@code
 * directory}, {@code wire} and below. Start reading at {@link
 * io.muninn.coherence.migratory.Migratory}, the smallest.
 */
@NullMarked
package io.muninn.coherence;

import org.jspecify.annotations.NullMarked;
