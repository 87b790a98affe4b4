/**
 * The life cycle of the agent's process: it starts its application, joins the cluster, and ends.
 *
 * <p>It may import the other packages of the agent, none of which imports it, and everything below.
 * Start reading at {@link io.muninn.agent.lifecycle.Phase}.
 */
@NullMarked
package io.muninn.agent.lifecycle;

import org.jspecify.annotations.NullMarked;
