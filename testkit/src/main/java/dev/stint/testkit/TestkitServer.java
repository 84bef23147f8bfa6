package dev.stint.testkit;

import dev.stint.testkit.time.SimulatedTimeScheduler;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Control planes in a JVM of their own, for tests that run on an older Java. It serves the one test
 * JVM that has started it, over standard input and output, and ends with it: the end of input is
 * the end of the process, even if the test JVM was killed.
 *
 * <p>A request is a list of texts, its first one a verb. The answer is {@code ok} and texts, or
 * {@code fault}, the name of an exception and its message.
 */
public final class TestkitServer {
  private static final int MAX_TEXTS = 1_000;
  private static final int MAX_LENGTH = 64 << 20;

  private final ClassLoader classPath;
  private final Map<String, RemoteSession> sessions = new HashMap<>();

  TestkitServer(ClassLoader classPath) {
    this.classPath = classPath;
  }

  /**
   * Serves until the input ends.
   *
   * @param args the class path of the test, on which files are looked for
   */
  public static void main(String[] args) throws IOException {
    OutputStream answers = System.out;
    System.setOut(System.err); // Libraries may print; answers must stay whole.
    TestkitServer server = new TestkitServer(new URLClassLoader(urls(args[0]), null));
    server.serve(System.in, answers);
    java.lang.Runtime.getRuntime().halt(0); // Nothing is kept, so nothing needs to be closed.
  }

  private static URL[] urls(String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String each : classPath.split(File.pathSeparator)) {
      urls.add(Path.of(each).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** Answers requests in their order, until the input ends. */
  void serve(InputStream from, OutputStream to) throws IOException {
    DataInputStream requests = new DataInputStream(new BufferedInputStream(from));
    DataOutputStream answers = new DataOutputStream(to);
    try {
      while (true) {
        write(answers, answer(read(requests)));
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

  private static void write(DataOutputStream to, List<String> texts) throws IOException {
    to.writeInt(texts.size());
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      to.writeInt(bytes.length);
      to.write(bytes);
    }
    to.flush();
  }

  private List<String> answer(List<String> request) {
    try {
      return List.of("ok", done(request.getFirst(), request.subList(1, request.size())));
    } catch (RuntimeException | AssertionError | LinkageError fault) {
      String message = fault.getMessage();
      return List.of(
          "fault", fault.getClass().getName(), message == null ? fault.toString() : message);
    }
  }

  private String done(String verb, List<String> given) {
    return switch (verb) {
      case "create" -> created(given);
      case "close" -> closed(given.getFirst());
      default -> session(given.getFirst()).done(verb, given.subList(1, given.size()));
    };
  }

  /** Starts a control plane: its id, the kind of time, its start, the seed, patterns of CRDs. */
  private String created(List<String> given) {
    TestSettings settings =
        new TestSettings(
            given.get(1).equals("simulated"),
            false,
            Instant.parse(given.get(2)),
            Long.parseLong(given.get(3)),
            false,
            given.subList(4, given.size()),
            UnaryOperator.identity());
    TestControlPlane controlPlane = TestControlPlane.start(settings);
    try {
      new Crds(controlPlane, classPath).applyFiles(settings.crds().toArray(String[]::new));
      sessions.put(
          given.getFirst(), new RemoteSession(new TestSession(controlPlane, false), classPath));
      return "";
    } catch (RuntimeException | Error fault) {
      controlPlane.close();
      throw fault;
    }
  }

  private RemoteSession session(String id) {
    RemoteSession found = sessions.get(id);
    if (found == null) {
      throw new IllegalStateException("the control plane is closed: its test is over");
    }
    return found;
  }

  private String closed(String id) {
    RemoteSession session = session(id);
    sessions.remove(id);
    session.close();
    return "";
  }

  /** Returns the clock of a session. */
  static TestClock clock(TestSession session) {
    SimulatedTimeScheduler driver = session.controlPlane().driver();
    if (driver == null) {
      throw new IllegalStateException("real time cannot be advanced; use simulated time");
    }
    return new TestClock(driver);
  }
}
