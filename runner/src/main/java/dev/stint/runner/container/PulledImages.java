package dev.stint.runner.container;

import dev.stint.model.Json;
import dev.stint.model.Sha256;
import dev.stint.runner.container.daemon.ImageRef;
import dev.stint.runner.container.daemon.LocalImage;
import dev.stint.runner.container.daemon.PullSecrets.Credentials;
import dev.stint.runner.file.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The credentials that images were pulled with, so that a pod uses an image only if it could pull
 * it ("Ensure image pull credential verification" of the Kubernetes documentation). As with a
 * kubelet's policy {@code NeverVerifyPreloadedImages}, images that were not pulled here are for all
 * pods, and so are those that were pulled without credentials.
 *
 * <p>A file holds hashes of the credentials. It also names each pull before it begins: an image
 * that was pulled just before a crash must not be taken for one that was there. For use by any
 * thread; methods wait for the disk.
 */
final class PulledImages {
  /**
   * The number of credentials that are kept for an image. More can come of secrets that are made
   * anew with each token. Pods with an older one pull once more.
   */
  static final int MOST_CREDENTIALS = 100;

  private static final int SALT_BYTES = 16;
  private static final String SALT = "salt";
  private static final String PULLING = "pulling";
  private static final String IMAGES = "images";
  private static final String SECRET = "secret";
  private static final String HASH = "hash";

  /** Credentials that an image was pulled with. */
  private record Proof(String secret, String hash) {}

  private final Path file;
  private final String salt;

  /** By the images' content; an empty list means that all pods may use the image. */
  private final Map<String, List<Proof>> images = new TreeMap<>();

  /** The names whose pulls have begun and have not ended for sure. */
  private final Set<String> pulling = new TreeSet<>();

  /** Those of them that the file does not name, since it could not be written. */
  private final Set<String> unwritten = new HashSet<>();

  /** Those of them whose pull was cut off, now or in an earlier life. */
  private final Set<String> cutOff = new HashSet<>();

  private final Map<String, Integer> underWay = new HashMap<>();

  private PulledImages(Path file, String salt) {
    this.file = file;
    this.salt = salt;
  }

  /**
   * Reads the file, which need not exist.
   *
   * @throws IOException it cannot be read, or has another format
   */
  static PulledImages open(Path file, RandomGenerator random) throws IOException {
    if (!Files.exists(file)) {
      byte[] salt = new byte[SALT_BYTES];
      random.nextBytes(salt);
      return new PulledImages(file, HexFormat.of().formatHex(salt));
    }
    try {
      ObjectNode json = Json.parse(Files.readAllBytes(file));
      PulledImages read = new PulledImages(file, String.valueOf(Json.text(json, SALT)));
      read.read(json);
      return read;
    } catch (JacksonException | IllegalArgumentException fault) {
      throw new IOException(
          file
              + " is damaged: remove it, and the images that were pulled with credentials, which all"
              + " pods may use without it",
          fault);
    }
  }

  private void read(ObjectNode json) {
    ArrayNode names = Json.arrayAt(json, PULLING);
    if (names != null) {
      names.forEach(name -> pulling.add(name.stringValue("")));
    }
    cutOff.addAll(pulling);
    ObjectNode all = Json.objectAt(json, IMAGES);
    if (all != null) {
      all.properties().forEach(each -> images.put(each.getKey(), proofs(each.getValue())));
    }
  }

  private static List<Proof> proofs(JsonNode list) {
    List<Proof> proofs = new ArrayList<>();
    for (JsonNode each : list) {
      String hash = String.valueOf(Json.text(each, HASH));
      proofs.add(new Proof(String.valueOf(Json.text(each, SECRET)), hash));
    }
    return List.copyOf(proofs);
  }

  /**
   * True if a pod may use an image of the daemon without a pull.
   *
   * @param name the pod's name for it
   * @param credentials the pod's
   */
  synchronized boolean mayUse(LocalImage image, ImageRef name, List<Credentials> credentials) {
    List<Proof> proofs = images.get(image.content());
    if (proofs == null) {
      return !pulling.contains(name.toString());
    }
    return proofs.isEmpty()
        || credentials.stream()
            .map(this::proof)
            .anyMatch(own -> proofs.stream().anyMatch(proof -> isSame(own, proof)));
  }

  /** A secret whose content has changed is still the same, as for a kubelet. */
  private static boolean isSame(Proof one, Proof other) {
    return one.hash().equals(other.hash())
        || (!one.secret().isEmpty() && one.secret().equals(other.secret()));
  }

  /** Called before a pull with credentials. It must not begin if this fails. */
  synchronized void begin(ImageRef name) throws IOException {
    underWay.merge(name.toString(), 1, Integer::sum);
    if (pulling.add(name.toString())) {
      unwritten.add(name.toString());
    }
    if (unwritten.contains(name.toString())) {
      write();
    }
  }

  /** Called after a pull without credentials, of which nothing was recorded. */
  synchronized void onPulled(LocalImage image) throws IOException {
    List<Proof> known = images.put(image.content(), List.of());
    if (known == null || !known.isEmpty()) {
      write();
    }
  }

  /** Called after a pull with credentials. */
  synchronized void onPulled(ImageRef name, LocalImage image, Credentials credentials)
      throws IOException {
    List<Proof> known = images.get(image.content());
    if (known == null || !known.isEmpty()) {
      images.put(image.content(), with(known == null ? List.of() : known, proof(credentials)));
    }
    cutOff.remove(name.toString());
    end(name);
    write();
  }

  /** Called if a pull has failed, and has changed nothing. */
  synchronized void onFailure(ImageRef name) throws IOException {
    end(name);
    write();
  }

  /** Called if it is not known how a pull ended. */
  synchronized void onCutOff(ImageRef name) {
    cutOff.add(name.toString());
    end(name);
  }

  private void end(ImageRef name) {
    Integer left = underWay.computeIfPresent(name.toString(), (_, n) -> n == 1 ? null : n - 1);
    if (left == null && !cutOff.contains(name.toString())) {
      pulling.remove(name.toString());
    }
  }

  private static List<Proof> with(List<Proof> known, Proof fresh) {
    List<Proof> all = new ArrayList<>(known);
    all.removeIf(proof -> isSame(proof, fresh));
    all.add(fresh);
    return List.copyOf(all.subList(Math.max(0, all.size() - MOST_CREDENTIALS), all.size()));
  }

  private Proof proof(Credentials credentials) {
    String text =
        String.join("\0", salt, credentials.registry(), credentials.username())
            + "\0"
            + credentials.password();
    return new Proof(credentials.secret(), Sha256.hex(text.getBytes(StandardCharsets.UTF_8)));
  }

  private void write() throws IOException {
    ObjectNode json = Json.object().put(SALT, salt);
    ArrayNode names = json.putArray(PULLING);
    pulling.forEach(names::add);
    ObjectNode all = json.putObject(IMAGES);
    images.forEach((content, proofs) -> {
      ArrayNode list = all.putArray(content);
      proofs.forEach(proof -> list.addObject().put(SECRET, proof.secret()).put(HASH, proof.hash()));
    });
    DurableFile.replace(file, Json.bytes(json));
    unwritten.clear();
  }
}
