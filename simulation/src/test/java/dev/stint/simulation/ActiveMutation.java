package dev.stint.simulation;

import org.jspecify.annotations.Nullable;

/**
 * The mutation that is in force in a thread, which {@link MutatedCode} asks for. Public, so that
 * all of our code can.
 */
public final class ActiveMutation {
  private static final ThreadLocal<@Nullable String> NAME = new ThreadLocal<>();

  private ActiveMutation() {}

  /** True if this mutation is in force here. */
  public static boolean is(String name) {
    return name.equals(NAME.get());
  }

  /** Puts a mutation in force while a world is played. */
  static void during(String name, Runnable world) {
    NAME.set(name);
    try {
      world.run();
    } finally {
      NAME.remove();
    }
  }
}
