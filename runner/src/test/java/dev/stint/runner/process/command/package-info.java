@NullMarked
package dev.stint.runner.process.command;

import org.jspecify.annotations.NullMarked;
