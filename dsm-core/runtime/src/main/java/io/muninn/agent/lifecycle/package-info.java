/**
 * The agent's process: it joins the cluster, starts its application, and ends with it.
 *
 * <p>It may import the other packages of the agent and everything below. Start reading at {@link
 * io.muninn.agent.lifecycle.Agent}.
 */
@NullMarked
package io.muninn.agent.lifecycle;

import org.jspecify.annotations.NullMarked;
