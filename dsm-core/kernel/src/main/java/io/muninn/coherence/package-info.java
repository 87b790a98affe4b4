/**
 * The registry of the coherence protocols.
 *
 * <p>Each protocol is a package below this one, and one line of {@link
 * io.muninn.coherence.ProtocolKind}; protocols do not see one another. {@link
 * io.muninn.coherence.shared} has what several of them use. They may import {@code spi}, {@code
 * directory}, {@code wire} and below. Start reading at {@link
 * io.muninn.coherence.migratory.Migratory}, the smallest.
 */
@NullMarked
package io.muninn.coherence;

import org.jspecify.annotations.NullMarked;
