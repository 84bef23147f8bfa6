package dev.stint.apiserver.flowcontrol;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.access.ServiceAccountTokens;
import dev.stint.apiserver.access.User;
import dev.stint.model.field.FieldPath;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One rule of a flow schema: selects requests by their users and by their targets. */
record FlowRule(List<Subject> subjects, List<Resources> resources, List<Paths> paths) {
  private static final String ANY = "*";

  /** The users that a rule applies to. */
  sealed interface Subject {
    boolean includes(User user);
  }

  /** One user, or every user. */
  record OneUser(String name) implements Subject {
    @Override
    public boolean includes(User user) {
      return name.equals(ANY) || name.equals(user.name());
    }
  }

  /** The members of one group, or of any group. */
  record OneGroup(String name) implements Subject {
    @Override
    public boolean includes(User user) {
      return name.equals(ANY) || user.groups().contains(name);
    }
  }

  /** All service accounts of a namespace. */
  record Accounts(String prefix) implements Subject {
    @Override
    public boolean includes(User user) {
      return user.name().startsWith(prefix);
    }
  }

  /** Requests for resources. */
  record Resources(
      Set<String> verbs,
      Set<String> groups,
      Set<String> resources,
      Set<String> namespaces,
      boolean clusterScope) {
    boolean match(RequestAttributes request) {
      return holds(verbs, request.verb())
          && holds(groups, request.group())
          && holds(resources, request.fullResource())
          && (request.namespace().isEmpty()
              ? clusterScope
              : holds(namespaces, request.namespace()));
    }
  }

  /** Requests for other paths. */
  record Paths(Set<String> verbs, Set<String> paths) {
    boolean match(String verb, String path) {
      return holds(verbs, verb)
          && (holds(paths, path)
              || paths.stream().anyMatch(each -> each.endsWith("/*") && isBelow(each, path)));
    }

    private static boolean isBelow(String pattern, String path) {
      return path.startsWith(pattern.substring(0, pattern.length() - 1));
    }
  }

  static FlowRule of(FieldPath rule) {
    return new FlowRule(
        rule.get("subjects").items().stream().map(FlowRule::subject).toList(),
        rule.get("resourceRules").items().stream().map(FlowRule::resources).toList(),
        rule.get("nonResourceRules").items().stream().map(FlowRule::paths).toList());
  }

  private static Subject subject(FieldPath subject) {
    return switch (subject.get("kind").text()) {
      case "User" -> new OneUser(subject.get("user", "name").text());
      case "Group" -> new OneGroup(subject.get("group", "name").text());
      default -> {
        String namespace = subject.get("serviceAccount", "namespace").text();
        String name = subject.get("serviceAccount", "name").text();
        yield name.equals(ANY)
            ? new Accounts(ServiceAccountTokens.userName(namespace, ""))
            : new OneUser(ServiceAccountTokens.userName(namespace, name));
      }
    };
  }

  private static Resources resources(FieldPath rule) {
    return new Resources(
        texts(rule, "verbs"),
        texts(rule, "apiGroups"),
        texts(rule, "resources"),
        texts(rule, "namespaces"),
        rule.get("clusterScope").isTrue());
  }

  private static Paths paths(FieldPath rule) {
    return new Paths(texts(rule, "verbs"), texts(rule, "nonResourceURLs"));
  }

  private static Set<String> texts(FieldPath rule, String member) {
    return rule.get(member).items().stream()
        .map(FieldPath::text)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean holds(Set<String> names, String name) {
    return names.contains(name) || names.contains(ANY);
  }

  /** True if the rule matches a request. */
  boolean matches(RequestAttributes request) {
    return isBy(request.user()) && isAbout(request);
  }

  private boolean isBy(User user) {
    for (Subject subject : subjects) {
      if (subject.includes(user)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAbout(RequestAttributes request) {
    String path = request.nonResourcePath();
    if (path != null) {
      return paths.stream().anyMatch(rule -> rule.match(request.verb(), path));
    }
    for (Resources rule : resources) {
      if (rule.match(request)) {
        return true;
      }
    }
    return false;
  }
}
