package dev.stint.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The tests of another JVM that are under way, each with its control plane, by their ids. */
final class RemoteSessions {
  private final ClassLoader classPath;
  private final Map<String, RemoteSession> sessions = new ConcurrentHashMap<>();

  /**
   * @param classPath of the tests, where files are looked for
   */
  RemoteSessions(ClassLoader classPath) {
    this.classPath = classPath;
  }

  /** Does what a request says (a verb, an id and what the verb needs), and returns the answer. */
  String done(List<String> request) {
    String id = request.get(1);
    List<String> given = request.subList(2, request.size());
    return switch (request.getFirst()) {
      case "create" -> created(id, given);
      case "close" -> closed(id);
      default -> running(sessions.get(id)).done(request.getFirst(), given);
    };
  }

  private static RemoteSession running(@Nullable RemoteSession session) {
    if (session == null) {
      throw new IllegalStateException("the control plane is closed: its test is over");
    }
    return session;
  }

  /** Starts a control plane: the kind of time, its start, the seed, patterns of CRDs. */
  private String created(String id, List<String> given) {
    TestSettings settings =
        new TestSettings(
            given.get(0).equals("simulated"),
            false,
            Instant.parse(given.get(1)),
            Long.parseLong(given.get(2)),
            false,
            given.subList(3, given.size()),
            UnaryOperator.identity());
    TestControlPlane controlPlane = TestControlPlane.start(settings);
    try {
      new Crds(controlPlane, classPath).applyFiles(settings.crds().toArray(String[]::new));
      sessions.put(id, new RemoteSession(new TestSession(controlPlane, false), classPath));
      return "";
    } catch (RuntimeException | Error fault) {
      controlPlane.close();
      throw fault;
    }
  }

  private String closed(String id) {
    RemoteSession session = sessions.remove(id);
    if (session != null) { // To close twice is no fault.
      session.close();
    }
    return "";
  }
}
