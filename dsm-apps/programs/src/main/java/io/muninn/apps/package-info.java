/**
 * Code that the programs share: reproducible inputs, and rows as messages.
 *
 * <p>Each program has a package of its own below this one, and is listed in {@code
 * META-INF/services}. It may import {@code io.muninn.api}; start reading at {@link
 * io.muninn.apps.hello.HelloProgram}.
 */
@NullMarked
package io.muninn.apps;

import org.jspecify.annotations.NullMarked;
