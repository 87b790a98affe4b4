/** Tests of what {@code dsm doctor} says of machines. */
@NullMarked
package io.muninn.doctor;

import org.jspecify.annotations.NullMarked;
