/** The CronJob: its schedule, its defaults and its validation. */
@NullMarked
package dev.stint.model.cron;

import org.jspecify.annotations.NullMarked;
