/**
 * The command of a container as a process: program, arguments, environment, and the directory where
 * its attempt is written down.
 */
@NullMarked
package dev.stint.runner.process.command;

import org.jspecify.annotations.NullMarked;
