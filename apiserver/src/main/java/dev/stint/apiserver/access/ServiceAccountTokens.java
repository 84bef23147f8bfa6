package dev.stint.apiserver.access;

import dev.stint.apiserver.access.pki.ServiceAccountKeys;
import dev.stint.apiserver.access.pki.TokenAlgorithm;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.ObjectRef;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Issues and verifies tokens of service accounts: JSON web tokens (RFC 7519) with the claims of
 * Kubernetes, signed with RS256 or ES256. A token is valid for a time, an audience, and as long as
 * the object that it is bound to exists; if that is a pod, until the pod has ended.
 *
 * <p>The algorithm follows from the key: that in a token's header is compared, never followed.
 */
public final class ServiceAccountTokens {
  /** The beginning of the user names of service accounts. */
  static final String USER_NAME_PREFIX = "system:serviceaccount:";

  private static final String PRIVATE_CLAIM = "kubernetes.io";
  private static final int LONGEST = 16 << 10;
  private static final int MOST_REMEMBERED = 1000;
  private static final Map<String, Kind> BINDABLE =
      Map.of("pod", Kind.POD, "secret", Kind.SECRET, "node", Kind.NODE);

  private final ServiceAccountKeys keys;
  private final TokenAlgorithm algorithm;
  private final List<Verifier> verifiers;
  private final String keyId;
  private final ObjectUids uids;
  private final InstantSource clock;

  /**
   * A cache of tokens whose signature is valid, since verifying one takes a millisecond or more.
   */
  private final Set<String> signedBefore = ConcurrentHashMap.newKeySet();

  /** Creates tokens of one key, with the usual issuer. */
  public ServiceAccountTokens(KeyPair keys, ObjectUids uids, InstantSource clock) {
    this(ServiceAccountKeys.of(keys), uids, clock);
  }

  public ServiceAccountTokens(ServiceAccountKeys keys, ObjectUids uids, InstantSource clock) {
    this.keys = keys;
    this.verifiers = keys.verifiers().stream().map(Verifier::new).toList();
    this.algorithm = TokenAlgorithm.of(keys.signer().getPublic());
    this.keyId = ServiceAccountKeys.idOf(keys.signer().getPublic());
    this.uids = uids;
    this.clock = clock;
  }

  /** A key whose signatures are valid, and its only algorithm. */
  private record Verifier(PublicKey key, TokenAlgorithm algorithm) {
    Verifier(PublicKey key) {
      this(key, TokenAlgorithm.of(key));
    }
  }

  /** Returns the keys of the tokens. */
  ServiceAccountKeys keys() {
    return keys;
  }

  /** Returns the names of this API in tokens. */
  List<String> audiences() {
    return keys.audiences();
  }

  /**
   * The object that a token is bound to in addition to its account: the token becomes invalid when
   * the object is deleted, or a pod has ended.
   *
   * @param object a pod, secret or node
   */
  public record Bound(ObjectRef object, String uid) {
    public Bound {
      if (!BINDABLE.containsValue(object.kind())) {
        throw new IllegalArgumentException("a token cannot be bound to a " + object.kind().kind());
      }
    }
  }

  /**
   * A token and its expiry.
   *
   * @param text never to be logged
   */
  public record Issued(String text, Instant expires) {}

  /** The result of verifying a token. */
  sealed interface TokenCheck {
    /**
     * @param user the account, in its groups
     * @param audiences those requested audiences that the token names
     */
    record Valid(User user, List<String> audiences) implements TokenCheck {}

    /**
     * @param why contains nothing of the token's text
     */
    record Invalid(String why) implements TokenCheck {}
  }

  /**
   * Issues a token.
   *
   * @param uid the account's
   * @param audiences none means this API
   * @param ttl the lifetime, in whole seconds
   * @param bound null for a token that is bound to its account only
   */
  public Issued issue(
      String namespace,
      String name,
      String uid,
      List<String> audiences,
      Duration ttl,
      @Nullable Bound bound) {
    Instant now = Instant.ofEpochSecond(clock.instant().getEpochSecond());
    Instant expires = now.plusSeconds(ttl.toSeconds());
    ObjectNode claims = Json.object();
    (audiences.isEmpty() ? keys.audiences() : audiences)
        .forEach(claims.withArrayProperty("aud")::add);
    claims.put("exp", expires.getEpochSecond()).put("iat", now.getEpochSecond());
    claims.put("iss", keys.issuer()).put("jti", UUID.randomUUID().toString());
    ObjectNode about = claims.putObject(PRIVATE_CLAIM).put("namespace", namespace);
    about.putObject("serviceaccount").put("name", name).put("uid", uid);
    if (bound != null) {
      about
          .putObject(claimOf(bound.object.kind()))
          .put("name", bound.object.name())
          .put("uid", bound.uid);
    }
    claims.put("nbf", now.getEpochSecond()).put("sub", userName(namespace, name));
    return new Issued(sign(claims), expires);
  }

  /** True if a text has the form of such a token; it may still be invalid. */
  static boolean looksLikeOne(String token) {
    return token.chars().filter(c -> c == '.').count() == 2;
  }

  /**
   * Verifies a token.
   *
   * @param audiences the acceptable ones, of which the token must name at least one; none means
   *     this API
   */
  TokenCheck verify(String token, Collection<String> audiences) {
    if (token.length() > LONGEST) {
      return new TokenCheck.Invalid("longer than " + LONGEST + " characters");
    }
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return new TokenCheck.Invalid("not three parts");
    }
    ObjectNode header = parse(parts[0]);
    List<Verifier> candidates = header == null ? List.of() : verifiers(header);
    if (candidates.isEmpty()) {
      return new TokenCheck.Invalid("not signed with " + algorithms());
    }
    if (!signedBefore.contains(token)) {
      if (!signed(parts[0] + "." + parts[1], parts[2], candidates)) {
        return new TokenCheck.Invalid("not signed by this API");
      }
      remember(token);
    }
    ObjectNode claims = parse(parts[1]);
    return claims == null
        ? new TokenCheck.Invalid("no claims")
        : verify(claims, audiences.isEmpty() ? keys.audiences() : audiences);
  }

  /** Returns the keys of the algorithm that a token's header names. */
  private List<Verifier> verifiers(ObjectNode header) {
    String named = Json.text(header, "alg");
    return header.has("crit")
        ? List.of()
        : verifiers.stream().filter(one -> one.algorithm.name().equals(named)).toList();
  }

  private String algorithms() {
    return verifiers.stream()
        .map(one -> one.algorithm.name())
        .distinct()
        .collect(Collectors.joining(" or "));
  }

  /**
   * Caches a token; clears the cache when it is full, since clients use few tokens, each many
   * times.
   */
  private void remember(String token) {
    if (signedBefore.size() >= MOST_REMEMBERED) {
      signedBefore.clear();
    }
    signedBefore.add(token);
  }

  private TokenCheck verify(ObjectNode claims, Collection<String> audiences) {
    Long expires = Json.longInteger(claims, "exp");
    Long notBefore = Json.longInteger(claims, "nbf");
    long now = clock.instant().getEpochSecond();
    String issuer = Json.text(claims, "iss");
    if (issuer == null || !keys.issuers().contains(issuer)) {
      return new TokenCheck.Invalid("issued by another API server");
    }
    if (expires == null || now >= expires) {
      return new TokenCheck.Invalid("expired");
    }
    if (notBefore == null || now < notBefore) {
      return new TokenCheck.Invalid("not valid yet");
    }
    List<String> meant =
        RbacDocuments.texts(claims, "aud").stream().filter(audiences::contains).toList();
    return meant.isEmpty()
        ? new TokenCheck.Invalid("for another audience")
        : account(claims, meant);
  }

  private TokenCheck account(ObjectNode claims, List<String> audiences) {
    ObjectNode about = Json.objectAt(claims, PRIVATE_CLAIM);
    ObjectNode account = Json.objectAt(about, "serviceaccount");
    String namespace = Json.text(about, "namespace");
    String name = Json.text(account, "name");
    String uid = Json.text(account, "uid");
    if (about == null || namespace == null || name == null || uid == null) {
      return new TokenCheck.Invalid("its subject is not a service account");
    }
    if (!userName(namespace, name).equals(Json.text(claims, "sub"))) {
      return new TokenCheck.Invalid("its account name and its subject disagree");
    }
    if (!uid.equals(uids.ofLive(new ObjectRef(Kind.SERVICE_ACCOUNT, namespace, name)))) {
      return new TokenCheck.Invalid("its service account does not exist any more");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    extra.put(
        "authentication.kubernetes.io/credential-id",
        List.of("JTI=" + Objects.requireNonNullElse(Json.text(claims, "jti"), "")));
    for (Map.Entry<String, Kind> binding : BINDABLE.entrySet()) {
      JsonNode bound = about.get(binding.getKey());
      if (bound != null && !holds(binding.getValue(), namespace, bound)) {
        return new TokenCheck.Invalid(
            "bound to a " + binding.getKey() + " that has ended or does not exist any more");
      }
      if (bound != null && binding.getValue() != Kind.SECRET) {
        String prefix = "authentication.kubernetes.io/" + binding.getKey() + "-";
        extra.put(prefix + "name", RbacDocuments.texts(bound, "name"));
        extra.put(prefix + "uid", RbacDocuments.texts(bound, "uid"));
      }
    }
    return new TokenCheck.Valid(user(namespace, name, uid, extra), audiences);
  }

  private boolean holds(Kind kind, String namespace, JsonNode bound) {
    String name = Json.text(bound, "name");
    String uid = Json.text(bound, "uid");
    return name != null
        && uid != null
        && uid.equals(uids.ofLive(new ObjectRef(kind, kind.namespaced() ? namespace : "", name)));
  }

  /** Returns the user name of a service account. */
  public static String userName(String namespace, String name) {
    return USER_NAME_PREFIX + namespace + ":" + name;
  }

  private static User user(
      String namespace, String name, String uid, Map<String, List<String>> extra) {
    return new User(userName(namespace, name), uid, groups(namespace), extra);
  }

  /** Returns the groups of every service account of a namespace. */
  static List<String> groups(String namespace) {
    return List.of(
        "system:serviceaccounts", "system:serviceaccounts:" + namespace, User.AUTHENTICATED);
  }

  private static String claimOf(Kind kind) {
    return BINDABLE.entrySet().stream()
        .filter(entry -> entry.getValue().equals(kind))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private String sign(ObjectNode claims) {
    ObjectNode header =
        Json.object().put("alg", algorithm.name()).put("kid", keyId).put("typ", "JWT");
    String text = base64(Json.bytes(header)) + "." + base64(Json.bytes(claims));
    try {
      return text + "." + base64(algorithm.sign(text, keys.signer().getPrivate()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign with the key for service accounts", e);
    }
  }

  private static boolean signed(String text, String base64, List<Verifier> candidates) {
    byte[] given = decode(base64);
    return given != null
        && candidates.stream().anyMatch(one -> one.algorithm.holds(text, given, one.key));
  }

  private static @Nullable ObjectNode parse(String base64) {
    byte[] json = decode(base64);
    try {
      return json == null ? null : Json.parse(json);
    } catch (RuntimeException notAnObject) {
      return null;
    }
  }

  /** Decodes base64; returns null unless the text is canonical. */
  private static byte @Nullable [] decode(String base64) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(base64);
      return base64(bytes).equals(base64) ? bytes : null;
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
