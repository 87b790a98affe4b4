/**
 * TSP: the shortest tour through all cities, by branch and bound over a shared queue of partial
 * tours (Munin §6.3). TSP-C and TSP-F differ in the number of remaining cities at which a thread
 * completes a tour without division.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.tsp.TspShared}.
 */
@NullMarked
package io.muninn.apps.tsp;

import org.jspecify.annotations.NullMarked;
