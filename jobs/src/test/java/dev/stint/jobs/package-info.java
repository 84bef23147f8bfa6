@NullMarked
package dev.stint.jobs;

import org.jspecify.annotations.NullMarked;
