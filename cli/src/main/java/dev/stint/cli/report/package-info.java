/** What commands tell people about a Job: its progress and how it ended. */
@NullMarked
package dev.stint.cli.report;

import org.jspecify.annotations.NullMarked;
