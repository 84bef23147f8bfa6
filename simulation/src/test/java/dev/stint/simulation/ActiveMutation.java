package dev.stint.simulation;

import org.jspecify.annotations.Nullable;

/**
 * The mutation that is in force in a thread, which {@link MutatedCode} asks for. Public, so that
 * all of our code can.
 */
public final class ActiveMutation {
  /** More steps than any world takes in the code of one mutation. */
  private static final int MOST_STEPS = 50_000_000;

  private static final ThreadLocal<@Nullable ActiveMutation> ACTIVE = new ThreadLocal<>();

  private final String place;
  private final String name;
  private int steps;

  private ActiveMutation(String place, String name) {
    this.place = place;
    this.name = name;
  }

  /** True if a mutation of this method is in force here. */
  public static boolean isIn(String place) {
    ActiveMutation active = ACTIVE.get();
    return active != null && place.equals(active.place) && active.countStep();
  }

  /** True if this mutation is in force here. */
  public static boolean is(String name) {
    ActiveMutation active = ACTIVE.get();
    return active != null && name.equals(active.name);
  }

  /** Counts a step of mutated code, so that no mutation goes on for ever. */
  public static void step() {
    ActiveMutation active = ACTIVE.get();
    if (active != null) {
      active.countStep();
    }
  }

  private boolean countStep() {
    if (++steps > MOST_STEPS) {
      throw new AssertionError("the mutated code never ends");
    }
    return true;
  }

  /**
   * Puts a mutation in force while a world is played.
   *
   * @param key that of the mutation: its place and its name
   */
  static void during(String key, Runnable world) {
    String[] placeAndName = key.split(Mutation.SEPARATOR, 2);
    ACTIVE.set(new ActiveMutation(placeAndName[0], placeAndName[1]));
    try {
      world.run();
    } finally {
      ACTIVE.remove();
    }
  }
}
