package dev.stint.cluster.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.stint.model.Json;
import dev.stint.model.ObjectSource;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One object as a message, parts of which can be decoded alone: the length of each is known, so
 * that all others are skipped.
 *
 * @param complete true if the whole document is refused if it has fields that are not known here
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ProtobufObject(
    String apiVersion, String kind, MessageShape shape, byte[] message, boolean complete)
    implements ObjectSource {
  @Override
  public ObjectNode tree() {
    ObjectNode tree = Json.object().put("apiVersion", apiVersion).put("kind", kind);
    return ProtobufDocument.tree(shape, message, tree, complete);
  }

  @Override
  public @Nullable ObjectNode member(String name) {
    MessageField field = shape.member(name);
    if (field == null) {
      return null;
    }
    MessageShape part = field.shape();
    return ProtobufDocument.read(() -> at(field))
        .map(in -> ProtobufDocument.read(() -> MessageReader.read(part, in, Json.object(), false)))
        .orElse(null);
  }

  @Override
  public @Nullable String text(String member, String name) {
    MessageField outer = shape.member(member);
    MessageField inner = outer == null ? null : outer.shape().member(name);
    if (outer == null || inner == null || inner.form() != MessageField.Form.STRING) {
      return null;
    }
    return ProtobufDocument.read(() -> at(outer))
        .flatMap(in -> ProtobufDocument.read(() -> enter(in, inner)))
        .map(in -> ProtobufDocument.read(() -> in.readRawBytes(in.getBytesUntilLimit())))
        .map(bytes -> new String(bytes, UTF_8))
        .filter(text -> !text.isEmpty() || !inner.dropsZero())
        .orElse(null);
  }

  private Optional<CodedInputStream> at(MessageField field) throws IOException {
    return enter(CodedInputStream.newInstance(message), field);
  }

  /** Enters the value of a field; empty if there is none. */
  private static Optional<CodedInputStream> enter(CodedInputStream in, MessageField field)
      throws IOException {
    int wanted = field.number() << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == wanted) {
        int length = in.readRawVarint32();
        var _ = in.pushLimit(length);
        return Optional.of(in);
      }
      MessageReader.skip(in, tag);
    }
    return Optional.empty();
  }

  @Override
  public int length() {
    return message.length;
  }
}
