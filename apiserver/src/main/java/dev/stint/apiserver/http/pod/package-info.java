/**
 * The handlers of the subresources of pods: logs, exec and attach, eviction and binding; and the
 * WebSockets that they use.
 */
@NullMarked
package dev.stint.apiserver.http.pod;

import org.jspecify.annotations.NullMarked;
