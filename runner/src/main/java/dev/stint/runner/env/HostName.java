package dev.stint.runner.env;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import java.util.Optional;

/** Derives a pod's host name ("DNS for Services and Pods", Pod's hostname and subdomain fields). */
public final class HostName {
  /** The longest host name; a kubelet cuts a pod's name to it. */
  private static final int LONGEST = 63;

  /** The domain of a cluster, by default. */
  public static final String CLUSTER_DOMAIN = "cluster.local";

  private HostName() {}

  /** Returns the host name as containers see it: the full one if the pod asks for that. */
  public static String of(KubeObject pod) {
    boolean full = Boolean.TRUE.equals(Json.bool(pod.spec(), "setHostnameAsFQDN"));
    return full && override(pod).isEmpty() ? full(pod) : plain(pod);
  }

  /** Returns the host name with its domain, if the pod has one. */
  public static String full(KubeObject pod) {
    return domain(pod).map(domain -> plain(pod) + "." + domain).orElseGet(() -> plain(pod));
  }

  /** Returns the pod's domain, which a subdomain gives it. */
  public static Optional<String> domain(KubeObject pod) {
    return text(pod, "subdomain")
        .filter(_ -> override(pod).isEmpty())
        .map(sub -> sub + "." + pod.namespace() + ".svc." + CLUSTER_DOMAIN);
  }

  /** Returns the host name without its domain. */
  public static String plain(KubeObject pod) {
    String name = override(pod).or(() -> text(pod, "hostname")).orElseGet(pod::name);
    return name.length() <= LONGEST ? name : name.substring(0, LONGEST).replaceAll("[-.]+$", "");
  }

  private static Optional<String> override(KubeObject pod) {
    return text(pod, "hostnameOverride");
  }

  private static Optional<String> text(KubeObject pod, String member) {
    return Optional.ofNullable(Json.text(pod.spec(), member)).filter(text -> !text.isEmpty());
  }
}
