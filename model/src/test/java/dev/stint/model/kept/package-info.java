@NullMarked
package dev.stint.model.kept;

import org.jspecify.annotations.NullMarked;
