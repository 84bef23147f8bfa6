@NullMarked
package dev.stint.cli.exec;

import org.jspecify.annotations.NullMarked;
