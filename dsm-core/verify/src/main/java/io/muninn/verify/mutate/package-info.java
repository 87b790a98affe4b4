/**
 * Mutants of the kernel's byte code, and runs of the simulator against them, which show whether it
 * detects unforeseen errors. It may import everything that the simulator may. Start reading at
 * {@link io.muninn.verify.mutate.Mutants}.
 */
@NullMarked
package io.muninn.verify.mutate;

import org.jspecify.annotations.NullMarked;
