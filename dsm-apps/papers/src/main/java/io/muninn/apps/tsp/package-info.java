/**
 * TSP: the shortest tour through all cities, by branch and bound over a shared queue of partial
 * tours (Munin §6.3). TSP-C and TSP-F differ in how much of a tour one thread completes alone.
 *
 * <p>It may import {@code io.muninn.api} and {@code io.muninn.apps}. Start reading at {@link
 * io.muninn.apps.tsp.TspShared}.
 */
@NullMarked
package io.muninn.apps.tsp;

import org.jspecify.annotations.NullMarked;
