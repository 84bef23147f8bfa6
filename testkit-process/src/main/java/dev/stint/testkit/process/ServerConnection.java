package dev.stint.testkit.process;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the control planes and their answers. Each has a number, so tests that run in
 * parallel do not wait for each other.
 */
final class ServerConnection {
  /** Begins each answer; other bytes are not the control plane's. */
  private static final int MAGIC = 0x5374696e;

  private static final int MAX_TEXTS = 1_000;
  private static final int MAX_LENGTH = 64 << 20;

  private final DataOutputStream requests;
  private final DataInputStream answers;

  /** Requests without an answer yet, by their numbers. Guarded by this, as are the next two. */
  private final Map<Integer, CompletableFuture<List<String>>> waiting = new HashMap<>();

  private int last;
  private @Nullable Throwable end;

  ServerConnection(OutputStream requests, InputStream answers) {
    this.requests = new DataOutputStream(new BufferedOutputStream(requests));
    this.answers = new DataInputStream(new BufferedInputStream(answers));
  }

  /**
   * Starts the thread that takes the answers.
   *
   * @param atEnd runs once no more answers can come
   */
  ServerConnection start(Runnable atEnd) {
    Thread reader = new Thread(() -> readAnswers(atEnd), "stint-answers");
    reader.setDaemon(true);
    reader.start();
    return this;
  }

  /** Sends the first message, which has no answer. */
  synchronized void begin(String classPath) throws IOException {
    write(encoded(List.of(classPath)));
    requests.flush();
  }

  /** True if no more answers can come. */
  synchronized boolean hasEnded() {
    return end != null;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws IllegalArgumentException if the control plane refuses what was given
   * @throws IllegalStateException if it cannot do that, or has ended
   */
  String ask(List<String> request) {
    try {
      List<String> answer = send(encoded(request)).get();
      if (answer.get(0).equals("ok")) {
        return answer.get(1);
      }
      throw fault(answer.get(1), answer.get(2));
    } catch (IOException | ExecutionException fault) {
      throw new IllegalStateException(
          "the control plane's JVM has ended; see its output on standard error", fault);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the control plane", interrupt);
    }
  }

  private static List<byte[]> encoded(List<String> texts) {
    if (texts.size() > MAX_TEXTS) {
      throw new IllegalArgumentException(
          "a request has at most %d texts, found %d; split it".formatted(MAX_TEXTS, texts.size()));
    }
    List<byte[]> encoded = new ArrayList<>();
    for (String each : texts) {
      byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
      if (bytes.length > MAX_LENGTH) {
        throw new IllegalArgumentException(
            "a text has at most %d bytes, found %d; split it".formatted(MAX_LENGTH, bytes.length));
      }
      encoded.add(bytes);
    }
    return encoded;
  }

  private synchronized CompletableFuture<List<String>> send(List<byte[]> request)
      throws IOException {
    if (end != null) {
      throw new IOException("no more answers can come", end);
    }
    int number = ++last;
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    requests.writeInt(number);
    write(request);
    requests.flush();
    return answer;
  }

  private void write(List<byte[]> texts) throws IOException {
    requests.writeInt(texts.size());
    for (byte[] each : texts) {
      requests.writeInt(each.length);
      requests.write(each);
    }
  }

  private void readAnswers(Runnable atEnd) {
    try {
      while (true) {
        if (answers.readInt() != MAGIC) {
          throw new IOException("something else writes to the control plane's standard output");
        }
        onAnswer(answers.readInt(), texts());
      }
    } catch (Throwable fault) { // Tests that wait must learn of it, whatever it is.
      onEnd(fault);
    } finally {
      atEnd.run();
    }
  }

  private List<String> texts() throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = bounded(answers.readInt(), MAX_TEXTS); left > 0; left--) {
      byte[] text = new byte[bounded(answers.readInt(), MAX_LENGTH)];
      answers.readFully(text);
      texts.add(new String(text, StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static int bounded(int number, int limit) throws IOException {
    if (number < 0 || number > limit) {
      throw new IOException("expected at most " + limit + ", found " + number);
    }
    return number;
  }

  private synchronized void onAnswer(int number, List<String> answer) {
    CompletableFuture<List<String>> request = waiting.remove(number);
    if (request != null) {
      request.complete(answer);
    }
  }

  private synchronized void onEnd(Throwable fault) {
    end = fault;
    waiting.values().forEach(request -> request.completeExceptionally(fault));
    waiting.clear();
  }

  private static RuntimeException fault(String type, String message) {
    return type.equals(IllegalArgumentException.class.getName())
        ? new IllegalArgumentException(message)
        : new IllegalStateException(message);
  }
}
