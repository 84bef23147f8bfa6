/** Controllers that look after namespaces: their deletion, and the objects that each has. */
@NullMarked
package dev.stint.controllers.namespace;

import org.jspecify.annotations.NullMarked;
