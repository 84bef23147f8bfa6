package dev.stint.kube;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.cluster.RetryAfter;
import dev.stint.cluster.WatchEvent;
import dev.stint.cluster.protobuf.ProtobufDocument;
import dev.stint.cluster.protobuf.ProtobufEvents;
import dev.stint.kube.http.AnswerHead;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** One request of a watch and its answer, read on the caller's thread. */
final class WatchConnection {
  /** Receives what the API reports, in order. */
  interface Receiver {
    void onEvent(WatchEvent event);

    /** Receives an object that has only a revision, up to which everything has been reported. */
    void onBookmark(KubeObject bookmark);
  }

  /** Why it ended. */
  sealed interface End {
    /** The API ended it, as it does after some minutes. */
    record Over() implements End {}

    /**
     * It broke, or the API cannot answer now.
     *
     * @param retryAfter the delay that the API requests; null if it requests none
     */
    record Broken(@Nullable String why, @Nullable Duration retryAfter) implements End {}

    /** The watch cannot be resumed. */
    record Refused(ClusterException cause) implements End {}
  }

  private final RestClient rest;
  private final Kind kind;
  private final String path;
  private final Receiver receiver;
  private final LineSplitter lines = new LineSplitter();
  private final ProtobufEvents messages = new ProtobufEvents();

  /** True if the API is asked in JSON already, so that asking so again is of no use. */
  private final boolean isAskedInJson;

  /** The end that the API has reported as an event; null until then. */
  private @Nullable ClusterException reported;

  /**
   * @param path the watched collection, for messages
   */
  WatchConnection(RestClient rest, Kind kind, String path, Receiver receiver) {
    this.rest = rest;
    this.kind = kind;
    this.path = path;
    this.receiver = receiver;
    this.isAskedInJson = rest.usesJson();
  }

  /** Opens a stream and reports its events until it ends. */
  End follow(ApiStream stream) {
    try {
      AnswerHead head = stream.open();
      return head.isSuccessful()
          ? read(stream, RestClient.isProtobuf(head))
          : ended(
              StatusReader.of(head.code(), stream.readRest()), RetryAfter.of(head.retryAfter()));
    } catch (IOException broken) {
      return new End.Broken(broken.getMessage(), null);
    } catch (ClusterException unavailable) {
      return ended(unavailable, null);
    }
  }

  private End ended(ClusterException why, @Nullable Duration retryAfter) {
    return why.isTransient() || !isAskedInJson && rest.needsJson(why)
        ? new End.Broken(why.getMessage(), retryAfter)
        : new End.Refused(why);
  }

  private End read(ApiStream stream, boolean isProtobuf) throws IOException {
    for (byte[] bytes = stream.read(); bytes != null; bytes = stream.read()) {
      try {
        split(bytes, isProtobuf);
      } catch (ClusterException unreadable) {
        return !isAskedInJson && rest.needsJson(unreadable)
            ? new End.Broken(unreadable.getMessage(), null)
            : new End.Refused(incomprehensible(unreadable.getMessage()));
      } catch (JacksonException | ClassCastException notAnEvent) {
        return new End.Refused(incomprehensible(notAnEvent.getMessage()));
      }
      if (reported != null) {
        return new End.Refused(reported);
      }
    }
    return new End.Over();
  }

  private void split(byte[] bytes, boolean isProtobuf) {
    if (isProtobuf) {
      messages.split(bytes, this::onMessage);
    } else {
      lines.split(bytes, this::onLine);
    }
  }

  private void onMessage(ProtobufEvents.Event event) {
    boolean isObject = !event.type().equals("ERROR") && !event.type().equals("BOOKMARK");
    onEvent(
        event.type(),
        () -> {
          boolean complete = isObject && ApiAnswer.mustBeComplete(kind);
          KubeObject object = ProtobufDocument.object(event.object(), complete);
          return isObject ? ApiAnswer.whole(kind, object) : object;
        });
  }

  private void onLine(byte[] line) {
    ObjectNode event = Json.parse(line);
    ObjectNode object = Json.objectAt(event, "object");
    if (object == null) {
      throw new ClassCastException("an event without an object");
    }
    onEvent(String.valueOf(Json.text(event, "type")), () -> KubeObject.of(object));
  }

  private void onEvent(String type, Supplier<KubeObject> object) {
    if (reported != null) {
      return;
    }
    switch (type) {
      case "ADDED" -> report(WatchEvent.Type.ADDED, object);
      case "MODIFIED" -> report(WatchEvent.Type.MODIFIED, object);
      case "DELETED" -> report(WatchEvent.Type.DELETED, object);
      case "BOOKMARK" -> receiver.onBookmark(object.get());
      case "ERROR" -> reported = StatusReader.of(object.get().tree());
      default -> reported = incomprehensible("an event of type " + type);
    }
  }

  private void report(WatchEvent.Type type, Supplier<KubeObject> object) {
    receiver.onEvent(new WatchEvent(type, object.get()));
  }

  private ClusterException incomprehensible(@Nullable String why) {
    return new ClusterException(Reason.INTERNAL, "the watch of " + path + " is invalid: " + why);
  }
}
