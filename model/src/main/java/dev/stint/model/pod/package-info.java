/** Pods and pod templates: their defaults, validation rules and warnings. */
@NullMarked
package dev.stint.model.pod;

import org.jspecify.annotations.NullMarked;
