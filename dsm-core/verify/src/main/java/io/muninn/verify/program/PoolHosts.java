package io.muninn.verify.program;

/** On how many hosts nodes are that use pools. */
public enum PoolHosts {
    ONE,
    SEVERAL
}
