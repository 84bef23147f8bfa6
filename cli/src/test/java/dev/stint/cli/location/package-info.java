@NullMarked
package dev.stint.cli.location;

import org.jspecify.annotations.NullMarked;
