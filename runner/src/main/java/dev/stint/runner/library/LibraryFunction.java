package dev.stint.runner.library;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * A function of the C library (Linux) that takes up to six whole numbers or addresses and returns
 * one.
 *
 * <p>All functions are called in the same way, with six 64-bit numbers, which the processors that
 * Linux runs on pass in registers: a function ignores those that it does not take, and the upper
 * half of those that it takes as {@code int}. The JVM spends milliseconds on each way of calling
 * before its first use, so one for each function's types took a seventh of a start.
 */
public final class LibraryFunction {
  private static final int MOST_ARGUMENTS = 6;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle CALL =
      LINKER.downcallHandle(
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Linker.Option.captureCallState("errno"));

  private final MemorySegment address;

  private LibraryFunction(MemorySegment address) {
    this.address = address;
  }

  /** Returns a function that every C library has. */
  public static LibraryFunction of(String name) {
    return find(name).orElseThrow(() -> new UnsatisfiedLinkError("the C library has no " + name));
  }

  /** Returns a function that not every C library has. */
  public static Optional<LibraryFunction> find(String name) {
    return LINKER.defaultLookup().find(name).map(LibraryFunction::new);
  }

  /** Calls a function that returns an {@code int}. A negative result is a negated errno. */
  public int call(long... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      int result = (int) call(state, arguments);
      return result < 0 ? -errno(state) : result;
    }
  }

  /** Calls a function that returns a 64-bit number. A negative result is a negated errno. */
  public long callLong(long... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long result = call(state, arguments);
      return result < 0 ? -errno(state) : result;
    }
  }

  private long call(MemorySegment state, long[] given) {
    if (given.length > MOST_ARGUMENTS) {
      throw new IllegalArgumentException(given.length + " arguments");
    }
    try {
      return (long)
          CALL.invokeExact(
              address,
              state,
              at(given, 0),
              at(given, 1),
              at(given, 2),
              at(given, 3),
              at(given, 4),
              at(given, 5));
    } catch (Error fault) {
      throw fault;
    } catch (Throwable fault) {
      throw new IllegalStateException("cannot call the C library", fault);
    }
  }

  private static long at(long[] given, int index) {
    return index < given.length ? given[index] : 0;
  }

  private static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }
}
