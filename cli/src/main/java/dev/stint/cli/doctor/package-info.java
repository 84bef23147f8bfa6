/** What this machine offers, and what to do about what it lacks. */
@NullMarked
package dev.stint.cli.doctor;

import org.jspecify.annotations.NullMarked;
