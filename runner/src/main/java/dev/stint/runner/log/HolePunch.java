package dev.stint.runner.log;

import dev.stint.runner.file.Handle;
import dev.stint.runner.library.LibraryFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Frees disk space of a file by calls to the C library (Linux). */
final class HolePunch {
  private static final int O_WRONLY = 1;
  private static final int O_CLOEXEC = 0x80000;
  private static final int KEEP_SIZE = 1;
  private static final int PUNCH_HOLE = 2;
  private static final LibraryFunction OPEN = LibraryFunction.of("open");
  private static final LibraryFunction FALLOCATE = LibraryFunction.of("fallocate");
  private static final LibraryFunction CLOSE = LibraryFunction.of("close");

  private HolePunch() {}

  /**
   * Makes the beginning of a file read as zeros that take up no space.
   *
   * @return true if the file system could do it
   */
  static boolean punch(Path file, long end) {
    try (Arena arena = Arena.ofConfined();
        Handle handle = Handle.regularFile(file, StandardOpenOption.WRITE)) {
      MemorySegment path = arena.allocateFrom(handle.path().toString());
      int descriptor = OPEN.call(path.address(), O_WRONLY | O_CLOEXEC);
      if (descriptor < 0) {
        return false;
      }
      int punched = FALLOCATE.call(descriptor, PUNCH_HOLE | KEEP_SIZE, 0, end);
      int closed = CLOSE.call(descriptor);
      return punched == 0 && closed == 0;
    } catch (IOException replaced) {
      return false;
    }
  }
}
