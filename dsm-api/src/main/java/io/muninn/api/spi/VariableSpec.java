package io.muninn.api.spi;

import io.muninn.model.Names;

/**
 * The place of one shared variable in its region.
 *
 * @param name unique in the layout
 * @param type text of the shape that two nodes can compare, for example {@code double[512][512]}
 * @param offset bytes from the start of the region, a multiple of the variable's granule
 * @param bytes length of the variable, at least 1
 */
public record VariableSpec(String name, String type, long offset, long bytes) {
    public VariableSpec {
        Names.check("variable", name);
        if (offset < 0 || bytes <= 0) {
            throw new IllegalArgumentException(
                    "variable " + name + ": offset " + offset + ", bytes " + bytes);
        }
    }
}
