@NullMarked
package dev.stint.model.cron;

import org.jspecify.annotations.NullMarked;
