import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Compresses a tar archive as gzip does, and each large file only once: the packages of a release
 * hold the same files, and compressing them takes longer than all else.
 *
 * <p>A deflated stream may be put together from parts that were deflated apart, if each ends at a
 * byte. So each large file is a part of its own, which is kept and used again. The result is one
 * plain gzip stream (RFC 1952, one member), always the same for the same archive.
 */
final class Gzip {
  private static final int BLOCK = 512;
  private static final int LEVEL = 6;

  /** A part that is not kept is about this long, and a file of this size is kept. */
  private static final int LARGE = 1 << 18;

  private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, 3};

  /** The last block of a stream, which is empty. */
  private static final byte[] END = {3, 0};

  private final Path kept;
  private final OutputStream out;
  private final CRC32 sum = new CRC32();
  private final int processors = Runtime.getRuntime().availableProcessors();
  private final ExecutorService threads = Executors.newFixedThreadPool(processors);
  private final Queue<Future<byte[]>> parts = new ArrayDeque<>();
  private final ByteArrayOutputStream small = new ByteArrayOutputStream();
  private long size;

  private Gzip(Path kept, OutputStream out) {
    this.kept = kept;
    this.out = out;
  }

  /**
   * Compresses standard input to standard output.
   *
   * @param args the directory that keeps the parts
   */
  public static void main(String[] args) throws Exception {
    Gzip gzip =
        new Gzip(
            Files.createDirectories(Path.of(args[0])), new FileOutputStream(FileDescriptor.out));
    try (DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, LARGE))) {
      gzip.compress(in);
    } finally {
      gzip.threads.shutdownNow();
    }
  }

  private void compress(DataInputStream in) throws Exception {
    out.write(HEADER);
    byte[] header = new byte[BLOCK];
    while (in.read(header, 0, 1) == 1) {
      in.readFully(header, 1, BLOCK - 1);
      small.write(header);
      byte[] content = in.readNBytes(Math.ceilDiv(contentSize(header), BLOCK) * BLOCK);
      if (content.length < LARGE) {
        small.write(content);
      } else {
        endSmall();
        add(content, () -> keptPart(content));
      }
      if (small.size() >= LARGE) {
        endSmall();
      }
    }
    endSmall();
    while (!parts.isEmpty()) {
      writePart();
    }
    out.write(END);
    ByteBuffer trailer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    out.write(trailer.putInt((int) sum.getValue()).putInt((int) size).array());
    out.flush();
  }

  /** Returns the size that a header of a tar archive gives; 0 for the blocks at its end. */
  private static int contentSize(byte[] header) {
    String octal = new String(header, 124, 12, StandardCharsets.US_ASCII);
    String digits = octal.replace('\0', ' ').strip();
    return digits.isEmpty() ? 0 : Integer.parseInt(digits, 8);
  }

  private void endSmall() throws Exception {
    byte[] content = small.toByteArray();
    small.reset();
    if (content.length > 0) {
      add(content, () -> deflated(content));
    }
  }

  private void add(byte[] content, Callable<byte[]> part) throws Exception {
    sum.update(content);
    size += content.length;
    parts.add(threads.submit(part));
    if (parts.size() > 2 * processors) {
      writePart();
    }
  }

  private void writePart() throws IOException, InterruptedException, ExecutionException {
    out.write(parts.remove().get());
  }

  private byte[] keptPart(byte[] content) throws IOException, NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
    Path file = kept.resolve(HexFormat.of().formatHex(digest));
    if (Files.exists(file)) {
      return Files.readAllBytes(file);
    }
    byte[] part = deflated(content);
    Path whole = Files.write(Files.createTempFile(kept, "part", null), part);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE); // Another thread may do the same.
    return part;
  }

  /** Deflates a part, so that it ends at a byte and the next one does not refer to it. */
  private static byte[] deflated(byte[] content) {
    try (Deflater deflater = new Deflater(LEVEL, true)) {
      deflater.setInput(content);
      ByteArrayOutputStream part = new ByteArrayOutputStream(content.length / 2);
      byte[] buffer = new byte[1 << 16];
      int length;
      do {
        length = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
        part.write(buffer, 0, length);
      } while (length == buffer.length);
      return part.toByteArray();
    }
  }
}
