/**
 * A machine whose nodes address all memory and whose caches are not coherent (NCC-NUMA): mesh,
 * memories, caches and TLBs, and the protocols that keep the caches coherent by software, or a
 * directory that does so in hardware. Programs of the API run on it, for their time alone: all
 * nodes have one memory. Start reading at {@link io.muninn.sim.ncc.NccRun}.
 */
@NullMarked
package io.muninn.sim.ncc;

import org.jspecify.annotations.NullMarked;
