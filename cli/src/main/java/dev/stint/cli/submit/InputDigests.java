package dev.stint.cli.submit;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import dev.stint.model.support.SecretRules;
import dev.stint.runner.spec.InputRefs;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import tools.jackson.databind.node.ObjectNode;

/**
 * Digests of the config maps and secrets of one command. A Job notes that of the ones that its pods
 * name: a result of other inputs is no result of the same command.
 */
public final class InputDigests {
  /**
   * The rounds of a secret's digest. Whoever may read the Job can test guesses of a secret with it,
   * so each guess costs as many times as much. Here a secret takes a third of a second.
   */
  private static final int ROUNDS = 100_000;

  private static final int BITS = 256;

  private final Map<ObjectRef, RequestedInput> inputs = new HashMap<>();
  private final Map<ObjectRef, String> digests = new HashMap<>();

  /**
   * @param inputs those of all files of the command, in order; the last of a name counts
   */
  public InputDigests(List<RequestedInput> inputs) {
    inputs.forEach(input -> this.inputs.put(input.ref(), input));
  }

  /** Returns a Job with the digest of the inputs that its pods name. */
  public RequestedJob noted(RequestedJob job) {
    if (inputs.isEmpty()) {
      return job;
    }
    TreeMap<String, String> named = new TreeMap<>();
    for (ObjectRef ref : named(job)) {
      RequestedInput input = inputs.get(ref);
      if (input != null) {
        named.put(ref.toString(), digests.computeIfAbsent(ref, _ -> digest(input)));
      }
    }
    if (named.isEmpty()) {
      return job;
    }
    ObjectNode all = Json.object();
    named.forEach(all::put);
    return job.withInputs(DocumentDigest.of(all));
  }

  /** Returns the inputs that change what pods do: not those by which images are pulled. */
  private static Set<ObjectRef> named(RequestedJob job) {
    ObjectNode pod = Json.object();
    pod.putObject("metadata").put("namespace", job.namespace());
    ObjectNode template = Json.objectAt(job.tree().get("spec"), "template");
    ObjectNode spec = Json.copyOf(Json.objectAt(template, "spec"));
    spec.remove("imagePullSecrets");
    pod.set("spec", spec);
    return InputRefs.of(KubeObject.of(pod), Optional.empty());
  }

  static String digest(RequestedInput input) {
    ObjectNode whole = input.tree().deepCopy();
    boolean secret = input.kind().equals(Kind.SECRET);
    if (secret) {
      SecretRules.complete(whole);
    }
    ObjectNode content = Json.object();
    for (String member : List.of("data", "binaryData")) {
      ObjectNode values = Json.objectAt(whole, member);
      if (values != null && !values.isEmpty()) {
        content.set(member, values);
      }
    }
    String digest = DocumentDigest.of(content);
    return secret ? slowly(digest, input.ref()) : digest;
  }

  private static String slowly(String digest, ObjectRef ref) {
    byte[] salt = (ref.namespace() + "/" + ref.name()).getBytes(StandardCharsets.UTF_8);
    try {
      return HexFormat.of()
          .formatHex(
              SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                  .generateSecret(new PBEKeySpec(digest.toCharArray(), salt, ROUNDS, BITS))
                  .getEncoded());
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("the JDK has PBKDF2WithHmacSHA256", impossible);
    }
  }
}
