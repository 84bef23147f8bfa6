package dev.stint.apiserver.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * A sink that keeps a copy of a finite response, which the audit log takes as it is written. A
 * response that is too long for one event is not kept.
 */
final class RecordingSink extends ForwardingSink {
  private static final int LONGEST = 1 << 20;

  private ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private boolean tooLong;

  RecordingSink(ApiResponse.Sink sink) {
    super(sink);
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    keep(bytes);
    super.write(bytes);
  }

  @Override
  public void write(long size, ApiResponse.Piece piece) throws IOException {
    super.write(
        size,
        () -> {
          byte[] bytes = piece.bytes();
          keep(bytes);
          return bytes;
        });
  }

  private void keep(byte[] bytes) {
    if (!tooLong && kept.size() + bytes.length > LONGEST) {
      tooLong = true;
      kept = new ByteArrayOutputStream(0); // A slow client may read the rest for long.
    }
    if (!tooLong) {
      kept.writeBytes(bytes);
    }
  }

  /** Returns the number of bytes that are kept. */
  int kept() {
    return kept.size();
  }

  /** Returns the whole response; empty if it is too long. */
  Optional<byte[]> whole() {
    return tooLong ? Optional.empty() : Optional.of(kept.toByteArray());
  }
}
