/**
 * Who waits for what: the waits of the threads of all nodes as data, and which of them can never
 * end. Nothing here waits, sends or looks at a clock.
 */
@NullMarked
package io.muninn.waits;

import org.jspecify.annotations.NullMarked;
