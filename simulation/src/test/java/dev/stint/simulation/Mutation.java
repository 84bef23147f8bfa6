package dev.stint.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.MethodModel;
import java.util.function.LongConsumer;

/**
 * A fault that is put into our own code, to see whether worlds notice. That code knows nothing of
 * it: it is loaded again with one method changed.
 *
 * @param breaks what the code no longer does
 * @param type the class, by its name below {@code dev.stint}
 * @param method the method that is changed, with the lambdas in it
 * @param worlds plays the worlds that must notice
 */
record Mutation(
    String name,
    String breaks,
    String type,
    String method,
    BytecodeEdit edit,
    Class<? extends LongConsumer> worlds) {
  private static final String OURS = "dev.stint.";

  /** A fault that worlds with one controller must notice. */
  Mutation(String name, String breaks, String type, String method, BytecodeEdit edit) {
    this(name, breaks, type, method, edit, Player.class);
  }

  /** Returns the same fault for worlds in which replicas share the Jobs. */
  Mutation amongReplicas() {
    return new Mutation(name, breaks, type, method, edit, ShardsPlayer.class);
  }

  /** Our code, loaded again with the fault; plays the given seeds. */
  LongConsumer player() {
    Loader loader = new Loader();
    try {
      loader.loadClass(OURS + type);
      return (LongConsumer)
          loader.loadClass(worlds.getName()).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(name + " can't be loaded", impossible);
    }
  }

  /** Plays one seed after the other; public, so that it can be created from outside its loader. */
  public static final class Player implements LongConsumer {
    public Player() {}

    @Override
    public void accept(long seed) {
      new SeededRun(seed).play();
    }
  }

  /** Plays one world of replicas after the other. */
  public static final class ShardsPlayer implements LongConsumer {
    public ShardsPlayer() {}

    @Override
    public void accept(long seed) {
      new ShardedRun(seed).play();
    }
  }

  private boolean concerns(MethodModel model) {
    String found = model.methodName().stringValue();
    return found.equals(method) || found.startsWith("lambda$" + method + "$");
  }

  private byte[] mutated(byte[] original) {
    int[] places = new int[1];
    byte[] changed =
        ClassFile.of()
            .transformClass(
                ClassFile.of().parse(original),
                ClassTransform.transformingMethodBodies(
                    this::concerns, edit.transform(() -> places[0]++)));
    if (places[0] == 0) {
      throw new AssertionError(
          "mutation \"" + name + "\" finds nothing to change in " + type + "." + method);
    }
    return changed;
  }

  private final class Loader extends ClassLoader {
    Loader() {
      super(Mutation.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(wanted)) {
        Class<?> loaded = findLoadedClass(wanted);
        if (loaded != null) {
          return loaded;
        }
        return wanted.startsWith(OURS) ? define(wanted) : super.loadClass(wanted, resolve);
      }
    }

    private Class<?> define(String wanted) throws ClassNotFoundException {
      try (InputStream code =
          getParent().getResourceAsStream(wanted.replace('.', '/') + ".class")) {
        if (code == null) {
          throw new ClassNotFoundException(wanted);
        }
        byte[] bytes = code.readAllBytes();
        byte[] ours = wanted.equals(OURS + type) ? mutated(bytes) : bytes;
        return defineClass(wanted, ours, 0, ours.length);
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
