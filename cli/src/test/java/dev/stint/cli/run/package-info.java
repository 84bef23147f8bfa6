@NullMarked
package dev.stint.cli.run;

import org.jspecify.annotations.NullMarked;
