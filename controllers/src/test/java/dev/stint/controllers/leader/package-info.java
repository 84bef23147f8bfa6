@NullMarked
package dev.stint.controllers.leader;

import org.jspecify.annotations.NullMarked;
