package dev.stint.apiserver.webhook;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The addresses of services: those that were given at the start, and the names of services of the
 * type {@code ExternalName}.
 *
 * @param given by {@code NAMESPACE/NAME}
 * @param objects returns the document of an object, or null
 */
public record ServiceAddresses(
    Map<String, InetSocketAddress> given, Function<ObjectRef, @Nullable ObjectNode> objects)
    implements ServiceResolver {
  private static final Kind SERVICE = Kind.of("v1", "Service").orElseThrow();

  @Override
  public InetSocketAddress resolve(String namespace, String name, int port)
      throws WebhookException {
    InetSocketAddress known = given.get(namespace + "/" + name);
    InetSocketAddress address =
        known == null
            ? new InetSocketAddress(externalName(namespace, name), port)
            : new InetSocketAddress(known.getHostString(), known.getPort());
    if (address.isUnresolved()) {
      throw new WebhookException("lookup " + address.getHostString() + ": no such host");
    }
    return address;
  }

  private String externalName(String namespace, String name) throws WebhookException {
    ObjectNode service = objects.apply(new ObjectRef(SERVICE, namespace, name));
    if (service == null) {
      throw new WebhookException("service \"%s\" not found".formatted(name));
    }
    ObjectNode spec = Json.objectAt(service, "spec");
    String external = text(spec, "externalName");
    if (!text(spec, "type").equals("ExternalName") || external.isEmpty()) {
      throw new WebhookException(
          "service \"%s/%s\" has no address here; give one with --service-address %s/%s=HOST:PORT,"
                  .formatted(namespace, name, namespace, name)
              + " or make it an ExternalName");
    }
    return external;
  }

  private static String text(@Nullable ObjectNode spec, String member) {
    return Objects.requireNonNullElse(Json.text(spec, member), "");
  }
}
