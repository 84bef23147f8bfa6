package dev.stint.apiserver.access;

import dev.stint.apiserver.access.ServiceAccountTokens.Bound;
import dev.stint.apiserver.access.ServiceAccountTokens.Issued;
import dev.stint.apiserver.access.pki.ServiceAccountKeys;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.Timestamps;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Issues tokens of service accounts, as requested at {@code serviceaccounts/NAME/token}. */
public final class TokenRequests {
  private static final Kind KIND =
      new Kind("authentication.k8s.io", "v1", "TokenRequest", "tokenrequests", true);
  private static final long USUAL_SECONDS = 3600;
  private static final long LEAST_SECONDS = 600;
  private static final long MOST_SECONDS = 1L << 32;
  private static final List<Kind> BINDABLE = List.of(Kind.POD, Kind.SECRET, Kind.NODE);

  private final ServiceAccountTokens tokens;
  private final ObjectUids uids;
  private final long longestSeconds;

  /** Creates an answerer that issues tokens for as long as requested. */
  public TokenRequests(ServiceAccountTokens tokens, ObjectUids uids) {
    this(tokens, uids, Duration.ofSeconds(MOST_SECONDS));
  }

  /**
   * @param longest the longest life of a token; longer ones are shortened, with a warning
   */
  public TokenRequests(ServiceAccountTokens tokens, ObjectUids uids, Duration longest) {
    this.tokens = tokens;
    this.uids = uids;
    this.longestSeconds = longest.toSeconds();
  }

  /** Returns the keys of the tokens that are issued. */
  public ServiceAccountKeys keys() {
    return tokens.keys();
  }

  /** Answers a request without warnings, see {@link #answer(ObjectRef, ObjectNode, Consumer)}. */
  public ObjectNode answer(ObjectRef account, ObjectNode request) {
    return answer(account, request, _ -> {});
  }

  /**
   * Answers a request with a token.
   *
   * @param account a service account
   * @param request a TokenRequest that fits its schema
   * @param warning receives a text for the client
   * @return the request, with defaults filled in, and the token in its status
   * @throws ClusterException {@code NOT_FOUND} if the account or bound object does not exist,
   *     {@code INVALID}, {@code BAD_REQUEST} or {@code CONFLICT} for faults of the request
   */
  public ObjectNode answer(ObjectRef account, ObjectNode request, Consumer<String> warning) {
    checkName(account, request);
    String uid = uidOf(account);
    ObjectNode answer = request.deepCopy();
    answer.put("apiVersion", KIND.apiVersion()).put("kind", KIND.kind());
    answer
        .withObjectProperty("metadata")
        .put("name", account.name())
        .put("namespace", account.namespace());
    complete(answer.withObjectProperty("spec"));
    FieldPath spec = FieldPath.root(answer).get("spec");
    check(account, spec.get("expirationSeconds"));
    Bound bound = bound(account, spec.get("boundObjectRef"));
    long requested = spec.get("expirationSeconds").count();
    if (requested > longestSeconds) {
      warning.accept(
          "requested expiration of %d seconds shortened to %d seconds"
              .formatted(requested, longestSeconds));
      answer.withObjectProperty("spec").put("expirationSeconds", longestSeconds);
    }
    Issued issued =
        tokens.issue(
            account.namespace(),
            account.name(),
            uid,
            RbacDocuments.texts(spec.node(), "audiences"),
            Duration.ofSeconds(Math.min(requested, longestSeconds)),
            bound);
    answer
        .putObject("status")
        .put("expirationTimestamp", Timestamps.format(issued.expires()))
        .put("token", issued.text());
    return answer;
  }

  private void complete(ObjectNode spec) {
    ArrayNode audiences = spec.withArrayProperty("audiences");
    if (audiences.isEmpty()) {
      tokens.audiences().forEach(audiences::add);
    }
    if (Json.longInteger(spec, "expirationSeconds") == null) {
      spec.put("expirationSeconds", USUAL_SECONDS);
    }
  }

  private static void check(ObjectRef account, FieldPath seconds) {
    FieldErrors faults = new FieldErrors();
    if (seconds.count() < LEAST_SECONDS) {
      faults.invalid(seconds, "may not specify a duration less than 10 minutes");
    }
    if (seconds.count() > MOST_SECONDS) {
      faults.invalid(seconds, "may not specify a duration larger than 2^32 seconds");
    }
    refuse(account, faults);
  }

  private static void refuse(ObjectRef account, FieldErrors faults) {
    if (!faults.isEmpty()) {
      throw ClusterException.refusing(
          new ObjectRef(KIND, account.namespace(), account.name()), faults.list());
    }
  }

  /** Refuses a request whose body names another account than its path. */
  private static void checkName(ObjectRef account, ObjectNode request) {
    FieldPath metadata = FieldPath.root(request).get("metadata");
    FieldErrors faults = new FieldErrors();
    if (!metadata.get("name").isEmpty() && !metadata.get("name").text().equals(account.name())) {
      faults.invalid(metadata.get("name"), "must match the service account name if specified");
    }
    FieldPath namespace = metadata.get("namespace");
    if (!namespace.isEmpty() && !namespace.text().equals(account.namespace())) {
      faults.invalid(namespace, "must match the service account namespace if specified");
    }
    refuse(account, faults);
  }

  private @Nullable Bound bound(ObjectRef account, FieldPath ref) {
    if (!ref.exists()) {
      return null;
    }
    String apiVersion = ref.get("apiVersion").text();
    String name = ref.get("kind").text();
    Kind kind =
        BINDABLE.stream()
            .filter(one -> one.kind().equals(name) && one.apiVersion().equals(apiVersion))
            .findFirst()
            .orElseThrow(() ->
                new ClusterException(
                    Reason.BAD_REQUEST,
                    "cannot bind token to an object of type %s %s; it must be a v1 Pod, Secret or Node"
                        .formatted(apiVersion, name)));
    ObjectRef object =
        new ObjectRef(kind, kind.namespaced() ? account.namespace() : "", ref.get("name").text());
    String uid = uidOf(object);
    String other = kind.equals(Kind.POD) ? uids.accountOf(object) : null;
    if (other != null && !other.equals(account.name())) {
      throw new ClusterException(
          Reason.BAD_REQUEST,
          "cannot bind token for serviceaccount \"%s\" to pod running with different serviceaccount name."
              .formatted(account.name()));
    }
    String wanted = ref.get("uid").text();
    if (!wanted.isEmpty() && !wanted.equals(uid)) {
      throw new ClusterException(
          Reason.CONFLICT,
          "the UID in the bound object reference (%s) does not match the UID in record (%s): the object might have been deleted and then recreated"
              .formatted(wanted, uid));
    }
    return new Bound(object, uid);
  }

  private String uidOf(ObjectRef object) {
    String uid = uids.of(object);
    if (uid == null) {
      throw new ClusterException(
          Reason.NOT_FOUND,
          "%s \"%s\" not found".formatted(object.kind().plural(), object.name()),
          List.of(),
          null,
          object);
    }
    return uid;
  }
}
