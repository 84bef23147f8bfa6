package dev.stint.apiserver.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the audit log, which only their owner may read. A full file gets the time into its
 * name ({@code audit-2026-11-23T10-00-00.000.log}), and a new one begins; old files are deleted by
 * age and number.
 *
 * <p>Rationed lines fill a quarter of a file at most: however many come, they never push other
 * lines out.
 */
final class AuditFile implements AuditSink {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss.SSS").withZone(ZoneOffset.UTC);
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int RATION = 4;

  private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);

  private final Path file;
  private final Path directory;
  private final Limits limits;
  private final InstantSource clock;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private FileChannel channel;
  private long size;
  private long rationed;
  private boolean rotationFails;

  /**
   * The limits of the files.
   *
   * @param maxBytes the size at which a file is rotated
   * @param maxBackups the number of rotated files that are kept; 0 for all
   * @param maxAgeDays the age up to which rotated files are kept; 0 for ever
   */
  record Limits(long maxBytes, int maxBackups, int maxAgeDays) {}

  /** Opens the files, and appends to an existing one. */
  AuditFile(Path file, Limits limits, InstantSource clock) throws IOException {
    this.file = file.toAbsolutePath().normalize();
    this.directory = Objects.requireNonNull(this.file.getParent(), "a file, not the root");
    this.limits = limits;
    this.clock = clock;
    this.channel = open();
    this.size = channel.size();
    prune();
  }

  /** Returns the sink that the settings name: files, or the standard output. */
  static AuditSink of(AuditSettings settings, InstantSource clock) throws IOException {
    OutputStream out = settings.standardOutput();
    return out == null
        ? new AuditFile(Path.of(settings.path()), settings.limits(), clock)
        : new StandardOutput(out);
  }

  @Override
  public boolean write(byte[] line, boolean isRationed) throws IOException {
    if (size + buffer.size() + line.length > limits.maxBytes() && size + buffer.size() > 0) {
      rotate();
    }
    if (isRationed && rationed + line.length > limits.maxBytes() / RATION) {
      return false;
    }
    rationed += isRationed ? line.length : 0;
    buffer.writeBytes(line);
    if (buffer.size() >= BUFFER_BYTES) {
      flush();
    }
    return true;
  }

  @Override
  public void flush() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(buffer.toByteArray());
    buffer.reset();
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      size += bytes.limit();
    } catch (IOException full) {
      cut(full);
      throw full;
    }
  }

  /** Removes the part of a line that a failed write may have left. */
  private void cut(IOException full) {
    try {
      channel.truncate(size);
    } catch (IOException worse) {
      full.addSuppressed(worse);
    }
  }

  /** Begins a new file; if that fails, goes on with the old one. */
  private void rotate() throws IOException {
    flush();
    try {
      Files.move(file, backup());
    } catch (NoSuchFileException gone) {
      LOG.debug("The audit log {} was renamed or removed by others; a new file begins", file);
    } catch (IOException e) {
      if (!rotationFails) {
        LOG.error("Cannot rotate the audit log {}; it grows until it can be renamed", file, e);
      }
      rotationFails = true;
      return;
    }
    rotationFails = false;
    // Before the old one is closed: events go there as long as a new one cannot be opened.
    FileChannel next = open();
    channel.close();
    channel = next;
    size = 0;
    rationed = 0;
    prune();
  }

  private Path backup() {
    Instant time = clock.instant();
    Path backup = backup(time);
    while (Files.exists(backup)) {
      time = time.plusMillis(1);
      backup = backup(time);
    }
    return backup;
  }

  private Path backup(Instant time) {
    return file.resolveSibling(prefix() + STAMP.format(time) + suffix());
  }

  private String prefix() {
    return name().substring(0, name().length() - suffix().length()) + "-";
  }

  private String suffix() {
    int dot = name().lastIndexOf('.');
    return dot < 0 ? "" : name().substring(dot);
  }

  private String name() {
    return String.valueOf(file.getFileName());
  }

  private record Backup(Path path, Instant time) {}

  /** Deletes the old files that are too many or too old. */
  private void prune() {
    try {
      List<Backup> backups = backups();
      Instant oldest = clock.instant().minus(Duration.ofDays(limits.maxAgeDays()));
      for (int i = 0; i < backups.size(); i++) {
        boolean tooMany = limits.maxBackups() > 0 && i >= limits.maxBackups();
        boolean tooOld = limits.maxAgeDays() > 0 && backups.get(i).time().isBefore(oldest);
        if (tooMany || tooOld) {
          Files.deleteIfExists(backups.get(i).path());
        }
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("Cannot delete old files of the audit log {}: {}", file, e.toString());
    }
  }

  /** Returns the old files, the newest first. */
  private List<Backup> backups() throws IOException {
    List<Backup> found = new ArrayList<>();
    try (Stream<Path> siblings = Files.list(directory)) {
      siblings.forEach(path -> {
        Instant time = time(String.valueOf(path.getFileName()));
        if (time != null) {
          found.add(new Backup(path, time));
        }
      });
    }
    found.sort(Comparator.comparing(Backup::time).reversed());
    return found;
  }

  private @Nullable Instant time(String name) {
    if (!name.startsWith(prefix())
        || !name.endsWith(suffix())
        || name.length() < prefix().length() + suffix().length()) {
      return null;
    }
    String stamp = name.substring(prefix().length(), name.length() - suffix().length());
    try {
      return LocalDateTime.parse(stamp, STAMP).toInstant(ZoneOffset.UTC);
    } catch (DateTimeParseException other) {
      return null;
    }
  }

  private FileChannel open() throws IOException {
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    return FileChannel.open(file, options, attributes);
  }

  @Override
  public void close() throws IOException {
    try {
      flush();
    } finally {
      channel.close();
    }
  }

  /** The standard output, which is never closed and rations nothing. */
  private record StandardOutput(OutputStream out) implements AuditSink {
    @Override
    public boolean write(byte[] line, boolean rationed) throws IOException {
      out.write(line);
      return true;
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.flush();
    }
  }
}
