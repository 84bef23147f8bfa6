@NullMarked
package dev.stint.cli.share;

import org.jspecify.annotations.NullMarked;
