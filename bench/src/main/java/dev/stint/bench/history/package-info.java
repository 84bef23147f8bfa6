/** Histories of clients of an API, and the laws that they must obey. Does no I/O but for files. */
@NullMarked
package dev.stint.bench.history;

import org.jspecify.annotations.NullMarked;
