/**
 * One word that every thread of every node increments under one lock.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.counter.Counter}.
 */
@NullMarked
package io.muninn.apps.counter;

import org.jspecify.annotations.NullMarked;
