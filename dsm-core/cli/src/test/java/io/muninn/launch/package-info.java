/**
 * Tests of the command line and of the launcher. They may use everything of this module, and start
 * processes of their own, which they end. Start reading at {@link
 * io.muninn.launch.CommandLineTest}.
 */
@NullMarked
package io.muninn.launch;

import org.jspecify.annotations.NullMarked;
