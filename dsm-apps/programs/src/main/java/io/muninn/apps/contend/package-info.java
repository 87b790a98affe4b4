/**
 * Threads that store to one page without any synchronization.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.contend.Contend}.
 */
@NullMarked
package io.muninn.apps.contend;

import org.jspecify.annotations.NullMarked;
