package dev.stint.cli.config;

/** The kinds of places that a flag's value comes from, strongest first. */
enum Level {
  /** The command line. */
  FLAG("flag"),
  /** An environment variable. */
  VARIABLE("variable"),
  /** The user's file. */
  USER("user"),
  /** The system's file. */
  SYSTEM("system"),
  /** Stint. */
  DEFAULT("default");

  private final String word;

  Level(String word) {
    this.word = word;
  }

  /** Returns the name of the level in output. */
  String word() {
    return word;
  }
}
