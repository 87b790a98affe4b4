/**
 * The API of an application: annotated shared variables, typed views, locks, barriers and messages.
 *
 * <p>It may import {@code io.muninn.model} only. Start reading at {@link io.muninn.api.DsmProgram}.
 */
@NullMarked
package io.muninn.api;

import org.jspecify.annotations.NullMarked;
