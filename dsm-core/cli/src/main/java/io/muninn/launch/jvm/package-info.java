/**
 * The JVMs of a run: their command lines, the caches from which they start, and the main class of
 * an agent with the configuration that it reads.
 *
 * <p>It imports no other package of the command line. Start reading at {@link
 * io.muninn.launch.jvm.JvmFlags}.
 */
@NullMarked
package io.muninn.launch.jvm;

import org.jspecify.annotations.NullMarked;
