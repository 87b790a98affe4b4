/**
 * The processes of a run: starts and supervises the agents of this host, leaves no process and no
 * file behind, and makes whole runs for other commands.
 *
 * <p>It may import {@code launch.jvm}. Start reading at {@link io.muninn.launch.process.Launcher}.
 */
@NullMarked
package io.muninn.launch.process;

import org.jspecify.annotations.NullMarked;
