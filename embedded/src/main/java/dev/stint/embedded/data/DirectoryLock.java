package dev.stint.embedded.data;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A directory's file {@code lock}, locked for this process and naming it. The operating system
 * frees it when the process dies.
 *
 * <p>Locks within this process are recorded separately: closing any handle of a file frees all of a
 * process's locks on it (POSIX), so a file that is locked here must not be opened again.
 */
final class DirectoryLock implements AutoCloseable {
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();
  private static final int MAX_HOLDER_BYTES = 1024;
  private static final int MAX_COMMAND_CHARS = 200;

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Locks a directory.
   *
   * @throws DataDirectoryException it is locked
   * @throws IOException the file cannot be written
   */
  static DirectoryLock acquire(Path directory) throws IOException, DataDirectoryException {
    Path real = directory.toRealPath();
    if (!HELD_HERE.add(real)) {
      throw inUse(directory, holder());
    }
    boolean taken = false;
    try {
      DirectoryLock lock = lock(directory, real);
      taken = true;
      return lock;
    } finally {
      if (!taken) {
        HELD_HERE.remove(real);
      }
    }
  }

  private static DirectoryLock lock(Path directory, Path real)
      throws IOException, DataDirectoryException {
    FileChannel channel =
        FileChannel.open(new DataLayout(real).lock(), CREATE, READ, WRITE, NOFOLLOW_LINKS);
    try {
      if (channel.tryLock() == null) {
        throw inUse(directory, read(channel));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((holder() + "\n").getBytes(UTF_8)), 0);
      return new DirectoryLock(real, channel);
    } catch (IOException | DataDirectoryException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void close() {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD_HERE.remove(directory);
    }
  }

  private static DataDirectoryException inUse(Path directory, String holder) {
    return DataDirectoryException.inUse(directory, holder);
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(MAX_HOLDER_BYTES);
    channel.read(buffer, 0);
    String holder = new String(buffer.array(), 0, buffer.position(), UTF_8).strip();
    return holder.isEmpty() ? DataDirectoryException.UNNAMED_HOLDER : holder;
  }

  /**
   * Returns the program and its arguments, without the JVM's; everybody can see them in {@code ps}.
   */
  private static String holder() {
    String command = System.getProperty("sun.java.command", "unknown command");
    String line = command.lines().findFirst().orElse("");
    return "pid %d, %s"
        .formatted(
            ProcessHandle.current().pid(),
            line.substring(0, Math.min(line.length(), MAX_COMMAND_CHARS)));
  }
}
