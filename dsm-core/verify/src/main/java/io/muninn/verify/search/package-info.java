/**
 * The commands that search for errors of the kernel: random programs, litmus tests and mutants.
 *
 * <p>Subcommands of {@code dsm sim}, which finds them as {@link io.muninn.launch.MoreCommands}. No
 * other module imports this one. Start reading at {@link io.muninn.verify.search.RandomCommand}.
 */
@NullMarked
package io.muninn.verify.search;

import org.jspecify.annotations.NullMarked;
