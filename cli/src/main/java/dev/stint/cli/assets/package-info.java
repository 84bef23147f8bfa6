/**
 * The programs of test environments such as Go's envtest: {@code stint test-assets} writes them,
 * and they are {@code stint kube-apiserver} and {@code stint etcd}.
 */
@NullMarked
package dev.stint.cli.assets;

import org.jspecify.annotations.NullMarked;
