package dev.stint.runner.log;

import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of one attempt of a container: {@code <container>.<number>.stdout} and {@code .stderr},
 * which the container writes by itself, and {@code .times}, which records when they grew. The files
 * of a pod that printed nothing may be gone as soon as it is over.
 *
 * @param dir the pod's directory
 * @param number the number of the attempt, from 0
 */
public record LogFiles(Path dir, String container, int number) {
  private static final Pattern NAME = Pattern.compile("(.+)\\.(\\d{1,9})\\.(stdout|stderr)");

  /** Computes a hash: every attempt needs it, and a record's own one is slow. */
  @Override
  public int hashCode() {
    return 31 * (31 * dir.hashCode() + container.hashCode()) + number;
  }

  public Path path(LogStream stream) {
    return dir.resolve(container + "." + number + "." + stream.suffix());
  }

  /**
   * Makes their directory.
   *
   * @return false if it existed already, and may hold logs of an earlier pod of the same name
   */
  public boolean makeDir() throws IOException {
    try {
      Files.createDirectory(dir);
      return true;
    } catch (FileAlreadyExistsException there) {
      return false;
    } catch (NoSuchFileException first) {
      Files.createDirectories(dir);
      return true;
    }
  }

  /** Returns the file of times; it does not exist if nothing was printed for long. */
  public Path times() {
    return dir.resolve(container + "." + number + ".times");
  }

  /** Returns the size of the output, in bytes; 0 if there is none yet. */
  long size(LogStream stream) {
    return path(stream).toFile().length();
  }

  /**
   * Opens a file for reading; returns null if there is no output, or none any more. An empty file
   * is not opened: it may be a spare one, and a shim gives it up once it finds that another process
   * has it open.
   */
  @Nullable FileChannel open(LogStream stream) throws IOException {
    try {
      return size(stream) == 0 ? null : Handle.channel(path(stream), StandardOpenOption.READ);
    } catch (NoSuchFileException none) {
      return null;
    }
  }

  /** True if nothing was printed; then the files may not exist any more. */
  public boolean isSilent() {
    return size(LogStream.STDOUT) == 0 && size(LogStream.STDERR) == 0;
  }

  /**
   * Returns the kept attempt numbers of each container, in order; none if the directory does not
   * exist, or not any more.
   */
  public static TreeMap<String, TreeSet<Integer>> in(Path dir) throws IOException {
    TreeMap<String, TreeSet<Integer>> found = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(dir)) {
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          found
              .computeIfAbsent(name.group(1), _ -> new TreeSet<>())
              .add(Integer.parseInt(name.group(2)));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException none) {
      return found;
    }
    return found;
  }

  /** Returns all kept attempts in a pod's directory. */
  static List<LogFiles> all(Path dir) throws IOException {
    List<LogFiles> all = new ArrayList<>();
    in(dir)
        .forEach(
            (name, numbers) -> numbers.forEach(each -> all.add(new LogFiles(dir, name, each))));
    return all;
  }

  /**
   * Returns their size on disk and the time of the last output. Empty files may have been made for
   * another pod: they are as old as the directory.
   */
  KeptLog kept(Instant now) throws IOException {
    Instant last = isSilent() ? KeptLog.writtenAt(dir, now) : Instant.EPOCH;
    for (LogStream stream : LogStream.values()) {
      Instant written = KeptLog.writtenAt(path(stream), now);
      last = written.isAfter(last) ? written : last;
    }
    long bytes = times().toFile().length() + readable();
    return new KeptLog(this::delete, bytes, last);
  }

  /** Counts the readable bytes of both streams; 0 if nothing is kept. */
  public long readable() throws IOException {
    LogTimes starts = new LogTimes(this);
    starts.refresh();
    long bytes = 0;
    for (LogStream stream : LogStream.values()) {
      bytes += Math.max(0, size(stream) - starts.start(stream));
    }
    return bytes;
  }

  /** Deletes the files. */
  void delete() throws IOException {
    Files.deleteIfExists(times());
    for (LogStream stream : LogStream.values()) {
      Files.deleteIfExists(path(stream));
    }
  }
}
