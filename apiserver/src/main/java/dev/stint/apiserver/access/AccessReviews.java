package dev.stint.apiserver.access;

import dev.stint.apiserver.access.ServiceAccountTokens.TokenCheck;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers reviews of access: the caller's identity, the validity of tokens, the permissions of
 * users. Such objects are never stored: a client creates a question, and the answer is its status.
 *
 * <p>Questions must fit the schema of their kind. Methods throw {@link ClusterException} with
 * {@code BAD_REQUEST} or {@code INVALID} for questions that cannot be answered.
 */
public final class AccessReviews {
  private static final String AUTHORIZATION = "authorization.k8s.io";
  private static final String AUTHENTICATION = "authentication.k8s.io";

  /** Asks for a user's permission, in any namespace. */
  static final Kind SUBJECT_ACCESS =
      new Kind(AUTHORIZATION, "v1", "SubjectAccessReview", "subjectaccessreviews", false);

  /** Asks for a user's permission, in the namespace of the question. */
  static final Kind LOCAL_SUBJECT_ACCESS =
      new Kind(AUTHORIZATION, "v1", "LocalSubjectAccessReview", "localsubjectaccessreviews", true);

  /** Asks for the caller's own permission. */
  static final Kind SELF_SUBJECT_ACCESS =
      new Kind(AUTHORIZATION, "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews", false);

  /** Asks for all permissions of the caller. */
  static final Kind SELF_SUBJECT_RULES =
      new Kind(AUTHORIZATION, "v1", "SelfSubjectRulesReview", "selfsubjectrulesreviews", false);

  /** Asks for the user of a token. */
  static final Kind TOKEN = new Kind(AUTHENTICATION, "v1", "TokenReview", "tokenreviews", false);

  /** Asks for the caller's identity. */
  static final Kind SELF_SUBJECT =
      new Kind(AUTHENTICATION, "v1", "SelfSubjectReview", "selfsubjectreviews", false);

  /** All kinds of reviews. */
  public static final List<Kind> KINDS =
      List.of(
          SUBJECT_ACCESS,
          LOCAL_SUBJECT_ACCESS,
          SELF_SUBJECT_ACCESS,
          SELF_SUBJECT_RULES,
          TOKEN,
          SELF_SUBJECT);

  private final Authenticator authenticator;
  private final Authorizer authorizer;

  public AccessReviews(Authenticator authenticator, Authorizer authorizer) {
    this.authenticator = authenticator;
    this.authorizer = authorizer;
  }

  /**
   * Answers a question.
   *
   * @param kind one of {@link #KINDS}
   * @param caller the user who asks
   * @param namespace the namespace of the request's path; "" if there is none
   * @return the question with its answer
   */
  public ObjectNode answer(Kind kind, ObjectNode question, User caller, String namespace) {
    ObjectNode answer = question.deepCopy();
    answer.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    answer.withObjectProperty("metadata");
    FieldPath root = FieldPath.root(answer);
    answer.set(
        "status",
        switch (kind.kind()) {
          case "SubjectAccessReview", "LocalSubjectAccessReview" -> access(kind, root, namespace);
          case "SelfSubjectAccessReview" -> ownAccess(root, caller);
          case "SelfSubjectRulesReview" -> ownRules(root, caller);
          case "TokenReview" -> token(root);
          case "SelfSubjectReview" -> Json.object().set("userInfo", caller.tree());
          default -> throw new IllegalArgumentException("not a review: " + kind);
        });
    return answer;
  }

  private ObjectNode access(Kind kind, FieldPath root, String namespace) {
    FieldPath spec = root.get("spec");
    FieldErrors faults = new FieldErrors();
    oneQuestion(spec, faults);
    if (spec.get("user").isEmpty() && spec.get("groups").isEmpty()) {
      faults.invalid(spec.get("user"), "at least one of user or groups must be given");
    }
    if (kind.equals(LOCAL_SUBJECT_ACCESS)) {
      local(root, namespace, faults);
    }
    refuse(kind, faults);
    JsonNode given = spec.node();
    User user =
        new User(
            RbacDocuments.text(given, "user"),
            RbacDocuments.text(given, "uid"),
            RbacDocuments.texts(given, "groups"),
            extra(spec.get("extra")));
    return decided(attributes(user, spec));
  }

  private static void local(FieldPath root, String namespace, FieldErrors faults) {
    FieldPath own = root.get("metadata", "namespace");
    FieldPath asked = root.get("spec", "resourceAttributes", "namespace");
    if (!own.isEmpty() && !own.text().equals(namespace)) {
      throw bad("the namespace of the object does not match the namespace of the request");
    }
    if (root.get("spec", "nonResourceAttributes").exists()) {
      faults.invalid(
          root.get("spec", "nonResourceAttributes"),
          "is not allowed with a path, since a path has no namespace");
    } else if (!asked.text().equals(namespace)) {
      faults.invalid(asked, "must be the namespace of the request, \"" + namespace + "\"");
    }
  }

  private ObjectNode ownAccess(FieldPath root, User caller) {
    FieldErrors faults = new FieldErrors();
    oneQuestion(root.get("spec"), faults);
    refuse(SELF_SUBJECT_ACCESS, faults);
    return decided(attributes(caller, root.get("spec")));
  }

  private static void oneQuestion(FieldPath spec, FieldErrors faults) {
    FieldPath resource = spec.get("resourceAttributes");
    FieldPath path = spec.get("nonResourceAttributes");
    if (resource.exists() && path.exists()) {
      faults.invalid(path, "cannot be specified in combination with resourceAttributes");
    }
    if (!resource.exists() && !path.exists()) {
      faults.invalid(
          resource, "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    }
  }

  private static RequestAttributes attributes(User user, FieldPath spec) {
    JsonNode path = spec.get("nonResourceAttributes").node();
    if (spec.get("nonResourceAttributes").exists()) {
      return RequestAttributes.ofPath(
          user, RbacDocuments.text(path, "verb"), RbacDocuments.text(path, "path"));
    }
    JsonNode asked = spec.get("resourceAttributes").node();
    return new RequestAttributes(
        user,
        RbacDocuments.text(asked, "verb"),
        RbacDocuments.text(asked, "group"),
        RbacDocuments.text(asked, "version"),
        RbacDocuments.text(asked, "resource"),
        RbacDocuments.text(asked, "subresource"),
        RbacDocuments.text(asked, "namespace"),
        RbacDocuments.text(asked, "name"),
        null);
  }

  private ObjectNode decided(RequestAttributes attributes) {
    AccessDecision decision = authorizer.of(attributes);
    ObjectNode status = Json.object().put("allowed", decision.allowed());
    return decision.reason().isEmpty() ? status : status.put("reason", decision.reason());
  }

  private ObjectNode ownRules(FieldPath root, User caller) {
    String namespace = root.get("spec", "namespace").text();
    if (namespace.isEmpty()) {
      throw bad("no namespace on request");
    }
    ArrayNode paths = Json.array();
    ArrayNode resources = Json.array();
    authorizer
        .rulesOf(caller, namespace)
        .forEach(rule -> (rule.forPaths() ? paths : resources).add(rule.tree()));
    ObjectNode status = Json.object().put("incomplete", false);
    status.set("nonResourceRules", paths);
    status.set("resourceRules", resources);
    return status;
  }

  private ObjectNode token(FieldPath root) {
    String token = root.get("spec", "token").text();
    if (token.isEmpty()) {
      throw bad("token is required for TokenReview in authentication");
    }
    ObjectNode status = Json.object();
    switch (authenticator.byToken(
        token, RbacDocuments.texts(root.get("spec").node(), "audiences"))) {
      case TokenCheck.Valid(User user, List<String> audiences) -> {
        status.put("authenticated", true).set("user", user.tree());
        audiences.forEach(status.withArrayProperty("audiences")::add);
      }
      case TokenCheck.Invalid(String why) -> {
        status.put("error", "invalid bearer token: " + why);
        status.putObject("user");
      }
    }
    return status;
  }

  private static Map<String, List<String>> extra(FieldPath extra) {
    Map<String, List<String>> found = new LinkedHashMap<>();
    if (extra.node() instanceof ObjectNode given) {
      given.propertyNames().forEach(key -> found.put(key, RbacDocuments.texts(given, key)));
    }
    return found;
  }

  private static void refuse(Kind kind, FieldErrors faults) {
    if (!faults.isEmpty()) {
      throw ClusterException.refusing(new ObjectRef(kind, "", ""), faults.list());
    }
  }

  private static ClusterException bad(String message) {
    return new ClusterException(ClusterException.Reason.BAD_REQUEST, message);
  }
}
