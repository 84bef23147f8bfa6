/**
 * Who may do what: keys and certificates, who a request comes from, what the roles allow, and the
 * trail of who did what.
 */
@NullMarked
package dev.stint.apiserver.access;

import org.jspecify.annotations.NullMarked;
