@NullMarked
package dev.stint.cli.cluster;

import org.jspecify.annotations.NullMarked;
