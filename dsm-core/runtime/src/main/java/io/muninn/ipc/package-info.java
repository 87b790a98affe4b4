/**
 * The interface between an application and its agent: calls, answers, and the memory that both map.
 *
 * <p>It may import {@code kernel} and below. Start reading at {@link io.muninn.ipc.Call}.
 */
@NullMarked
package io.muninn.ipc;

import org.jspecify.annotations.NullMarked;
