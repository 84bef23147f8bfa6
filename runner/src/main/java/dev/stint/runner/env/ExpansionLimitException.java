package dev.stint.runner.env;

/** The expanded texts of a container exceed their limit. The message names the limit. */
public final class ExpansionLimitException extends EnvironmentException {
  private static final long serialVersionUID = 1L;

  ExpansionLimitException() {
    super(
        "the command, arguments and environment of the container, with all references expanded,"
            + " exceed the limit of 2 MiB");
  }
}
