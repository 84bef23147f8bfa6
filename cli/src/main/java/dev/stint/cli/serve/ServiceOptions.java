package dev.stint.cli.serve;

import dev.stint.cli.output.UserException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options of services, to which nothing routes here. */
public final class ServiceOptions {
  private static final String FLAG = "--service-address";
  private static final Pattern FORM =
      Pattern.compile(
          "([a-z0-9-]{1,63}/[a-z0-9-]{1,63})=(\\[[0-9a-fA-F:.]+\\]|[^:\\[\\]]+):(\\d{1,5})");

  @Option(
      names = FLAG,
      paramLabel = "NAMESPACE/NAME=HOST:PORT",
      description =
          "The address of a service that a webhook names, such as "
              + "system/webhook-service=127.0.0.1:9443; may be repeated.")
  List<String> addresses = List.of();

  /**
   * Returns the addresses by {@code NAMESPACE/NAME}. Hosts are looked up when they are needed.
   *
   * @throws UserException if an option is invalid
   */
  public Map<String, InetSocketAddress> addresses() {
    Map<String, InetSocketAddress> found = new HashMap<>();
    for (String text : addresses) {
      Matcher parts = FORM.matcher(text);
      int port = parts.matches() ? Integer.parseInt(parts.group(3)) : 0;
      if (port < 1 || port > 65535) {
        throw new UserException(
            "%s: \"%s\" does not have the form NAMESPACE/NAME=HOST:PORT, such as"
                    .formatted(FLAG, text)
                + " system/webhook-service=127.0.0.1:9443");
      }
      found.put(parts.group(1), InetSocketAddress.createUnresolved(parts.group(2), port));
    }
    return Map.copyOf(found);
  }
}
