package dev.stint.runner.log;

/** One of the two streams that a container prints to. */
public enum LogStream {
  STDOUT,
  STDERR;

  /** The ending of the file that it goes to. */
  String suffix() {
    return this == STDOUT ? "stdout" : "stderr";
  }

  /** How it is named in a file of times. */
  char letter() {
    return this == STDOUT ? 'o' : 'e';
  }

  /** How it is named there where that tells what is kept of it. */
  String headLetter() {
    return this == STDOUT ? "O" : "E";
  }
}
