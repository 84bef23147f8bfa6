package dev.stint.cluster.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A list of objects. Its length is known before its items are written, so a long list can be
 * written in parts, item by item, once the lengths of all items are known.
 *
 * @param metadata of the list
 * @param items each of which is decoded when it is used
 */
public record ProtobufList(ObjectNode metadata, List<KubeObject> items) {
  private static final int METADATA = 1;
  private static final int ITEMS = 2;
  static final String SUFFIX = "List";

  /**
   * Reads a list; its items have no managed fields. Throws {@code BAD_REQUEST} if it is malformed,
   * {@code UNSUPPORTED_MEDIA_TYPE} if its kind is not known.
   *
   * @param complete of the items, as in {@link ProtobufDocument#object}
   */
  public static ProtobufList read(byte[] body, boolean complete) {
    return of(Envelope.read(body), MessageShape::withoutManagedFields, complete);
  }

  /**
   * @param wanted makes the shape of the items from that of their kind
   */
  static ProtobufList of(Envelope envelope, UnaryOperator<MessageShape> wanted, boolean complete) {
    String kind = envelope.kind();
    String item = kind.endsWith(SUFFIX) ? kind.substring(0, kind.length() - SUFFIX.length()) : kind;
    MessageShape shape = wanted.apply(ProtobufDocument.readable(envelope.apiVersion(), item));
    return ProtobufDocument.read(
        () -> read(CodedInputStream.newInstance(envelope.raw()), envelope, item, shape, complete));
  }

  private static ProtobufList read(
      CodedInputStream in, Envelope envelope, String kind, MessageShape shape, boolean complete)
      throws IOException {
    ObjectNode metadata = Json.object();
    List<KubeObject> items = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (tag) {
        case METADATA << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED ->
            ProtobufDocument.tree(metadataShape(), in.readByteArray(), metadata, false);
        case ITEMS << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED ->
            items.add(
                KubeObject.of(
                    new ProtobufObject(
                        envelope.apiVersion(), kind, shape, in.readByteArray(), complete)));
        default -> MessageReader.skip(in, tag);
      }
    }
    return new ProtobufList(metadata, items);
  }

  /** Returns the list as a document. */
  ObjectNode tree(Envelope envelope) {
    ObjectNode tree = Json.object();
    tree.put("apiVersion", envelope.apiVersion()).put("kind", envelope.kind());
    tree.set("metadata", metadata);
    ArrayNode trees = tree.putArray("items");
    items.forEach(item -> trees.add(item.tree()));
    return tree;
  }

  private static MessageShape metadataShape() {
    return MessageShape.of(MessageTypes.listMetadata(), null);
  }

  /**
   * Returns what comes before the items.
   *
   * @param kind of the list, such as {@code PodList}
   * @param length of all items as {@link #item} returns them
   */
  public static byte[] start(String apiVersion, String kind, ObjectNode metadata, long length) {
    ReverseBuffer out = new ReverseBuffer(256);
    MessageWriter writer = new MessageWriter(out);
    writer.message(metadataShape(), metadata);
    writer.delimit(METADATA, 0);
    byte[] head = out.toByteArray();
    byte[] envelope = Envelope.start(apiVersion, kind, head.length + length);
    byte[] start = Arrays.copyOf(envelope, envelope.length + head.length);
    System.arraycopy(head, 0, start, envelope.length, head.length);
    return start;
  }

  /** Returns one item. */
  public static byte[] item(ObjectNode tree) {
    ReverseBuffer out = new ReverseBuffer(1 << 10);
    MessageWriter writer = new MessageWriter(out);
    writer.document(
        ProtobufDocument.known(
            String.valueOf(Json.text(tree, "apiVersion")), String.valueOf(Json.text(tree, "kind"))),
        tree);
    writer.delimit(ITEMS, 0);
    return out.toByteArray();
  }

  /** Returns what comes after the items. */
  public static byte[] end() {
    return Envelope.end();
  }
}
