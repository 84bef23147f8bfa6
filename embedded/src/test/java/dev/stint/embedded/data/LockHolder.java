package dev.stint.embedded.data;

import java.nio.file.Path;

/** A process that holds a data directory until its input ends. */
final class LockHolder {
  private LockHolder() {}

  public static void main(String[] args) throws Exception {
    try (DataDirectory held = DataDirectory.open(Path.of(args[0]))) {
      System.out.println("holding " + held.path());
      System.in.read();
    }
  }
}
