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
 * @param worlds plays the world of a seed, with the mutation of a name, that must notice
 */
record Mutation(
    String name,
    String breaks,
    String type,
    String method,
    BytecodeEdit edit,
    Class<? extends ObjLongConsumer<String>> worlds) {

  static final String SEPARATOR = ": ";

  /** A fault that worlds with one controller must notice. */
  Mutation(String name, String breaks, String type, String method, BytecodeEdit edit) {
    this(name, breaks, type, method, edit, Player.class);
  }

  /** Returns the same fault for worlds in which replicas share the Jobs. */
  Mutation amongReplicas() {
    return new Mutation(name, breaks, type, method, edit, ShardsPlayer.class);
  }

  /** Returns the same fault for worlds with quotas. */
  Mutation underQuotas() {
    return new Mutation(name, breaks, type, method, edit, QuotasPlayer.class);
  }

  /** Returns the same fault for worlds with custom resources. */
  Mutation amongCustomResources() {
    return new Mutation(name, breaks, type, method, edit, CustomResourcesPlayer.class);
  }

  /** Returns the same fault for worlds with commands that share a data directory. */
  Mutation amongCommands() {
    return new Mutation(name, breaks, type, method, edit, SharedDirectoryPlayer.class);
  }

  /** Returns the same fault for worlds in which Jobs start after others. */
  Mutation amongControllers() {
    return new Mutation(name, breaks, type, method, edit, AfterPlayer.class);
  }

  /** Plays one seed after the other; public, so that it can be created from outside its loader. */
  public static final class Player implements ObjLongConsumer<String> {
    public Player() {}

    @Override
    public void accept(String mutation, long seed) {
      ActiveMutation.during(mutation, () -> new SeededRun(seed).play());
    }
  }

  /** Plays one world of replicas after the other. */
  public static final class ShardsPlayer implements ObjLongConsumer<String> {
    public ShardsPlayer() {}

    @Override
    public void accept(String mutation, long seed) {
      ActiveMutation.during(mutation, () -> new ShardedRun(seed).play());
    }
  }

  /** Plays one world of quotas after the other. */
  public static final class QuotasPlayer implements ObjLongConsumer<String> {
    public QuotasPlayer() {}

    @Override
    public void accept(String mutation, long seed) {
      ActiveMutation.during(mutation, () -> WorldKind.QUOTAS.world(seed).play());
    }
  }

  /** Plays one world of custom resources after the other. */
  public static final class CustomResourcesPlayer implements ObjLongConsumer<String> {
    public CustomResourcesPlayer() {}

    @Override
    public void accept(String mutation, long seed) {
      ActiveMutation.during(mutation, () -> WorldKind.CUSTOM_RESOURCES.world(seed).play());
    }
  }

  /** Plays one world of commands that share a data directory after the other. */
  public static final class SharedDirectoryPlayer implements ObjLongConsumer<String> {
    public SharedDirectoryPlayer() {}

    @Override
    public void accept(String mutation, long seed) {
      ActiveMutation.during(mutation, () -> WorldKind.SHARED_DIRECTORY.world(seed).play());
    }
  }

  /** Plays one world of Jobs that start after others after the other. */
  public static final class AfterPlayer implements ObjLongConsumer<String> {
    public AfterPlayer() {}

    @Override
    public void accept(String mutation, long seed) {
      ActiveMutation.during(mutation, () -> ControllersTest.playJobsAfterOthers(seed));
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
