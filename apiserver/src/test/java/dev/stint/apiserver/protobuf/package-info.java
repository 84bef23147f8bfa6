/** Tests of the protobuf encoding. */
@NullMarked
package dev.stint.apiserver.protobuf;

import org.jspecify.annotations.NullMarked;
