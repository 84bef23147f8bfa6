package dev.stint.runner.log;

/** One of the two streams that a container prints to. */
public enum LogStream {
  STDOUT,
  STDERR;

  /** Returns the suffix of its file. */
  String suffix() {
    return this == STDOUT ? "stdout" : "stderr";
  }

  /** Returns its name in a file of times. */
  char letter() {
    return this == STDOUT ? 'o' : 'e';
  }

  /** Returns its name in the lines that record the start of the kept part. */
  String headLetter() {
    return this == STDOUT ? "O" : "E";
  }
}
