package dev.stint.testkit;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Control planes in a JVM of their own, for tests that run on an older Java. It serves the one test
 * JVM that has started it, over standard input and output, and ends with it: the end of input is
 * the end of the process, even if the test JVM was killed.
 *
 * <p>The first message is a list of one text: the class path of the test, on which files are looked
 * for. A request is a number and a list of texts, its first one a verb. The answer is {@link
 * #MAGIC}, the number, and {@code ok} and a text, or {@code fault}, the name of an exception and
 * its message.
 */
public final class TestkitServer {
  /** Begins each answer: a client that finds other bytes knows that somebody else wrote them. */
  static final int MAGIC = 0x5374696e;

  private static final int MAX_TEXTS = 1_000;
  private static final int MAX_LENGTH = 64 << 20;

  private final RemoteSessions sessions;
  private final Executor executor;

  /**
   * @param executor runs a task for each request; tests that run in parallel do not wait for each
   *     other if it does not
   */
  TestkitServer(ClassLoader classPath, Executor executor) {
    this.sessions = new RemoteSessions(classPath);
    this.executor = executor;
  }

  /** Serves until the input ends, or cannot be read as requests. */
  public static void main(String[] args) {
    OutputStream answers = System.out;
    System.setOut(System.err); // Libraries may print; answers must stay whole.
    try {
      serveAll(new DataInputStream(new BufferedInputStream(System.in)), answers);
      System.exit(0); // Requests that are under way have nobody who waits for them.
    } catch (Throwable fault) {
      fault.printStackTrace();
      System.exit(1); // Without this, threads of control planes would outlive the test.
    }
  }

  private static void serveAll(DataInputStream requests, OutputStream answers) throws IOException {
    ClassLoader classPath = new URLClassLoader(urls(read(requests).getFirst()), null);
    new TestkitServer(classPath, Executors.newVirtualThreadPerTaskExecutor())
        .serve(requests, answers);
  }

  private static URL[] urls(String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String each : classPath.split(File.pathSeparator)) {
      urls.add(Path.of(each).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** Takes requests until the input ends. */
  void serve(DataInputStream requests, OutputStream to) throws IOException {
    DataOutputStream answers = new DataOutputStream(to);
    try {
      while (true) {
        int number = requests.readInt();
        List<String> request = read(requests);
        executor.execute(() -> write(answers, number, answer(request)));
      }
    } catch (EOFException end) {
      // The test JVM has ended.
    }
  }

  private static List<String> read(DataInputStream from) throws IOException {
    int count = bounded(from.readInt(), MAX_TEXTS);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] text = new byte[bounded(from.readInt(), MAX_LENGTH)];
      from.readFully(text);
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

  private synchronized void write(DataOutputStream to, int number, List<String> texts) {
    try {
      to.writeInt(MAGIC);
      to.writeInt(number);
      to.writeInt(texts.size());
      for (String text : texts) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.writeInt(bytes.length);
        to.write(bytes);
      }
      to.flush();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private List<String> answer(List<String> request) {
    try {
      return List.of("ok", sessions.done(request));
    } catch (Throwable fault) { // The test waits for an answer, whatever happens.
      String message = fault.getMessage();
      return List.of(
          "fault", fault.getClass().getName(), message == null ? fault.toString() : message);
    }
  }
}
