/** Kubernetes' protobuf encoding, which clients written in Go prefer, in both directions. */
@NullMarked
package dev.stint.cluster.protobuf;

import org.jspecify.annotations.NullMarked;
