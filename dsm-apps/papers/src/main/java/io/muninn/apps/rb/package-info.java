/**
 * RB: red-black successive over-relaxation, as parallel loops (CVM, Table 1).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.rb.RbLoops}.
 */
@NullMarked
package io.muninn.apps.rb;

import org.jspecify.annotations.NullMarked;
