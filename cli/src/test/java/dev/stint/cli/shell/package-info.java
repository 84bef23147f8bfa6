@NullMarked
package dev.stint.cli.shell;

import org.jspecify.annotations.NullMarked;
