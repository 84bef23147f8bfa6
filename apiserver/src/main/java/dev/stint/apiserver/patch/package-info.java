/**
 * Patches of the Kubernetes API, and the ownership of fields. Trees in, trees out; nothing here
 * reads or writes anything else.
 */
@NullMarked
package dev.stint.apiserver.patch;

import org.jspecify.annotations.NullMarked;
