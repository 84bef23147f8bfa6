package dev.stint.model.pod;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The signals that {@code lifecycle.stopSignal} may name on Linux, with their numbers (KEP-4960).
 */
public final class StopSignals {
  private static final int FIRST_REAL_TIME = 34;
  private static final int LAST_REAL_TIME = 64;

  /** The real-time signals that are named after the first one; the others after the last one. */
  private static final int AFTER_FIRST = 15;

  private static final SortedMap<String, Integer> NUMBERS = numbers();

  private StopSignals() {}

  /** Returns the number of a signal on this machine; empty if there is no such name. */
  public static OptionalInt number(String name) {
    Integer number = NUMBERS.get(name);
    return number == null ? OptionalInt.empty() : OptionalInt.of(number);
  }

  /** Returns all names, in their order. */
  static List<String> names() {
    return List.copyOf(NUMBERS.keySet());
  }

  private static SortedMap<String, Integer> numbers() {
    SortedMap<String, Integer> numbers = new TreeMap<>();
    String[] names = {
      "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
      "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
      "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"
    };
    for (int i = 0; i < names.length; i++) {
      numbers.put("SIG" + names[i], i + 1);
    }
    numbers.put("SIGIOT", numbers.get("SIGABRT"));
    numbers.put("SIGCLD", numbers.get("SIGCHLD"));
    numbers.put("SIGPOLL", numbers.get("SIGIO"));
    numbers.put("SIGRTMIN", FIRST_REAL_TIME);
    numbers.put("SIGRTMAX", LAST_REAL_TIME);
    for (int number = FIRST_REAL_TIME + 1; number < LAST_REAL_TIME; number++) {
      int behind = number - FIRST_REAL_TIME;
      String name = behind <= AFTER_FIRST ? "MIN+" + behind : "MAX-" + (LAST_REAL_TIME - number);
      numbers.put("SIGRT" + name, number);
    }
    return Collections.unmodifiableSortedMap(numbers);
  }
}
