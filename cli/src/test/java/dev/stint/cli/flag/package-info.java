@NullMarked
package dev.stint.cli.flag;

import org.jspecify.annotations.NullMarked;
