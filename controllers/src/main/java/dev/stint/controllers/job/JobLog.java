package dev.stint.controllers.job;

import dev.stint.model.KubeObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** The log of the Job controller. */
final class JobLog {
  private static final Logger LOG = LoggerFactory.getLogger(JobController.class);

  private JobLog() {}

  /** True if lines of this level are written, so that it is worth to collect what they say. */
  static boolean isEnabled(Level level) {
    return LOG.isEnabledForLevel(level);
  }

  /** Returns a log event with the Job as keys and values. */
  static LoggingEventBuilder about(Level level, KubeObject job) {
    LoggingEventBuilder event = LOG.atLevel(level);
    return isEnabled(level)
        ? event.addKeyValue("job", job.namespace() + "/" + job.name()).addKeyValue("uid", job.uid())
        : event;
  }
}
