package dev.stint.apiserver.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.schema.Schema;
import java.util.Arrays;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts a body in Kubernetes' protobuf encoding to the equivalent JSON document: four bytes of
 * magic, then an envelope with {@code apiVersion}, {@code kind} and the encoded object (Kubernetes
 * documentation, API Concepts, Kubernetes Protobuf encoding).
 */
public final class ProtobufDocument {
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private static final Descriptor ENVELOPE = MessageTypes.envelope();

  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private ProtobufDocument() {}

  /**
   * Returns the document. It may contain empty members that JSON would omit; decoding by the schema
   * drops them.
   *
   * @throws ClusterException {@code BAD_REQUEST} if the body is malformed, {@code
   *     UNSUPPORTED_MEDIA_TYPE} if the kind has no such encoding here
   */
  public static ObjectNode read(byte[] body) {
    if (!Arrays.equals(body, 0, Math.min(MAGIC.length, body.length), MAGIC, 0, MAGIC.length)) {
      throw new ClusterException(
          Reason.BAD_REQUEST, "the body is not in Kubernetes' protobuf encoding: it has no prefix");
    }
    try {
      ByteString rest = ByteString.copyFrom(body, MAGIC.length, body.length - MAGIC.length);
      return document(DynamicMessage.parseFrom(ENVELOPE, rest));
    } catch (InvalidProtocolBufferException | JacksonException broken) {
      throw new ClusterException(
          Reason.BAD_REQUEST, "the body is not valid protobuf: " + broken.getMessage());
    }
  }

  private static ObjectNode document(Message envelope) throws InvalidProtocolBufferException {
    Message type = (Message) MessageTree.field(envelope, "typeMeta");
    String apiVersion = (String) MessageTree.field(type, "apiVersion");
    String kind = (String) MessageTree.field(type, "kind");
    Descriptor message =
        MessageTypes.of(apiVersion, kind)
            .orElseThrow(() ->
                new ClusterException(
                    Reason.UNSUPPORTED_MEDIA_TYPE,
                    "%s %s can't be read as protobuf; send application/json"
                        .formatted(apiVersion, kind)));
    ObjectNode tree =
        MessageTree.of(
            DynamicMessage.parseFrom(message, (ByteString) MessageTree.field(envelope, "raw")),
            Schema.ofKind(MessageTypes.isOptions(kind) ? "v1" : apiVersion, kind).orElse(null));
    tree.put("apiVersion", apiVersion);
    tree.put("kind", kind);
    return tree;
  }
}
