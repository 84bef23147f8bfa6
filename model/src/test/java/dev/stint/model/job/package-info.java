@NullMarked
package dev.stint.model.job;

import org.jspecify.annotations.NullMarked;
