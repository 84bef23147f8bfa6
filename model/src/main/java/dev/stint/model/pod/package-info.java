/** What a pod template is: its defaults and its rules. */
@NullMarked
package dev.stint.model.pod;

import org.jspecify.annotations.NullMarked;
