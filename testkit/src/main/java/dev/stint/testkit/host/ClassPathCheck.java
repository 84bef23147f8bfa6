package dev.stint.testkit.host;

import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/** Checks the libraries that a project may bring in another version than the test kit needs. */
public final class ClassPathCheck {
  /** Is in {@code jackson-annotations} from 2.21 on. */
  private static final String NEEDED = "com.fasterxml.jackson.annotation.JsonSerializeAs";

  private static final String THERE = "com.fasterxml.jackson.annotation.JsonProperty";

  private ClassPathCheck() {}

  /**
   * Checks what a class loader finds.
   *
   * @throws IllegalStateException if a library is too old; the message says what to do
   */
  public static void run(ClassLoader classPath) {
    if (find(NEEDED, classPath) == null) {
      Class<?> there = find(THERE, classPath);
      throw new IllegalStateException(
          "Stint needs com.fasterxml.jackson.core:jackson-annotations 2.21 or later, found %s; set"
                  .formatted(there == null ? "none" : place(there))
              + " its version in the dependencyManagement of your POM (docs/testing.md)");
    }
  }

  private static @Nullable Class<?> find(String name, ClassLoader classPath) {
    try {
      return Class.forName(name, false, classPath);
    } catch (ClassNotFoundException absent) {
      return null;
    }
  }

  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? type.getName() : source.getLocation().getPath();
  }
}
