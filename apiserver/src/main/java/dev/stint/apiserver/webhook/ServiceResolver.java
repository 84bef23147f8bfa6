package dev.stint.apiserver.webhook;

import java.net.InetSocketAddress;

/** Finds the addresses of services. Nothing in this cluster routes to them. */
@FunctionalInterface
public interface ServiceResolver {
  /**
   * Returns the address of a service, resolved.
   *
   * @throws WebhookException if it has none
   */
  InetSocketAddress resolve(String namespace, String name, int port) throws WebhookException;
}
