@NullMarked
package dev.stint.model.job.after;

import org.jspecify.annotations.NullMarked;
