/** Tests of the protobuf encoding. */
@NullMarked
package dev.stint.cluster.protobuf;

import org.jspecify.annotations.NullMarked;
