/** Authentication and authorization: keys and certificates, users and roles. */
@NullMarked
package dev.stint.apiserver.access;

import org.jspecify.annotations.NullMarked;
