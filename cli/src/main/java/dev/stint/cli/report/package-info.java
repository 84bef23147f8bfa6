/** Reports to users about a Job: its progress and its outcome. */
@NullMarked
package dev.stint.cli.report;

import org.jspecify.annotations.NullMarked;
