package dev.stint.cli.output;

import java.lang.reflect.Proxy;

/**
 * The signals that the operating system sends to this process. Each has one task: a later one
 * replaces it. The JDK's only public interface for them is that of {@code jdk.unsupported}. The
 * compiler warns of any use of it; hence the reflection.
 */
public final class ProcessSignals implements Signals {
  @Override
  public void on(String signal, Runnable task) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              ProcessSignals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, args) -> {
                task.run();
                return null;
              });
      Object instance = type.getConstructor(String.class).newInstance(signal);
      type.getMethod("handle", type, handlerType).invoke(null, instance, handler);
    } catch (ReflectiveOperationException | IllegalArgumentException unavailable) {
      // Without the handler, the signal ends the process at once, which loses nothing either.
      org.slf4j.LoggerFactory.getLogger(ProcessSignals.class)
          .warn("Cannot handle signal {}; it will end the process at once", signal, unavailable);
    }
  }

  /** Sends a signal to this process, as another process would. */
  public static void raise(String signal) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Object instance = type.getConstructor(String.class).newInstance(signal);
    type.getMethod("raise", type).invoke(null, instance);
  }
}
