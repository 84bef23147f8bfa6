package dev.stint.apiextensions.rule.library;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import dev.cel.common.types.CelType;
import dev.stint.apiextensions.rule.cost.CostMeter;
import dev.stint.model.field.IpAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Functions of IP addresses and networks. */
public final class AddressLibrary {
  private static final CelType IP = Address.TYPE;
  private static final CelType NET = Cidr.TYPE;

  private AddressLibrary() {}

  /** Adds the functions of this library. */
  public static void addTo(Functions functions) {
    functions.type(IP, Address.class);
    functions.type(NET, Cidr.class);
    addresses(functions);
    networks(functions);
  }

  private static void addresses(Functions functions) {
    functions.function("ip", IP, a -> address(a[0]), STRING);
    functions.function("isIP", BOOL, a -> parse(a[0]) != null, STRING);
    functions.function("ip.isCanonical", BOOL, a -> address(a[0]).toString().equals(a[0]), STRING);
    functions.function("string", STRING, a -> a[0].toString(), IP);
    functions.method("family", INT, a -> ip(a[0]).isIpv4() ? 4L : 6L, IP);
    property(functions, "isUnspecified", IpAddress::isUnspecified);
    property(functions, "isLoopback", IpAddress::isLoopback);
    property(functions, "isLinkLocalMulticast", IpAddress::isLinkLocalMulticast);
    property(functions, "isLinkLocalUnicast", IpAddress::isLinkLocalUnicast);
    property(functions, "isGlobalUnicast", IpAddress::isGlobalUnicast);
  }

  private static void property(Functions functions, String name, Predicate<IpAddress> property) {
    functions.method(name, BOOL, a -> property.test(ip(a[0])), IP);
  }

  private static void networks(Functions functions) {
    functions.function("cidr", NET, a -> network(a[0]), STRING);
    functions.function("isCIDR", BOOL, a -> parseNetwork(a[0]) != null, STRING);
    functions.function("string", STRING, a -> a[0].toString(), NET);
    functions.method("ip", IP, a -> network(a[0]).ip(), NET);
    functions.method("prefixLength", INT, a -> (long) network(a[0]).prefix(), NET);
    functions.method("masked", NET, a -> network(a[0]).masked(), NET);
    functions.method("containsIP", BOOL, a -> network(a[0]).contains(ip(a[1])), NET, IP);
    functions.method("containsIP", BOOL, a -> network(a[0]).contains(ip(a[1])), NET, STRING);
    functions.method("containsCIDR", BOOL, a -> network(a[0]).contains(network(a[1])), NET, NET);
    functions.method("containsCIDR", BOOL, a -> network(a[0]).contains(network(a[1])), NET, STRING);
  }

  private static @Nullable Address parse(Object text) {
    CostMeter.chargeText(((String) text).length());
    return Address.parse((String) text);
  }

  private static IpAddress ip(Object value) {
    return address(value).address();
  }

  private static Address address(Object value) {
    Address found = value instanceof Address address ? address : parse(value);
    if (found == null) {
      throw new IllegalArgumentException(
          "IP Address \"" + value + "\" parse error during conversion from string");
    }
    return found;
  }

  private static @Nullable Cidr parseNetwork(Object text) {
    CostMeter.chargeText(((String) text).length());
    return Cidr.parse((String) text);
  }

  private static Cidr network(Object value) {
    Cidr found = value instanceof Cidr network ? network : parseNetwork(value);
    if (found == null) {
      throw new IllegalArgumentException(
          "network address parse error during conversion from string: \"" + value + '"');
    }
    return found;
  }
}
