package dev.stint.apiserver.http.handler;

import dev.stint.apiserver.ListPage;
import dev.stint.apiserver.http.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/** A list that is written in pieces, each of which is made when the one before it is sent. */
final class ListBody implements ApiResponse.Body {
  /** The size of a piece, and of the longest list that is sent as a whole. */
  static final int PIECE_BYTES = ListPage.HELD_BYTES;

  private final List<? extends ListPage.Item> items;
  private final ListForm form;

  ListBody(List<? extends ListPage.Item> items, ListForm form) {
    this.items = items;
    this.form = form;
  }

  @Override
  public boolean isFinite() {
    return true;
  }

  @Override
  public void writeTo(ApiResponse.Sink sink) throws IOException {
    for (int from = 0; from < items.size(); ) {
      int first = from;
      int end = pieceEnd(from);
      sink.write(length(first, end), () -> piece(first, end));
      from = end;
    }
  }

  /** Returns the whole list. */
  byte[] whole() {
    return items.isEmpty() ? form.empty() : piece(0, items.size());
  }

  private int pieceEnd(int from) {
    int end = from + 1;
    long length = items.get(from).length();
    while (end < items.size() && length + items.get(end).length() <= PIECE_BYTES) {
      length += items.get(end).length();
      end++;
    }
    return end;
  }

  private long length(int from, int to) {
    return items.subList(from, to).stream().mapToLong(ListPage.Item::length).sum();
  }

  private byte[] piece(int from, int to) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1024 + (int) length(from, to));
    if (from == 0) {
      out.writeBytes(form.start());
    }
    for (int i = from; i < to; i++) {
      form.write(items.get(i).object(), i == 0, out);
    }
    if (to == items.size()) {
      out.writeBytes(form.end());
    }
    return out.toByteArray();
  }
}
