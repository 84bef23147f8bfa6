/** Controllers for namespaces: their deletion, and the objects that each has to have. */
@NullMarked
package dev.stint.controllers.namespace;

import org.jspecify.annotations.NullMarked;
