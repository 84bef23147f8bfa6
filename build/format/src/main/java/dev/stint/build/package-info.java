/** Programs that the build itself runs. */
@NullMarked
package dev.stint.build;

import org.jspecify.annotations.NullMarked;
