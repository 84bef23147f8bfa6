package dev.stint.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import dev.stint.store.Store;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Collects the internal errors that components log in the thread of one world; other worlds may run
 * in parallel. A disk that cannot be written to is not such an error.
 */
final class LoggedErrors extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger root = context().getLogger(Logger.ROOT_LOGGER_NAME);
  private final Thread world = Thread.currentThread();
  private @Nullable String found;

  LoggedErrors() {
    setContext(root.getLoggerContext());
    start();
    root.addAppender(this);
  }

  /** Returns Logback's context, once the thread that asked first has initialized SLF4J. */
  private static LoggerContext context() {
    while (true) {
      if (LoggerFactory.getILoggerFactory() instanceof LoggerContext ready) {
        return ready;
      }
      Thread.onSpinWait();
    }
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (Thread.currentThread() != world || found != null || !ofOurs(event)) {
      return;
    }
    Throwable cause =
        event.getThrowableProxy() instanceof ThrowableProxy p ? p.getThrowable() : null;
    found = event.getFormattedMessage() + (cause == null ? "" : ": " + cause);
  }

  private static boolean ofOurs(ILoggingEvent event) {
    return event.getThrowableProxy() != null
        ? !event.getThrowableProxy().getClassName().endsWith("ClusterException")
        : event.getLevel().isGreaterOrEqual(Level.ERROR)
            && !event.getLoggerName().equals(Store.class.getName());
  }

  /** Throws the first error that was logged, if there is one. */
  void hold() {
    if (found != null) {
      throw new AssertionError("logged: " + found);
    }
  }

  @Override
  public void close() {
    root.detachAppender(this);
    stop();
  }
}
