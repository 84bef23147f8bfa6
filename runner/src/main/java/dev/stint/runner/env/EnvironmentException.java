package dev.stint.runner.env;

/** The environment of a container cannot be built. The message says why, as a kubelet does. */
public abstract sealed class EnvironmentException extends Exception
    permits MissingInputException, ExpansionLimitException, EnvFileException {
  private static final long serialVersionUID = 1L;

  EnvironmentException(String message) {
    super(message);
  }
}
