@NullMarked
package dev.stint.controllers.metrics;

import org.jspecify.annotations.NullMarked;
