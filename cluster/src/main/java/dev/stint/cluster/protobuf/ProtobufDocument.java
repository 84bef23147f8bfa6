package dev.stint.cluster.protobuf;

import com.google.protobuf.CodedInputStream;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.protobuf.MessageReader.UnknownFieldException;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.schema.Schema;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Documents in Kubernetes' protobuf encoding: four bytes of magic, then an envelope with {@code
 * apiVersion}, {@code kind} and the encoded object (Kubernetes documentation, API Concepts,
 * Kubernetes Protobuf encoding).
 */
public final class ProtobufDocument {
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private record Type(String apiVersion, String kind) {}

  /** The shapes of the kinds that have been written. */
  private static final ConcurrentMap<Type, MessageShape> KNOWN = new ConcurrentHashMap<>();

  private ProtobufDocument() {}

  /** True if documents of a kind have such an encoding here. */
  public static boolean hasKind(String apiVersion, String kind) {
    return MessageTypes.of(apiVersion, kind).isPresent();
  }

  /** True if a body begins as such a document does. */
  public static boolean isOne(byte[] body) {
    return Envelope.isOne(body);
  }

  /**
   * Returns the document; of a list, with its items.
   *
   * @throws ClusterException {@code BAD_REQUEST} if the body is malformed, {@code
   *     UNSUPPORTED_MEDIA_TYPE} if the kind has no such encoding here
   */
  public static ObjectNode read(byte[] body) {
    Envelope envelope = Envelope.read(body);
    return envelope.kind().endsWith(ProtobufList.SUFFIX)
        ? ProtobufList.of(envelope, UnaryOperator.identity(), false).tree(envelope)
        : source(envelope, UnaryOperator.identity(), false).tree();
  }

  /**
   * Returns the object, whose parts are decoded when they are used. It has no managed fields
   * (decision 115).
   *
   * @param complete true if the tree of the object throws {@code UNSUPPORTED_MEDIA_TYPE} if the
   *     object has fields that are not known here; false if it lacks them
   * @throws ClusterException as {@link #read} does
   */
  public static KubeObject object(byte[] body, boolean complete) {
    return KubeObject.of(source(Envelope.read(body), MessageShape::withoutManagedFields, complete));
  }

  private static ProtobufObject source(
      Envelope envelope, UnaryOperator<MessageShape> wanted, boolean complete) {
    return new ProtobufObject(
        envelope.apiVersion(),
        envelope.kind(),
        wanted.apply(readable(envelope.apiVersion(), envelope.kind())),
        envelope.raw(),
        complete);
  }

  /** Returns the shape of a kind; throws {@code UNSUPPORTED_MEDIA_TYPE} if it has none. */
  static MessageShape readable(String apiVersion, String kind) {
    return shape(apiVersion, kind)
        .orElseThrow(() ->
            new ClusterException(
                Reason.UNSUPPORTED_MEDIA_TYPE,
                "%s %s cannot be read as protobuf; send application/json"
                    .formatted(apiVersion, kind)));
  }

  /** Returns the shape of a kind; empty if the kind has no such encoding here. */
  static Optional<MessageShape> shape(String apiVersion, String kind) {
    String version = MessageTypes.isOptions(kind) ? "v1" : apiVersion;
    return MessageTypes.of(apiVersion, kind)
        .map(message -> MessageShape.of(message, Schema.ofKind(version, kind).orElse(null)));
  }

  /**
   * Returns a document as bytes.
   *
   * @throws IllegalArgumentException if its kind has no such encoding here
   */
  public static byte[] write(ObjectNode tree) {
    String apiVersion = String.valueOf(Json.text(tree, "apiVersion"));
    String kind = String.valueOf(Json.text(tree, "kind"));
    return Envelope.write(
        apiVersion, kind, out -> new MessageWriter(out).document(known(apiVersion, kind), tree));
  }

  /**
   * Returns a document as bytes; null if its kind has no such encoding here, or if it has members
   * that would be lost.
   */
  public static byte @Nullable [] writeComplete(ObjectNode tree) {
    String apiVersion = String.valueOf(Json.text(tree, "apiVersion"));
    String kind = String.valueOf(Json.text(tree, "kind"));
    MessageShape shape = shape(apiVersion, kind).orElse(null);
    if (shape == null) {
      return null;
    }
    boolean[] complete = {true};
    byte[] document =
        Envelope.write(
            apiVersion,
            kind,
            out -> {
              MessageWriter writer = new MessageWriter(out);
              writer.document(shape, tree);
              complete[0] = writer.isComplete();
            });
    return complete[0] ? document : null;
  }

  /** Returns the shape of a kind that has one. */
  static MessageShape known(String apiVersion, String kind) {
    return KNOWN.computeIfAbsent(
        new Type(apiVersion, kind),
        _ ->
            shape(apiVersion, kind)
                .orElseThrow(() ->
                    new IllegalArgumentException(apiVersion + " " + kind + " has no message")));
  }

  interface Reading<T> {
    T read() throws IOException;
  }

  /** Reads something; throws {@code BAD_REQUEST} if it is malformed. */
  static <T> T read(Reading<T> reading) {
    try {
      return reading.read();
    } catch (UnknownFieldException younger) {
      throw new ClusterException(
          Reason.UNSUPPORTED_MEDIA_TYPE,
          younger.getMessage() + "; it is complete only as application/json");
    } catch (IOException | JacksonException broken) {
      throw new ClusterException(
          Reason.BAD_REQUEST, "the body is not valid protobuf: " + broken.getMessage());
    }
  }

  /** Returns the tree of one message. */
  static ObjectNode tree(MessageShape shape, byte[] message, ObjectNode tree, boolean complete) {
    CodedInputStream in = CodedInputStream.newInstance(message);
    return read(() -> MessageReader.read(shape, in, tree, complete));
  }
}
