/**
 * Tests of the fault engine with real processes: an agent and an application that faults.
 *
 * <p>The test is the agent, except where the agent must die. Imports the package under test; start
 * reading at {@link io.muninn.nativefault.AccessTest}.
 */
@NullMarked
package io.muninn.nativefault;

import org.jspecify.annotations.NullMarked;
