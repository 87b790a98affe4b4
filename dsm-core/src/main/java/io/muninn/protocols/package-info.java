/**
 * The coherence protocols, one class each, and their registry.
 *
 * <p>They may import {@code protocol}, {@code directory}, {@code wire} and below, and do not see
 * one another; two are built on {@link io.muninn.protocols.WriteInvalidate}. Start reading at
 * {@link io.muninn.protocols.Migratory}, the smallest.
 */
@NullMarked
package io.muninn.protocols;

import org.jspecify.annotations.NullMarked;
