package dev.stint.runner.process.command;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Recognizes faults that mean that the machine lacks some resource, which may pass. */
public final class ResourceExhaustion {
  private static final Set<Integer> ERRNOS =
      Set.of(Posix.EAGAIN, Posix.ENOMEM, Posix.ENFILE, Posix.EMFILE, Posix.EINTR);

  /**
   * The C library's texts for ENOSPC, EDQUOT, EMFILE and ENOMEM; Java's exceptions hold nothing
   * else.
   */
  private static final List<String> TEXTS =
      List.of(
          "No space left on device",
          "Disk quota exceeded",
          "Too many open files",
          "Cannot allocate memory");

  private ResourceExhaustion() {}

  public static boolean isCause(int errno) {
    return ERRNOS.contains(errno);
  }

  public static boolean isCause(IOException fault) {
    String text = fault.toString();
    return TEXTS.stream().anyMatch(text::contains);
  }
}
