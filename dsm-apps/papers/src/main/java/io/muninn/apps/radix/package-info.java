/**
 * RADIX: sorting of integers digit by digit (Mowry, section 2.3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.radix.RadixDigits}.
 */
@NullMarked
package io.muninn.apps.radix;

import org.jspecify.annotations.NullMarked;
