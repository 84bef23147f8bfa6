@NullMarked
package dev.stint.cli.serve;

import org.jspecify.annotations.NullMarked;
