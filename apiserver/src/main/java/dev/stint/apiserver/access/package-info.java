/** Authentication and authorization: keys and certificates, users, roles, and the audit log. */
@NullMarked
package dev.stint.apiserver.access;

import org.jspecify.annotations.NullMarked;
