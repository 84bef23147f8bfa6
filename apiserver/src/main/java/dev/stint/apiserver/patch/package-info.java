/**
 * The patches that the Kubernetes API takes, and whose the fields of an object are. Trees in, trees
 * out; nothing here reads or writes anything else.
 */
@NullMarked
package dev.stint.apiserver.patch;

import org.jspecify.annotations.NullMarked;
