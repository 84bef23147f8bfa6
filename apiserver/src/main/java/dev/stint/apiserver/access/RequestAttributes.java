package dev.stint.apiserver.access;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a request for authorization. Texts are "" if they don't apply.
 *
 * @param verb such as {@code get}, {@code list}, {@code deletecollection}; for other paths the HTTP
 *     method in lower case
 * @param group the API group, "" also for the core group
 * @param resource such as {@code jobs}
 * @param subresource such as {@code status}
 * @param namespace "" for cluster-wide requests
 * @param name "" for requests about many objects, and for creations
 * @param nonResourcePath the path of a request that is about no resource; null otherwise
 */
public record RequestAttributes(
    User user,
    String verb,
    String group,
    String version,
    String resource,
    String subresource,
    String namespace,
    String name,
    @Nullable String nonResourcePath) {

  /** Returns the attributes of a request for a path such as {@code /healthz}. */
  public static RequestAttributes ofPath(User user, String verb, String path) {
    return new RequestAttributes(user, verb, "", "", "", "", "", "", path);
  }

  /** Returns the same attributes with another verb. */
  public RequestAttributes withVerb(String other) {
    return new RequestAttributes(
        user, other, group, version, resource, subresource, namespace, name, nonResourcePath);
  }

  /** Returns a name such as {@code pods/log}. */
  public String fullResource() {
    return subresource.isEmpty() ? resource : resource + "/" + subresource;
  }

  /** Returns the refusal of a request that no rule allows, in Kubernetes' words. */
  public ClusterException forbidden() {
    return forbidden(refusal());
  }

  /**
   * Returns the refusal with another reason, like {@link #forbidden()}.
   *
   * @param why such as {@code User "jane" cannot get path "/metrics"}
   */
  ClusterException forbidden(String why) {
    if (nonResourcePath != null) {
      return new ClusterException(Reason.FORBIDDEN, "forbidden: " + why);
    }
    return new ClusterException(
        Reason.FORBIDDEN, subject() + " is forbidden: " + why, List.of(), null, ref());
  }

  private String subject() {
    String type = group.isEmpty() ? resource : resource + "." + group;
    return name.isEmpty() ? type : type + " \"" + name + "\"";
  }

  /** Returns what the request is about, which need not be a kind that is served. */
  private ObjectRef ref() {
    Kind kind = new Kind(group, version, resource, resource, !namespace.isEmpty());
    return new ObjectRef(kind, namespace, name);
  }

  private String refusal() {
    if (nonResourcePath != null) {
      return "User \"%s\" cannot %s path \"%s\"".formatted(user.name(), verb, nonResourcePath);
    }
    String scope =
        namespace.isEmpty() ? "at the cluster scope" : "in the namespace \"" + namespace + "\"";
    return "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
        .formatted(user.name(), verb, fullResource(), group, scope);
  }
}
