package io.muninn.wire;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.ArrayDeque;

/** Records the values that an encoder writes, with the name of the method that it used. */
final class RecordingWriter implements WireWriter {
    /**
     * One call.
     *
     * @param type name of the method
     */
    record Written(String type, Object value) {}

    final ArrayDeque<Written> all = new ArrayDeque<>();

    private void note(String type, Object value) {
        all.add(new Written(type, value));
    }

    @Override
    public void u8(int value) {
        note("u8", value);
    }

    @Override
    public void u16(int value) {
        note("u16", value);
    }

    @Override
    public void u32(int value) {
        note("u32", value);
    }

    @Override
    public void i64(long value) {
        note("i64", value);
    }

    @Override
    public void bytes(byte[] value) {
        note("bytes", value);
    }

    @Override
    public void payload(Payload payload) {
        note("payload", payload);
    }

    @Override
    public void flag(boolean value) {
        note("flag", value);
    }

    @Override
    public void varint(long value) {
        note("varint", value);
    }

    @Override
    public void node(NodeId node) {
        note("node", node);
    }

    @Override
    public void page(PageId page) {
        note("page", page);
    }

    @Override
    public void text(String value) {
        note("text", value);
    }

    @Override
    public void sized(byte[] value) {
        note("sized", value);
    }
}
