/** Admission: the steps that change and check a request of any kind before it is stored. */
@NullMarked
package dev.stint.apiserver.admission;

import org.jspecify.annotations.NullMarked;
