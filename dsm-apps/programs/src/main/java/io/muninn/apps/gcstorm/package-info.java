/**
 * Continuous page faults during continuous forced garbage collections.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.gcstorm.GcStorm}.
 */
@NullMarked
package io.muninn.apps.gcstorm;

import org.jspecify.annotations.NullMarked;
