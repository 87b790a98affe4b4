/**
 * The checks of {@code dsm doctor} on a machine: the engines that work, the remedies for the
 * others, and the limits that affect runs.
 *
 * <p>It may import everything below floor 8. Start reading at {@link io.muninn.doctor.Checkup}.
 */
@NullMarked
package io.muninn.doctor;

import org.jspecify.annotations.NullMarked;
