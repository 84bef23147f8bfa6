package dev.stint.runner.network;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.runner.env.HostName;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pods of this machine that have a subdomain, with their addresses. Pods of one namespace and
 * subdomain find each other by name, as behind a headless service ("DNS for Services and Pods").
 * Safe for any thread.
 *
 * <p>A pod without a network of its own gets an address of the loopback range, by its name: its
 * replacement has the same name and the same address, unless both run for a while.
 */
public final class PodNames {
  /** A host and its names, the longest one first. */
  public record Host(String address, List<String> names) {
    public Host {
      names = List.copyOf(names);
    }

    /** Returns a line of a hosts file. */
    String line() {
      return address + "\t" + String.join(" ", names);
    }
  }

  private record Member(String namespace, String subdomain, String name, String address) {
    boolean isBeside(Member other) {
      return namespace.equals(other.namespace) && subdomain.equals(other.subdomain);
    }
  }

  private final Map<String, Member> members = new LinkedHashMap<>();

  /** True if a pod is found by others by its name. */
  public static boolean hasName(KubeObject pod) {
    return HostName.domain(pod).isPresent();
  }

  /** Adds a pod that starts, and returns it as {@link #addressed}. */
  public KubeObject joined(KubeObject pod) {
    if (hasName(pod)) {
      join(pod);
    }
    return addressed(pod);
  }

  /**
   * Returns a pod with its own address in its status; the same one if it has none. Does not add the
   * pod, which may have ended meanwhile.
   */
  public KubeObject addressed(KubeObject pod) {
    Optional<String> address = address(pod.uid());
    if (address.isEmpty()) {
      return pod;
    }
    ObjectNode copy = pod.copy();
    copy.withObjectProperty("status").put("podIP", address.get());
    return KubeObject.of(copy);
  }

  /** Adds a pod, and returns its address of the loopback range. */
  synchronized String join(KubeObject pod) {
    Member known = members.get(pod.uid());
    if (known != null) {
      return known.address;
    }
    Set<String> taken = new HashSet<>();
    members.values().forEach(member -> taken.add(member.address));
    String recorded = Objects.requireNonNullElse(Json.text(pod.status(), "podIP"), "");
    String address =
        LoopbackAddress.isOne(recorded) && !taken.contains(recorded)
            ? recorded
            : LoopbackAddress.of(pod.namespace() + "/" + HostName.full(pod), taken);
    members.put(pod.uid(), member(pod, address));
    return address;
  }

  /** Adds a pod that has an address of its own network; null for a pod without one. */
  public synchronized void join(KubeObject pod, @Nullable String address) {
    if (address != null && hasName(pod)) {
      members.put(pod.uid(), member(pod, address));
    }
  }

  /** Forgets a pod that has ended. */
  public synchronized void leave(String uid) {
    members.remove(uid);
  }

  /** Returns the address of a pod; empty if it has no name, or none that is known. */
  public synchronized Optional<String> address(String uid) {
    return Optional.ofNullable(members.get(uid)).map(Member::address);
  }

  /** Returns the uids of the pods that find a pod by its name, without its own. */
  public synchronized Set<String> peers(String uid) {
    return beside(uid).keySet();
  }

  /**
   * Returns the hosts that a pod finds by their names, and itself. Of two pods of one name, the
   * older one is about to end and not found.
   */
  public synchronized List<Host> hosts(String uid) {
    Map<String, Member> byName = new LinkedHashMap<>();
    beside(uid).values().forEach(member -> byName.put(member.name, member));
    Member own = members.get(uid);
    if (own != null) {
      byName.put(own.name, own);
    }
    return byName.values().stream().map(PodNames::host).toList();
  }

  private Map<String, Member> beside(String uid) {
    Member own = members.get(uid);
    Map<String, Member> found = new LinkedHashMap<>();
    members.forEach((other, member) -> {
      if (own != null && !other.equals(uid) && member.isBeside(own)) {
        found.put(other, member);
      }
    });
    return found;
  }

  private static Member member(KubeObject pod, String address) {
    String subdomain = Objects.requireNonNullElse(Json.text(pod.spec(), "subdomain"), "");
    return new Member(pod.namespace(), subdomain, HostName.plain(pod), address);
  }

  /** Returns all names that a search in the pod's domains would find. */
  private static Host host(Member member) {
    String service = member.subdomain + "." + member.namespace + ".svc";
    String own = member.name + ".";
    return new Host(
        member.address,
        List.of(
            own + service + "." + HostName.CLUSTER_DOMAIN,
            own + service,
            own + member.subdomain + "." + member.namespace,
            own + member.subdomain,
            service + "." + HostName.CLUSTER_DOMAIN,
            service,
            member.subdomain + "." + member.namespace,
            member.subdomain));
  }
}
