@NullMarked
package dev.stint.controllers.namespace;

import org.jspecify.annotations.NullMarked;
