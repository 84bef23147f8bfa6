package dev.stint.runner.token;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one pod, which are renewed while it runs. Safe for any thread. Whoever writes them
 * to a volume holds the lock of this object meanwhile, so that a volume that is being made does not
 * miss new ones.
 */
public final class PodTokens {
  /** The tokens of a pod without any. */
  public static final PodTokens NONE = new PodTokens(Map.of(), Map.of(), Map.of());

  private final Map<TokenSource, String> missing;
  private final Map<String, String> variables;
  private volatile Map<TokenSource, IssuedToken> issued;

  /**
   * @param missing why tokens could not be issued
   * @param variables tell clients in the pod where the API server is
   */
  public PodTokens(
      Map<TokenSource, IssuedToken> issued,
      Map<TokenSource, String> missing,
      Map<String, String> variables) {
    this.issued = Map.copyOf(issued);
    this.missing = Map.copyOf(missing);
    this.variables = Map.copyOf(variables);
  }

  /** Returns a token; null if it could not be issued. */
  public @Nullable IssuedToken find(TokenSource token) {
    return issued.get(token);
  }

  /** Returns why a token is missing; null if it is not. */
  public @Nullable String whyMissing(TokenSource token) {
    return missing.get(token);
  }

  /** Returns the variables for all containers of the pod. */
  public Map<String, String> variables() {
    return variables;
  }

  /** True if there are no tokens. */
  public boolean isEmpty() {
    return issued.isEmpty();
  }

  /** Returns when the first token expires; empty if there are none. */
  public Optional<Instant> firstExpiry() {
    return issued.values().stream().map(IssuedToken::expires).min(Comparator.naturalOrder());
  }

  /** True if every token was issued. */
  public boolean isComplete() {
    return missing.isEmpty();
  }

  /** Returns why the first missing token is missing; empty if none is. */
  public String firstReason() {
    return missing.values().stream().sorted().findFirst().orElse("");
  }

  /** Replaces the tokens by new ones. */
  public void renew(PodTokens newer) {
    issued = newer.issued;
  }
}
