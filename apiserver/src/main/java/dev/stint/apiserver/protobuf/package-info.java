/** Requests in Kubernetes' protobuf encoding, which kubectl and clients written in Go send. */
@NullMarked
package dev.stint.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
