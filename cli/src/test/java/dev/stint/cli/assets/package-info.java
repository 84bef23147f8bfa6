@NullMarked
package dev.stint.cli.assets;

import org.jspecify.annotations.NullMarked;
