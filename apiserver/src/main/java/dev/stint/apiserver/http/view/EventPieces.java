package dev.stint.apiserver.http.view;

import dev.stint.apiserver.http.ApiResponse;
import dev.stint.model.KubeObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Sends the events of a watch in pieces, each of which is made when there is memory for it. */
public final class EventPieces {
  /** The size of a piece: once it is reached, the piece is sent. */
  private static final int BYTES = 64 << 10;

  /** The memory of an event beside its object; also that of an object of unknown size. */
  private static final int EVENT_BYTES = 256;

  /** An event without an object of the kind. */
  public static final String BOOKMARK = "BOOKMARK";

  private final ApiResponse.Sink sink;
  private final Writer writer;
  private final ObjectView view;
  private List<Event> events = new ArrayList<>();
  private long length;

  /** Writes an event as a line. */
  public interface Writer {
    void append(ByteArrayOutputStream out, String type, KubeObject object);
  }

  private record Event(String type, Supplier<KubeObject> object) {}

  /**
   * @param view shows the objects of a piece
   */
  public EventPieces(ApiResponse.Sink sink, Writer writer, ObjectView view) {
    this.sink = sink;
    this.writer = writer;
    this.view = view;
  }

  /**
   * Adds an event; sends what has come together if that is enough.
   *
   * @param size the approximate length of the object
   */
  public void add(String type, long size, Supplier<KubeObject> object) throws IOException {
    long bytes = size + EVENT_BYTES;
    if (length + bytes > BYTES) {
      flush();
    }
    events.add(new Event(type, object));
    length += bytes;
  }

  /** Sends the rest. */
  public void flush() throws IOException {
    if (events.isEmpty()) {
      return;
    }
    List<Event> piece = events;
    if (view.isConverted()) {
      view.prepare(() -> objects(piece));
      byte[] made = bytes(piece); // Who converts may take long, and would hold memory for it.
      sink.write(made.length, () -> made);
    } else {
      sink.write(length, () -> bytes(piece));
    }
    events = new ArrayList<>();
    length = 0;
  }

  private static List<KubeObject> objects(List<Event> piece) {
    return piece.stream()
        .filter(event -> !event.type.equals(BOOKMARK))
        .map(event -> event.object.get())
        .toList();
  }

  private byte[] bytes(List<Event> piece) {
    ByteArrayOutputStream out = new ByteArrayOutputStream((int) length);
    for (Event event : piece) {
      writer.append(out, event.type(), event.object().get());
    }
    return out.toByteArray();
  }
}
