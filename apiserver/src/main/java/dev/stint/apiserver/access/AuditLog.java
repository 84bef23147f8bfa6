package dev.stint.apiserver.access;

import dev.stint.model.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The audit log: one JSON object per line and write, in a file that only its owner may read. When
 * the file reaches its limit, it is renamed to {@code FILE.1} and replaces the previous one, so
 * that at most two files are kept.
 *
 * <p>Requests never wait for the disk: lines are queued, and an executor writes them in batches. If
 * the queue is full, further lines are counted, and the count is written in their place.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final int MOST_QUEUED = 10_000;

  private final Path file;
  private final long mostBytes;
  private final Executor executor;
  private final Object queueLock = new Object();
  private final Queue<Entry> queue = new ArrayDeque<>();
  private long lost;
  private boolean scheduled;
  private boolean closed;

  private final Object fileLock = new Object();
  private OutputStream out;
  private long bytes;
  private boolean failing;

  /**
   * One write.
   *
   * @param request the request and its user
   * @param code the HTTP code of the answer
   * @param latencyMillis from the request's arrival to its answer, in milliseconds
   * @param source the client's address
   * @param agent the client's user agent; "" if it sends none
   * @param annotations notes of admission by name, such as violations of pod security
   */
  public record Entry(
      Instant time,
      RequestAttributes request,
      int code,
      long latencyMillis,
      String source,
      String agent,
      Map<String, String> annotations) {
    /** Creates an entry without annotations. */
    public Entry(
        Instant time,
        RequestAttributes request,
        int code,
        long latencyMillis,
        String source,
        String agent) {
      this(time, request, code, latencyMillis, source, agent, Map.of());
    }

    ObjectNode tree() {
      ObjectNode tree = Json.object().put("time", time.toString());
      tree.put("user", request.user().name()).put("verb", request.verb());
      put(tree, "path", request.nonResourcePath() == null ? "" : request.nonResourcePath());
      put(tree, "group", request.group());
      put(tree, "resource", request.resource());
      put(tree, "subresource", request.subresource());
      put(tree, "namespace", request.namespace());
      put(tree, "name", request.name());
      tree.put("code", code).put("latencyMillis", latencyMillis).put("source", source);
      put(tree, "agent", agent);
      if (!annotations.isEmpty()) {
        ObjectNode notes = tree.putObject("annotations");
        new TreeMap<>(annotations).forEach(notes::put);
      }
      return tree;
    }

    private static void put(ObjectNode tree, String member, String value) {
      if (!value.isEmpty()) {
        tree.put(member, value);
      }
    }
  }

  private AuditLog(Path file, long mostBytes, Executor executor) throws IOException {
    this.file = file.toAbsolutePath();
    this.mostBytes = mostBytes;
    this.executor = executor;
    this.out = open();
    this.bytes = Files.size(this.file);
  }

  /**
   * Opens a log, and appends to an existing file.
   *
   * @param mostBytes the approximate limit of the file's size
   * @param executor writes to the disk; may have many threads
   */
  public static AuditLog open(Path file, long mostBytes, Executor executor) throws IOException {
    return new AuditLog(file, mostBytes, executor);
  }

  /** Records a write. Never waits for the disk, never fails; does nothing once closed. */
  public void record(Entry entry) {
    synchronized (queueLock) {
      if (closed) {
        return;
      }
      if (queue.size() >= MOST_QUEUED) {
        lost++;
        return;
      }
      queue.add(entry);
      if (scheduled) {
        return;
      }
      scheduled = true;
    }
    executor.execute(this::drain);
  }

  /** Writes all recorded entries, and accepts no more. */
  @Override
  public void close() throws IOException {
    synchronized (queueLock) {
      closed = true;
    }
    drain();
    synchronized (fileLock) {
      out.close();
    }
  }

  private void drain() {
    synchronized (fileLock) {
      try {
        for (ObjectNode line = next(); line != null; line = next()) {
          write(Json.bytes(line));
        }
        out.flush();
        failing = false;
      } catch (IOException e) {
        complain(e);
      }
    }
  }

  /** Returns the next line; null if none is left, after which another drain may be scheduled. */
  private @Nullable ObjectNode next() {
    synchronized (queueLock) {
      if (lost > 0 && queue.size() < MOST_QUEUED) {
        ObjectNode gap = Json.object().put("lost", lost);
        lost = 0;
        return gap;
      }
      Entry entry = queue.poll();
      scheduled = entry != null;
      return entry == null ? null : entry.tree();
    }
  }

  private void write(byte[] line) throws IOException {
    if (bytes > 0 && bytes + line.length + 1 > mostBytes) {
      out.close();
      Files.move(
          file,
          file.resolveSibling(file.getFileName() + ".1"),
          StandardCopyOption.REPLACE_EXISTING);
      out = open();
      bytes = 0;
    }
    out.write(line);
    out.write('\n');
    bytes += line.length + 1;
  }

  private OutputStream open() throws IOException {
    if (!Files.exists(file)) {
      PrivateFiles.write(file, "");
    }
    return new BufferedOutputStream(
        Files.newOutputStream(file, StandardOpenOption.APPEND), 64 << 10);
  }

  /** Logs the first of a series of failures: more lines would not help a full disk. */
  private void complain(IOException e) {
    if (!failing) {
      LOG.error(
          "Cannot write the audit log {}; requests are missing from it until it can be written again",
          file,
          e);
    }
    failing = true;
    synchronized (queueLock) {
      lost += queue.size();
      queue.clear();
      scheduled = false;
    }
  }
}
