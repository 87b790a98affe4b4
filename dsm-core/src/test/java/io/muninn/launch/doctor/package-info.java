/** Tests of what {@code dsm doctor} says of machines. */
@NullMarked
package io.muninn.launch.doctor;

import org.jspecify.annotations.NullMarked;
