@NullMarked
package dev.stint.cli.follow;

import org.jspecify.annotations.NullMarked;
