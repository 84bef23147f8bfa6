package dev.stint.runner.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class LibraryFunctionTest {
  private static final int EBADF = 9;

  @Test
  void takesNumbersAndReturnsThem() {
    assertThat(LibraryFunction.of("getpid").call()).isEqualTo((int) ProcessHandle.current().pid());
    assertThat(LibraryFunction.of("labs").callLong(-5_000_000_000L)).isEqualTo(5_000_000_000L);
    assertThat(LibraryFunction.of("abs").call(-7)).isEqualTo(7);
  }

  @Test
  void returnsTheNegatedErrnoOfAFailure() {
    assertThat(LibraryFunction.of("close").call(-1)).isEqualTo(-EBADF);
    assertThat(LibraryFunction.of("lseek").callLong(-1, 0, 0)).isEqualTo(-EBADF);
  }

  @Test
  void takesAddressesAndAVariableNumberOfArguments() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(32);
      long format = arena.allocateFrom("%ld,%ld,%ld").address();

      int length = LibraryFunction.of("snprintf").call(text.address(), 32, format, 1, -2, 3);

      assertThat(length).isEqualTo(6);
      assertThat(text.getString(0)).isEqualTo("1,-2,3");
      assertThat(text.get(ValueLayout.JAVA_BYTE, 6)).isZero();
    }
  }

  @Test
  void refusesWhatItCannotCall() {
    assertThat(LibraryFunction.find("no_such_function")).isEmpty();
    assertThatThrownBy(() -> LibraryFunction.of("no_such_function"))
        .isInstanceOf(UnsatisfiedLinkError.class);
    assertThatThrownBy(() -> LibraryFunction.of("getpid").call(1, 2, 3, 4, 5, 6, 7))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
