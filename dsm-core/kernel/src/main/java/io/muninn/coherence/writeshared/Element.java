package io.muninn.coherence.writeshared;

import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The element of a variable at an offset in shared memory, for messages.
 *
 * @param name with its index, as in {@code grid[3][4]}
 * @param offset of its first byte, in the region
 * @param type of the element, in the words of the variable's type
 * @param bytes its length
 * @param granuleBytes of the region
 */
record Element(String name, long offset, String type, long bytes, int granuleBytes) {
    private static final Pattern DIMENSION = Pattern.compile("\\[(\\d+)](?=(\\[\\d+])*$)");

    /**
     * @param pageOffset of a granule in its page, in bytes
     */
    static Element at(RegionSpec region, PageId page, int pageOffset) {
        long place = (long) page.index() * region.pageBytes() + pageOffset;
        for (VariableSpec variable : region.variables()) {
            long inside = place - variable.offset();
            if (inside >= 0 && inside < variable.bytes()) {
                return of(variable, inside, region.granuleBytes());
            }
        }
        String name = region.name() + " byte " + place;
        return new Element(name, place, "", region.granuleBytes(), region.granuleBytes());
    }

    private static Element of(VariableSpec variable, long inside, int granuleBytes) {
        List<Long> dimensions = new ArrayList<>();
        Matcher matcher = DIMENSION.matcher(variable.type());
        while (matcher.find()) {
            dimensions.add(Long.parseLong(matcher.group(1)));
        }
        long count = dimensions.stream().reduce(1L, (a, b) -> a * b);
        long bytes = Math.max(1, variable.bytes() / Math.max(1, count));
        long index = inside / bytes;
        StringBuilder indices = new StringBuilder();
        for (int i = dimensions.size() - 1; i >= 0; i--) {
            indices.insert(0, "[" + index % dimensions.get(i) + "]");
            index /= dimensions.get(i);
        }
        String type = DIMENSION.matcher(variable.type()).replaceAll("");
        long offset = variable.offset() + inside / bytes * bytes;
        return new Element(variable.name() + indices, offset, type, bytes, granuleBytes);
    }

    /**
     * The content of a granule of the element: its value, or the granule's bits if it has several.
     */
    String value(long bits) {
        if (bytes != granuleBytes) {
            int shift = Long.SIZE - granuleBytes * Byte.SIZE;
            return "bits 0x" + Long.toHexString(bits << shift >>> shift);
        }
        return switch (type) {
            case "double" -> Double.toString(Double.longBitsToDouble(bits));
            case "float" -> Float.toString(Float.intBitsToFloat((int) bits));
            default -> Long.toString(bits);
        };
    }
}
