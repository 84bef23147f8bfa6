package dev.stint.runner.env;

/** A variable cannot be read from a file in a volume. The message names both and says why. */
public final class EnvFileException extends EnvironmentException {
  private static final long serialVersionUID = 1L;

  EnvFileException(String message) {
    super(message);
  }
}
