/**
 * What a Job <em>is</em>: documents, their strict decoding, defaults and validation, index sets,
 * names and reasons.
 *
 * <p>Everything here is a value or a pure function. No I/O, no clock, no thread.
 */
@NullMarked
package dev.stint.model;

import org.jspecify.annotations.NullMarked;
