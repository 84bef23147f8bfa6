package dev.stint.bench.attack;

import java.util.List;

/** One way to kill, hang or starve a server. */
interface Attack {
  /** Returns the word that names it on the command line. */
  String name();

  /** Returns what it sends, in a few words. */
  String description();

  /** Returns the options of {@code stint up}, besides the address and the data directory. */
  default List<String> options() {
    return List.of("--runtime", "process");
  }

  /** Attacks until nothing worse can follow; returns what the server answered. */
  String run(Scene scene) throws Exception;

  /** Frees what others legitimately wait for, such as the places for pods. */
  default void giveUp(Scene scene) {}
}
