@NullMarked
package dev.stint.cli.file;

import org.jspecify.annotations.NullMarked;
