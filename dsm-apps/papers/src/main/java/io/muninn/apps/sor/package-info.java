/**
 * SOR: red-black successive over-relaxation between barriers, each colour an array of its own
 * (Mowry, section 2.3).
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.sor.SorShared}.
 */
@NullMarked
package io.muninn.apps.sor;

import org.jspecify.annotations.NullMarked;
