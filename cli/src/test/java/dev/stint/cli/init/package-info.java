@NullMarked
package dev.stint.cli.init;

import org.jspecify.annotations.NullMarked;
