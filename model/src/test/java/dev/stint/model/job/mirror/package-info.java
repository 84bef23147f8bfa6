@NullMarked
package dev.stint.model.job.mirror;

import org.jspecify.annotations.NullMarked;
