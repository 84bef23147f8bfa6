/**
 * Commands that serve until they are stopped: {@code up}, {@code controller} and {@code mirror}.
 */
@NullMarked
package dev.stint.cli.serve;

import org.jspecify.annotations.NullMarked;
