/**
 * The model of a Job: documents, their strict decoding, defaults and validation, index sets, names
 * and reasons.
 *
 * <p>Everything here is a value or a pure function, without I/O, clocks or threads.
 */
@NullMarked
package dev.stint.model;

import org.jspecify.annotations.NullMarked;
