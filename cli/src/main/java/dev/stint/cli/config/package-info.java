/** Defaults of flags from files and environment variables. */
@NullMarked
package dev.stint.cli.config;

import org.jspecify.annotations.NullMarked;
