@NullMarked
package dev.stint.cli.submit;

import org.jspecify.annotations.NullMarked;
