/** Authentication and authorization: users, tokens and roles. */
@NullMarked
package dev.stint.apiserver.access;

import org.jspecify.annotations.NullMarked;
