/** The catalogue: each resource that the API serves, with its verbs and subresources. */
@NullMarked
package dev.stint.apiserver.catalogue;

import org.jspecify.annotations.NullMarked;
