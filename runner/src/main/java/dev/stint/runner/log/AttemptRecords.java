package dev.stint.runner.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.Names;
import dev.stint.model.Timestamps;
import dev.stint.runner.device.PodDevices;
import dev.stint.runner.runtime.Exit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records how the attempts of a Job's pods ended: a file of JSON lines next to the directories of
 * its pods' logs, which outlives the pods and the Job. Once none of these logs is left, the file is
 * kept like a log that was last written when the last attempt ended.
 *
 * <p>An attempt may have two lines if a crash of this program hid its end from the API for a while,
 * and none if the crash came right after the API learned of it.
 */
public final class AttemptRecords {
  /** No pod can have such a name. */
  private static final String NAME = "_attempts.jsonl";

  private static final int LONGEST_MESSAGE = 1024;

  /** The bytes that most file systems take for a directory, and for a small file. */
  private static final long BLOCK = 4096;

  private AttemptRecords() {}

  /**
   * Adds a record.
   *
   * @param logs the logs of the attempt
   * @param item what the pod works on; null if that is unknown
   * @param silent true if it printed nothing
   */
  public static void add(
      LogFiles logs, KubeObject pod, @Nullable String item, Exit exit, boolean silent)
      throws IOException {
    Path job = logs.dir().resolveSibling(NAME);
    byte[] line = line(record(logs, pod, item, exit, silent));
    try {
      append(job, line);
    } catch (NoSuchFileException none) {
      Files.createDirectories(Objects.requireNonNull(job.getParent()));
      append(job, line);
    }
  }

  /**
   * Returns the records of a Job, oldest first; none if nothing is kept of it. A line that a crash
   * cut short is left out.
   */
  public static List<ObjectNode> read(Path jobDir) throws IOException {
    return read(jobDir, _ -> true);
  }

  /** Returns the records of one index, likewise; the others are not even parsed. */
  public static List<ObjectNode> ofIndex(Path jobDir, int index) throws IOException {
    String member = "\"index\":" + index + ",";
    return read(jobDir, line -> line.contains(member)).stream()
        .filter(record -> Integer.valueOf(index).equals(Json.integer(record, "index")))
        .toList();
  }

  private static List<ObjectNode> read(Path jobDir, Predicate<String> wanted) throws IOException {
    List<ObjectNode> records = new ArrayList<>();
    // This decoder replaces the half of a character that a full disk has left.
    try (BufferedReader file =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(jobDir.resolve(NAME)), UTF_8))) {
      file.lines().filter(wanted).forEach(line -> parsed(line).ifPresent(records::add));
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (UncheckedIOException fault) {
      throw fault.getCause();
    }
    return records;
  }

  private static Optional<ObjectNode> parsed(String line) {
    try {
      return Optional.of(Json.parse(line));
    } catch (JacksonException | ClassCastException cutShort) {
      return Optional.empty();
    }
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(text.length(), LONGEST_MESSAGE));
  }

  /** Returns the records of a Job as something that is kept; empty if there are none. */
  static Optional<KeptLog> kept(Path jobDir, Instant now) throws IOException {
    Path file = jobDir.resolve(NAME);
    try {
      Instant last = KeptLog.writtenAt(file, now);
      long bytes = (Files.size(file) + BLOCK - 1) / BLOCK * BLOCK + BLOCK;
      return Optional.of(new KeptLog(() -> removeUnchanged(file, last), bytes, last));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }

  /** Removes a file, unless a record was added to it meanwhile. */
  private static void removeUnchanged(Path file, Instant last) throws IOException {
    if (Files.exists(file) && Files.getLastModifiedTime(file).toInstant().equals(last)) {
      Files.deleteIfExists(file);
    }
  }

  private static byte[] line(ObjectNode record) {
    byte[] json = Json.bytes(record);
    byte[] line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }

  /** Appends a line. One that a full disk cut short ends before it, and takes nothing along. */
  private static synchronized void append(Path file, byte[] line) throws IOException {
    byte[] ended = isCutShort(file) ? "\n".getBytes(UTF_8) : new byte[0];
    ByteBuffer text = ByteBuffer.allocate(ended.length + line.length).put(ended).put(line);
    Files.write(file, text.array(), CREATE, APPEND);
  }

  private static boolean isCutShort(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.size() > 0
          && channel.read(last, channel.size() - 1) == 1
          && last.get(0) != '\n';
    } catch (NoSuchFileException none) {
      return false;
    }
  }

  private static ObjectNode record(
      LogFiles logs, KubeObject pod, @Nullable String item, Exit exit, boolean silent) {
    ObjectNode record = Json.object().put("pod", pod.name()).put("uid", pod.uid());
    String index = pod.annotation(Names.COMPLETION_INDEX);
    if (index != null) {
      record.put("index", Integer.parseInt(index));
    }
    if (item != null) {
      record.put("item", shortened(item));
    }
    if (pod.annotation(PodDevices.ANNOTATION) != null) {
      record.put("devices", PodDevices.of(pod).display());
    }
    String job = pod.controllerUid();
    if (job != null) {
      record.put("jobUid", job);
    }
    record.put("container", logs.container()).put("attempt", logs.number());
    record.put("exitCode", exit.code());
    if (exit.signal() != null) {
      record.put("signal", exit.signal());
    }
    record.put("reason", exit.reason());
    if (exit.stopped()) {
      record.put("stopped", true);
    }
    if (exit.failedWithPod()) {
      record.put("failedWithPod", true);
    }
    if (silent) {
      record.put("silent", true);
    }
    String message = exit.message();
    if (!message.isEmpty()) {
      record.put("message", shortened(message));
    }
    return record
        .put("startedAt", Timestamps.formatMillis(exit.startedAt()))
        .put("finishedAt", Timestamps.formatMillis(exit.finishedAt()));
  }
}
