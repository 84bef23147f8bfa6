@NullMarked
package dev.stint.cli.report;

import org.jspecify.annotations.NullMarked;
