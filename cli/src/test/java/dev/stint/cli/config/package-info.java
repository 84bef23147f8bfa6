@NullMarked
package dev.stint.cli.config;

import org.jspecify.annotations.NullMarked;
