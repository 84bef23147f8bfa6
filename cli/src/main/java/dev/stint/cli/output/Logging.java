package dev.stint.cli.output;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.SubstituteLoggerFactory;

/**
 * Configures logging: no output until a command chooses a destination, and never to standard
 * output.
 *
 * <p>As a {@link Configurator} it replaces logback's own search for configuration files, which
 * costs time and ends with printing to standard output.
 */
public final class Logging extends ContextAwareBase implements Configurator {
  private static final String LINE =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{20} "
          + "%replace(%msg){'[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]','?'}%replace( %kvp){'^ $',''}%n%ex";

  private static final long RETRY_NANOS = 100_000;

  private static volatile boolean started;
  private static volatile @Nullable Path file;
  private static final FileSize FILE_SIZE = FileSize.valueOf("10MB");

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** True if a command has chosen a destination. */
  public static boolean isStarted() {
    return started;
  }

  /** Returns the log file, or null for another destination. */
  public static @Nullable Path file() {
    return file;
  }

  /**
   * Writes our warnings, and errors of libraries, to a file of at most 10 MB, and keeps the one
   * before.
   */
  public static void toFile(Path file) {
    LoggerContext context = context(Level.ERROR, Level.WARN);
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setContext(context);
    appender.setFile(file.toString());
    FixedWindowRollingPolicy older = new FixedWindowRollingPolicy();
    older.setContext(context);
    older.setParent(appender);
    older.setFileNamePattern(file + ".%i");
    older.setMaxIndex(1);
    older.start();
    SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
    size.setMaxFileSize(FILE_SIZE);
    size.setContext(context);
    size.start();
    appender.setRollingPolicy(older);
    appender.setTriggeringPolicy(size);
    start(appender, context);
    Logging.file = file;
  }

  /** Writes all our log lines, and warnings of libraries, to standard error. */
  public static void toStandardError() {
    toStandardError(Level.WARN, Level.DEBUG);
  }

  /** Writes the log lines that matter to operators of a service to standard error. */
  public static void toStandardErrorBriefly() {
    toStandardError(Level.ERROR, Level.INFO);
  }

  private static void toStandardError(Level libraries, Level ours) {
    LoggerContext context = context(libraries, ours);
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setTarget("System.err");
    start(appender, context);
  }

  private static LoggerContext context(Level libraries, Level ours) {
    LoggerContext context = context(LoggerFactory::getILoggerFactory);
    context.reset();
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(libraries);
    context.getLogger("dev.stint").setLevel(ours);
    return context;
  }

  /** Returns logback's context. SLF4J has a substitute while another thread initialises it. */
  static LoggerContext context(Supplier<ILoggerFactory> bound) {
    while (true) {
      ILoggerFactory found = bound.get();
      if (found instanceof LoggerContext context) {
        return context;
      }
      if (!(found instanceof SubstituteLoggerFactory)) {
        throw new IllegalStateException("SLF4J uses " + found.getClass().getName());
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private static void start(OutputStreamAppender<ILoggingEvent> appender, LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(LINE);
    encoder.start();
    appender.setEncoder(encoder);
    appender.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    started = true;
    file = null;
  }
}
