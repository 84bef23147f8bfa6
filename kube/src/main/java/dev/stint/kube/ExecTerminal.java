package dev.stint.kube;

/** A user's terminal, which the terminal of a command in a container follows. */
@FunctionalInterface
public interface ExecTerminal {
  /** Prepares the terminal once the command is connected. Its input is read after that. */
  void onOpen(Resizing resizing);

  /** Passes the size of the terminal on. Any thread may call it. */
  @FunctionalInterface
  interface Resizing {
    void resize(int columns, int rows);
  }
}
