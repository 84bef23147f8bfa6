/**
 * The command of a container as a process: program, arguments, environment, and the directory with
 * the record of its attempt.
 */
@NullMarked
package dev.stint.runner.process.command;

import org.jspecify.annotations.NullMarked;
