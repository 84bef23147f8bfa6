package dev.stint.apiserver.access;

import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * User impersonation by the headers {@code Impersonate-*} ({@code kubectl --as}; Kubernetes
 * documentation, User impersonation). It requires the right to {@code impersonate} each part of the
 * user.
 *
 * @param wanted the user to act as, with what the headers say and no more
 */
public record Impersonation(User wanted) {
  private static final String PREFIX = "impersonate-";
  private static final String EXTRA = "extra-";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final Pattern ACCOUNT =
      Pattern.compile(
          "system:serviceaccount:([a-z0-9](?:[-a-z0-9]*[a-z0-9])?):([a-z0-9](?:[-.a-z0-9]*[a-z0-9])?)");

  /** One header of a request. */
  public record Header(String name, String value) {}

  /**
   * Reads the headers; empty if they ask for no impersonation.
   *
   * @throws ClusterException {@code BAD_REQUEST} if they name no user
   */
  public static Optional<Impersonation> of(Stream<Header> headers) {
    Map<String, List<String>> asked = new LinkedHashMap<>();
    headers.forEach(header -> {
      String name = header.name().toLowerCase(Locale.ROOT);
      if (name.startsWith(PREFIX)) {
        asked
            .computeIfAbsent(name.substring(PREFIX.length()), _ -> new ArrayList<>())
            .add(header.value());
      }
    });
    return asked.isEmpty() ? Optional.empty() : Optional.of(new Impersonation(user(asked)));
  }

  private static User user(Map<String, List<String>> asked) {
    String name = first(asked.get("user"));
    if (name.isEmpty()) {
      throw new ClusterException(
          Reason.BAD_REQUEST, "the Impersonate-* headers name no user; add Impersonate-User");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    asked.forEach((key, values) -> {
      if (key.startsWith(EXTRA)) {
        extra.put(decoded(key.substring(EXTRA.length())), values);
      }
    });
    return new User(name, first(asked.get("uid")), asked.getOrDefault("group", List.of()), extra);
  }

  private static String first(@Nullable List<String> values) {
    return values == null ? "" : values.getFirst();
  }

  private static String decoded(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException broken) {
      return key;
    }
  }

  /**
   * Returns the user that the request continues as.
   *
   * @param real the authenticated user
   * @throws ClusterException {@code FORBIDDEN} if they may not
   */
  public User by(User real, Authorizer authorizer) {
    checks(real)
        .filter(check -> !authorizer.of(check).allowed())
        .findFirst()
        .ifPresent(check -> {
          throw check.forbidden();
        });
    return withGroups();
  }

  private Stream<RequestAttributes> checks(User real) {
    List<RequestAttributes> checks = new ArrayList<>();
    checks.add(
        account()
            .map(account ->
                ask(real, "", "serviceaccounts", "", account.namespace(), account.name()))
            .orElseGet(() -> ask(real, "", "users", "", "", wanted.name())));
    if (!wanted.uid().isEmpty()) {
      checks.add(ask(real, AUTHENTICATION, "uids", "", "", wanted.uid()));
    }
    wanted.groups().forEach(group -> checks.add(ask(real, "", "groups", "", "", group)));
    wanted
        .extra()
        .forEach((key, values) ->
            values.forEach(
                value -> checks.add(ask(real, AUTHENTICATION, "userextras", key, "", value))));
    return checks.stream();
  }

  private static RequestAttributes ask(
      User real, String group, String resource, String sub, String namespace, String name) {
    String version = group.isEmpty() ? "" : "v1";
    return new RequestAttributes(
        real, "impersonate", group, version, resource, sub, namespace, name, null);
  }

  private record Account(String namespace, String name) {}

  /** Returns the service account, if the user's name is that of one that can exist. */
  private Optional<Account> account() {
    Matcher account = ACCOUNT.matcher(wanted.name());
    return account.matches()
        ? Optional.of(new Account(account.group(1), account.group(2)))
        : Optional.empty();
  }

  /** Adds the groups that all users of this sort are in. */
  private User withGroups() {
    if (wanted.name().equals(User.ANONYMOUS.name())) {
      return grouped(List.of(User.UNAUTHENTICATED));
    }
    List<String> own =
        wanted.groups().isEmpty()
            ? account()
                .map(account -> ServiceAccountTokens.groups(account.namespace()))
                .orElse(List.of())
            : wanted.groups();
    User grouped = grouped(own);
    return own.contains(User.UNAUTHENTICATED) ? grouped : grouped.authenticated();
  }

  private User grouped(List<String> groups) {
    return new User(wanted.name(), wanted.uid(), groups, wanted.extra());
  }
}
