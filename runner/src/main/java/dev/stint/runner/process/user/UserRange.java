package dev.stint.runner.process.user;

import dev.stint.runner.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A range of user IDs, of which each namespace has its own, with a group of the same number. A file
 * holds the assignments, a line {@code UID NAMESPACE} each. None is ever given to another
 * namespace, as files of the former one may be left.
 */
public final class UserRange implements PodUsers {
  private final Path file;
  private final long first;
  private final long last;
  private final Map<String, Long> byNamespace = new HashMap<>();

  /** All assignments of the file, also those of former ranges: they may count again. */
  private final Map<Long, String> assigned = new TreeMap<>();

  private long lastUsed;

  private UserRange(Path file, long first, long last) {
    this.file = file;
    this.first = first;
    this.last = last;
    this.lastUsed = first - 1;
  }

  /**
   * Reads the assignments so far. Those outside the range do not count, but stay in the file.
   *
   * @throws IOException the file cannot be read, or has another format
   */
  public static UserRange open(Path file, long first, long last) throws IOException {
    UserRange range = new UserRange(file, first, last);
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        range.read(line);
      }
    }
    return range;
  }

  private void read(String line) throws IOException {
    String[] words = line.split(" ", -1);
    if (words.length != 2 || !words[0].matches("\\d{1,10}")) {
      throw new IOException(file + ": \"" + line + "\" is not a line UID NAMESPACE");
    }
    long uid = Long.parseLong(words[0]);
    assigned.put(uid, words[1]);
    if (first <= uid && uid <= last) {
      byNamespace.put(words[1], uid);
      lastUsed = Math.max(lastUsed, uid);
    }
  }

  @Override
  public synchronized Optional<PodUser> of(String namespace) throws IOException {
    Long uid = byNamespace.get(namespace);
    if (uid == null) {
      uid = assign(namespace);
    }
    return Optional.of(new PodUser(uid, uid));
  }

  private long assign(String namespace) throws IOException {
    if (lastUsed == last) {
      throw new IOException(
          "all users of --pod-user "
              + first
              + "-"
              + last
              + " have a namespace; restart with a larger range");
    }
    Map<Long, String> more = new TreeMap<>(assigned);
    more.put(lastUsed + 1, namespace);
    write(more);
    lastUsed++;
    assigned.put(lastUsed, namespace);
    byNamespace.put(namespace, lastUsed);
    return lastUsed;
  }

  /** Replaces the file, also if the power fails: a user must not get a second namespace. */
  private void write(Map<Long, String> all) throws IOException {
    StringBuilder lines = new StringBuilder();
    all.forEach((uid, namespace) -> lines.append(uid).append(' ').append(namespace).append('\n'));
    DurableFile.replace(file, lines.toString().getBytes(StandardCharsets.UTF_8));
  }
}
