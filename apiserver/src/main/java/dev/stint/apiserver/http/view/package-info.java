/** How objects are shown in answers: representations, versions, tables, encodings and lists. */
@NullMarked
package dev.stint.apiserver.http.view;

import org.jspecify.annotations.NullMarked;
