/**
 * Programs that end-to-end tests run by {@code --class-path}: most go wrong on purpose.
 *
 * <p>They use nothing but the API, as a user's program would. Start reading at {@link
 * io.muninn.e2e.programs.Endless}.
 */
@NullMarked
package io.muninn.e2e.programs;

import org.jspecify.annotations.NullMarked;
