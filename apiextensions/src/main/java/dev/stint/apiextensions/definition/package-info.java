/** CustomResourceDefinitions: their rules, and what the API needs of them. */
@NullMarked
package dev.stint.apiextensions.definition;

import org.jspecify.annotations.NullMarked;
