/** Tests of the package. */
@NullMarked
package dev.stint.controllers.mirror;

import org.jspecify.annotations.NullMarked;
