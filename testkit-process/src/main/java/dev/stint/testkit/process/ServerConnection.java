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
  private final DataOutputStream requests;
  private final DataInputStream answers;

  /** Requests without an answer yet, by their numbers. Guarded by this, as are the next two. */
  private final Map<Integer, CompletableFuture<List<String>>> waiting = new HashMap<>();

  private int last;
  private @Nullable IOException end;

  ServerConnection(OutputStream requests, InputStream answers) {
    this.requests = new DataOutputStream(new BufferedOutputStream(requests));
    this.answers = new DataInputStream(new BufferedInputStream(answers));
  }

  /** Starts the thread that takes the answers. */
  ServerConnection start() {
    Thread reader = new Thread(this::readAnswers, "stint-answers");
    reader.setDaemon(true);
    reader.start();
    return this;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws IllegalArgumentException if the control plane refuses what was given
   * @throws IllegalStateException if it cannot do that, or has ended
   */
  String ask(List<String> request) {
    try {
      List<String> answer = send(request).get();
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

  private synchronized CompletableFuture<List<String>> send(List<String> request)
      throws IOException {
    if (end != null) {
      throw end;
    }
    int number = ++last;
    CompletableFuture<List<String>> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    requests.writeInt(number);
    requests.writeInt(request.size());
    for (String each : request) {
      byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
      requests.writeInt(bytes.length);
      requests.write(bytes);
    }
    requests.flush();
    return answer;
  }

  private void readAnswers() {
    try {
      while (true) {
        onAnswer(answers.readInt(), texts());
      }
    } catch (IOException fault) {
      onEnd(fault);
    }
  }

  private List<String> texts() throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = answers.readInt(); left > 0; left--) {
      byte[] text = new byte[answers.readInt()];
      answers.readFully(text);
      texts.add(new String(text, StandardCharsets.UTF_8));
    }
    return texts;
  }

  private synchronized void onAnswer(int number, List<String> answer) {
    CompletableFuture<List<String>> request = waiting.remove(number);
    if (request != null) {
      request.complete(answer);
    }
  }

  private synchronized void onEnd(IOException fault) {
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
