/**
 * Whole runs over real processes: the launcher, agents and applications, as a user starts them.
 *
 * <p>Tests here see what a user sees: exit status, output, the report; and what the system sees:
 * processes, files, sockets, memory. Start reading at {@link io.muninn.e2e.DsmRun}.
 */
@NullMarked
package io.muninn.e2e;

import org.jspecify.annotations.NullMarked;
