package dev.stint.runner.file;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.runner.library.LibraryFunction;
import java.io.IOException;
import java.nio.file.Path;

/** Takes leases on files, as pods may on files that they own. */
public final class Leases {
  private static final int SET_LEASE = 1024;
  private static final int WRITE_LEASE = 1;
  private static final int SET_SIGNAL = 10;

  /** A signal that does nothing; the usual one would end this process when the lease is broken. */
  private static final int SIGURG = 23;

  private static final LibraryFunction FCNTL = LibraryFunction.of("fcntl");

  private Leases() {}

  /** Takes a lease that nobody shares; it ends when the handle is closed. */
  public static Handle take(Path file) throws IOException {
    int opened =
        LibraryCalls.open(LibraryCalls.HERE, LibraryCalls.bytes(file), LibraryCalls.WRITE, 0);
    int result = FCNTL.call(opened, SET_LEASE, WRITE_LEASE);
    assumeTrue(result == 0, "SKIPPED: the file system has no leases");
    FCNTL.call(opened, SET_SIGNAL, SIGURG);
    return Handle.of(opened);
  }
}
