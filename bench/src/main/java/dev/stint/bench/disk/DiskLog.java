package dev.stint.bench.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the log that {@code faults.c} writes. */
final class DiskLog {
  private static final int HEADER = 32;
  private static final DiskOperation.Verb[] KINDS = DiskOperation.Verb.values();

  private DiskLog() {}

  /** Returns all operations; the last one may be cut off, and is left out then. */
  static List<DiskOperation> read(Path log) throws IOException {
    List<DiskOperation> all = new ArrayList<>();
    if (!Files.exists(log)) {
      return all;
    }
    long at = 0;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(log), 1 << 16))) {
      while (true) {
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER) {
          return all;
        }
        ByteBuffer numbers = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        DiskOperation.Verb kind = KINDS[numbers.getInt() - 1];
        byte[] path = new byte[numbers.getInt()];
        long file = numbers.getLong();
        long offset = numbers.getLong();
        long length = numbers.getLong();
        boolean isSync = kind == DiskOperation.Verb.SYNC;
        byte[] data = new byte[isSync ? 0 : (int) length];
        in.readFully(path);
        in.readFully(data);
        all.add(
            new DiskOperation(
                kind, at, file, new String(path, UTF_8), offset, isSync ? length : 0, data));
        at += HEADER + path.length + data.length;
      }
    } catch (EOFException cutOff) {
      return all;
    }
  }
}
