/**
 * Mutants of the kernel's byte code, and the simulator's runs against them: whether it would see a
 * mistake that nobody has thought of. It may import what the simulator may. Start reading at {@link
 * io.muninn.verify.mutate.Mutants}.
 */
@NullMarked
package io.muninn.verify.mutate;

import org.jspecify.annotations.NullMarked;
