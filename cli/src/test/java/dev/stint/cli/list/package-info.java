@NullMarked
package dev.stint.cli.list;

import org.jspecify.annotations.NullMarked;
