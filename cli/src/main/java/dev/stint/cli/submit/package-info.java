/** The submission of Jobs that {@code run} was given: what becomes of those that exist already. */
@NullMarked
package dev.stint.cli.submit;

import org.jspecify.annotations.NullMarked;
