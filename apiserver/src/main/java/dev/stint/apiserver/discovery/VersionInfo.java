package dev.stint.apiserver.discovery;

import dev.stint.model.Json;
import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;

/** The answer to {@code /version}: the Kubernetes version that clients may expect. */
public final class VersionInfo {
  /** The version of Kubernetes whose API is served. */
  public static final String KUBERNETES = "v1.36.0";

  private VersionInfo() {}

  /**
   * Returns the document. Its keys are Kubernetes' own, {@code goVersion} among them: clients read
   * them all, so each value is the closest true statement.
   *
   * @param program this program's version, such as {@code 0.1.0}
   */
  public static ObjectNode document(String program) {
    return Json.object()
        .put("major", "1")
        .put("minor", "36")
        .put("gitVersion", KUBERNETES + "+stint." + program)
        .put("gitCommit", "")
        .put("gitTreeState", "clean")
        .put("buildDate", "1970-01-01T00:00:00Z")
        .put("goVersion", "java" + Runtime.version().feature())
        .put("compiler", "javac")
        .put("platform", platform(property("os.name"), property("os.arch")));
  }

  /** Returns a platform such as {@code linux/amd64}. */
  static String platform(String system, String architecture) {
    String name = system.toLowerCase(Locale.ROOT);
    String os = name.startsWith("mac") ? "darwin" : name.startsWith("windows") ? "windows" : name;
    return os
        + "/"
        + switch (architecture) {
          case "x86_64" -> "amd64";
          case "aarch64" -> "arm64";
          default -> architecture;
        };
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }
}
