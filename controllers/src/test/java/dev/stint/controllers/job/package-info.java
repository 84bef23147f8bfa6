@NullMarked
package dev.stint.controllers.job;

import org.jspecify.annotations.NullMarked;
