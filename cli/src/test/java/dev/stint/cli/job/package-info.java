@NullMarked
package dev.stint.cli.job;

import org.jspecify.annotations.NullMarked;
