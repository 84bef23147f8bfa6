package dev.stint.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.BiFunction;

/** Our own classes, loaded once more and changed on the way. All others are shared. */
final class ReloadedClasses extends ClassLoader {
  static final String OURS = "dev.stint.";

  private final BiFunction<String, byte[], byte[]> change;

  /**
   * @param change receives the name and the code of each class, and returns the code to load
   */
  ReloadedClasses(BiFunction<String, byte[], byte[]> change) {
    super(ReloadedClasses.class.getClassLoader());
    this.change = change;
  }

  /**
   * Returns a new instance of a class of ours as it is in here, by a type that is shared.
   *
   * @param arguments of its constructor
   */
  <T> T create(Class<? extends T> type, Class<T> shared, String... arguments) {
    try {
      Class<?>[] types = new Class<?>[arguments.length];
      Arrays.fill(types, String.class);
      return shared.cast(
          load(type.getName()).getDeclaredConstructor(types).newInstance((Object[]) arguments));
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(type + " cannot be created", impossible);
    }
  }

  Class<?> load(String name) {
    try {
      return loadClass(name);
    } catch (ClassNotFoundException impossible) {
      throw new IllegalStateException(name + " cannot be loaded again", impossible);
    }
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
    byte[] changed = change.apply(wanted, code(wanted));
    return defineClass(wanted, changed, 0, changed.length);
  }

  /** Returns the code of a class of ours as it was compiled. */
  static byte[] code(String name) throws ClassNotFoundException {
    ClassLoader loader = ReloadedClasses.class.getClassLoader();
    try (InputStream code = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (code == null) {
        throw new ClassNotFoundException(name);
      }
      return code.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
