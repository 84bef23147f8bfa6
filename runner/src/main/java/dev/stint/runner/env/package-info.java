/**
 * The environment of a container in any runtime: its declared variables and the sources of their
 * values.
 */
@NullMarked
package dev.stint.runner.env;

import org.jspecify.annotations.NullMarked;
