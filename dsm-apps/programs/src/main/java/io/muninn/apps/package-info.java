/**
 * Code that programs share, such as options, reproducible inputs, and message passing.
 *
 * <p>Each program has its own package below this one, and is listed in {@code META-INF/services}.
 * It may import {@code io.muninn.api}; start reading at {@link io.muninn.apps.hello.HelloProgram}.
 */
@NullMarked
package io.muninn.apps;

import org.jspecify.annotations.NullMarked;
