/**
 * What {@code dsm doctor} finds out about a machine: which engines work and what would make the
 * others work, and the limits that runs meet.
 *
 * <p>It may import everything below floor 8. Start reading at {@link io.muninn.doctor.Checkup}.
 */
@NullMarked
package io.muninn.doctor;

import org.jspecify.annotations.NullMarked;
