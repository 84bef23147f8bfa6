/** The abilities of this machine, and advice about those that it lacks. */
@NullMarked
package dev.stint.cli.doctor;

import org.jspecify.annotations.NullMarked;
