@NullMarked
package dev.stint.cli.validate;

import org.jspecify.annotations.NullMarked;
