package dev.stint.simulation;

import java.lang.classfile.MethodModel;
import java.util.function.ObjLongConsumer;

/**
 * A fault that is put into our own code, to see whether worlds notice. That code knows nothing of
 * it: {@link MutatedCode} loads it again with one method changed.
 *
 * @param breaks what the code no longer does
 * @param type the class, by its name below {@code dev.stint}
 * @param method the method that is changed, with the lambdas in it
 * @param worlds the worlds that must notice: the name of a {@link WorldKind}, or {@link #AFTER}
 */
record Mutation(
    String name, String breaks, String type, String method, BytecodeEdit edit, String worlds) {

  static final String SEPARATOR = ": ";

  /** The worlds of Jobs that start after others. */
  private static final String AFTER = "AFTER";

  /** A fault that worlds with one controller must notice. */
  Mutation(String name, String breaks, String type, String method, BytecodeEdit edit) {
    this(name, breaks, type, method, edit, WorldKind.JOBS.name());
  }

  /** Returns the same fault for worlds of a kind. */
  Mutation in(WorldKind kind) {
    return new Mutation(name, breaks, type, method, edit, kind.name());
  }

  /** Returns the same fault for worlds in which Jobs start after others. */
  Mutation amongControllers() {
    return new Mutation(name, breaks, type, method, edit, AFTER);
  }

  /** True if worlds of a kind must notice. */
  boolean isIn(WorldKind kind) {
    return worlds.equals(kind.name());
  }

  /**
   * Plays the worlds of one kind, one seed after the other, with the mutation of a key; public, so
   * that it can be created from outside its loader.
   */
  public static final class Player implements ObjLongConsumer<String> {
    private final String worlds;

    public Player(String worlds) {
      this.worlds = worlds;
    }

    @Override
    public void accept(String mutation, long seed) {
      ActiveMutation.during(mutation, () -> play(seed));
    }

    private void play(long seed) {
      if (worlds.equals(AFTER)) {
        ControllersTest.playJobsAfterOthers(seed);
      } else {
        WorldKind.valueOf(worlds).world(seed).play();
      }
    }
  }

  /** Returns the method that is changed, with its class. */
  String place() {
    return type + "." + method;
  }

  /** Returns its place and its name, by which {@link ActiveMutation} knows it. */
  String key() {
    return place() + SEPARATOR + name;
  }

  boolean concerns(MethodModel model) {
    String found = model.methodName().stringValue();
    return found.equals(method) || found.startsWith("lambda$" + method + "$");
  }
}
