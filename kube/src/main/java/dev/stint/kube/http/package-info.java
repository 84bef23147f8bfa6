/**
 * Requests to an API server over connections that block, on virtual threads (decision 117). Apache
 * HttpCore reads and writes HTTP/1.1; fabric8 knows what a kubeconfig says of certificates, proxies
 * and credentials.
 */
@NullMarked
package dev.stint.kube.http;

import org.jspecify.annotations.NullMarked;
