package dev.stint.runner.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The shell scripts that containers are started by. */
final class Scripts {
  static final String SHIM = resource("shim.sh");
  static final String ARRANGE = resource("arrange.sh");
  static final String ENTER = resource("enter.sh");

  private Scripts() {}

  private static String resource(String name) {
    try (InputStream stream = Objects.requireNonNull(Scripts.class.getResourceAsStream(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
