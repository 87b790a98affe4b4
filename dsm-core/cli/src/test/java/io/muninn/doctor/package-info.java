/** Tests of the findings of {@code dsm doctor} on machines. */
@NullMarked
package io.muninn.doctor;

import org.jspecify.annotations.NullMarked;
