package dev.stint.runner.env;

/** A container needs an object that does not exist. The message names it as a kubelet does. */
public final class MissingInputException extends EnvironmentException {
  private static final long serialVersionUID = 1L;

  MissingInputException(String message) {
    super(message);
  }
}
