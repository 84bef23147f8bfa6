@NullMarked
package dev.stint.controllers.gc;

import org.jspecify.annotations.NullMarked;
