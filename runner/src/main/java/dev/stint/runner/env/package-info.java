/**
 * The environment of a container, whatever runs it: what it declares, and where values are from.
 */
@NullMarked
package dev.stint.runner.env;

import org.jspecify.annotations.NullMarked;
