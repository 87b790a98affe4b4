/**
 * The smallest program: one node writes a word, and the others read it.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.hello.Hello}.
 */
@NullMarked
package io.muninn.apps.hello;

import org.jspecify.annotations.NullMarked;
