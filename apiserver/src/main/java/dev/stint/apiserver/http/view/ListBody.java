package dev.stint.apiserver.http.view;

import dev.stint.apiserver.ListPage;
import dev.stint.apiserver.UnreadItems;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A list that is written in pieces, each of which is made when the one before it is sent. It ends
 * early if an object was replaced that is not kept any more, as the client reads too slowly. If its
 * form states the length of all items at the beginning, each item is made once more before, since
 * all of them at once may take any amount of memory.
 */
final class ListBody implements ApiResponse.Body {
  /** The size of a piece, and of the longest list that is sent as a whole. */
  static final int PIECE_BYTES = ListPage.HELD_BYTES;

  private final UnreadItems items;
  private final ListForm form;
  private final ObjectView view;

  /**
   * @param view shows the objects
   */
  ListBody(ListPage page, ListForm form, ObjectView view) {
    this.items = new UnreadItems(page);
    this.form = form;
    this.view = view;
  }

  /** Prepares all objects, so that what fails does so before the response begins. */
  void prepare() {
    for (int from = 0; from < items.size(); from = prepared(from, ListPage.PREPARED_BYTES)) {}
  }

  /** Prepares objects of some length, and returns their end. */
  private int prepared(int from, int bytes) {
    int end = end(from, bytes);
    view.prepare(() -> items.objects(from, end));
    return end;
  }

  @Override
  public boolean isFinite() {
    return true;
  }

  @Override
  public long memory() {
    return items.memory();
  }

  @Override
  public void writeTo(ApiResponse.Sink sink) throws IOException {
    Runnable unfollow = items.follow();
    try {
      writePieces(sink);
    } catch (ClusterException failed) {
      if (failed.reason() == Reason.GONE) {
        throw new IOException(failed.getMessage(), failed);
      }
      throw failed;
    } finally {
      unfollow.run();
    }
  }

  private void writePieces(ApiResponse.Sink sink) throws IOException {
    AtomicBoolean gone = new AtomicBoolean();
    if (form.isMeasured()) {
      sink.onClose(() -> gone.set(true));
    }
    Length length = measured(gone);
    if (gone.get()) {
      throw new IOException("the client has disconnected");
    }
    for (int from = 0; from < items.size(); ) {
      int first = from;
      int end = prepared(from, PIECE_BYTES);
      if (view.isConverted()) {
        byte[] made = piece(first, end, length); // Converting may take long, and hold memory.
        sink.write(made.length, () -> made);
      } else {
        sink.write(items.length(first, end), () -> piece(first, end, length));
      }
      from = end;
    }
  }

  /** Returns the whole list. Its length is known once the items are written. */
  byte[] whole() {
    if (items.size() == 0) {
      return form.empty();
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream((int) items.length(0, items.size()));
    write(0, items.size(), all);
    ByteArrayOutputStream out = new ByteArrayOutputStream(1024 + all.size());
    out.writeBytes(form.start(form.isMeasured() ? all.size() : 0));
    out.writeBytes(all.toByteArray());
    out.writeBytes(form.end());
    return out.toByteArray();
  }

  /**
   * Returns the length of all items as they are written, or none if the form does not state it.
   * Others get their turn after each piece.
   *
   * @param gone true once the client has disconnected
   */
  private Length measured(AtomicBoolean gone) {
    Length length = new Length();
    ByteArrayOutputStream scratch = new ByteArrayOutputStream();
    for (int from = 0; form.isMeasured() && from < items.size() && !gone.get(); ) {
      int end = prepared(from, PIECE_BYTES);
      for (int i = from; i < end; i++) {
        form.write(items.object(i), i == 0, scratch);
        length.stated += scratch.size();
        scratch.reset();
      }
      giveWay();
      from = end;
    }
    return length;
  }

  /**
   * The length of all items that the beginning states, beside what is written. If the two differ,
   * as after a conversion with another answer, the response ends: a client would read a broken
   * document.
   */
  private final class Length {
    private long stated;
    private long written;

    void onWritten(int bytes, boolean isLast) {
      written += bytes;
      if (form.isMeasured() && (isLast ? written != stated : written > stated)) {
        throw new IllegalStateException(
            "a list has another length than it stated: " + written + " of " + stated + " bytes");
      }
    }
  }

  /** Yields to other requests: a virtual thread keeps its carrier as long as it computes. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void giveWay() {
    Thread.yield();
  }

  private int end(int from, int bytes) {
    int end = from + 1;
    long length = items.length(from);
    while (end < items.size() && length + items.length(end) <= bytes) {
      length += items.length(end);
      end++;
    }
    return end;
  }

  private byte[] piece(int from, int to, Length length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1024 + (int) items.length(from, to));
    if (from == 0) {
      out.writeBytes(form.start(length.stated));
    }
    int begin = out.size();
    write(from, to, out);
    length.onWritten(out.size() - begin, to == items.size());
    if (to == items.size()) {
      out.writeBytes(form.end());
    }
    return out.toByteArray();
  }

  private void write(int from, int to, ByteArrayOutputStream out) {
    for (int i = from; i < to; i++) {
      form.write(items.object(i), i == 0, out);
    }
  }
}
