package dev.stint.runner.log;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stint.runner.file.Handle;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Frees disk space of a file by calls to the C library (Linux). */
final class HolePunch {
  private static final int O_WRONLY = 1;
  private static final int O_CLOEXEC = 0x80000;
  private static final int KEEP_SIZE = 1;
  private static final int PUNCH_HOLE = 2;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          symbol("open"),
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle FALLOCATE =
      LINKER.downcallHandle(
          symbol("fallocate"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(symbol("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));

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
      int descriptor = (int) OPEN.invokeExact(path, O_WRONLY | O_CLOEXEC);
      if (descriptor < 0) {
        return false;
      }
      int punched = (int) FALLOCATE.invokeExact(descriptor, PUNCH_HOLE | KEEP_SIZE, 0L, end);
      int closed = (int) CLOSE.invokeExact(descriptor);
      return punched == 0 && closed == 0;
    } catch (IOException replaced) {
      return false;
    } catch (Throwable fault) {
      throw new IllegalStateException("cannot call the C library", fault);
    }
  }

  private static MemorySegment symbol(String name) {
    return LINKER
        .defaultLookup()
        .find(name)
        .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
  }
}
