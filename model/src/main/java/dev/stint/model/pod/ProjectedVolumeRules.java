package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.meta.LabelSelectorRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of projected volumes: several sources with their files in one directory. */
final class ProjectedVolumeRules {
  private static final int SHORTEST_TOKEN_SECONDS = 600;
  private static final long LONGEST_TOKEN_SECONDS = 1L << 32;
  private static final int SHORTEST_CERTIFICATE_SECONDS = 3600;
  private static final int LONGEST_CERTIFICATE_SECONDS = 91 * 24 * 3600;
  private static final List<String> KEY_TYPES =
      List.of("ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519", "RSA3072", "RSA4096");
  private static final List<String> CERTIFICATE_PATHS =
      List.of("credentialBundlePath", "keyPath", "certificateChainPath");
  private static final List<String> SOURCES =
      List.of(
          "secret",
          "configMap",
          "downwardAPI",
          "serviceAccountToken",
          "clusterTrustBundle",
          "podCertificate");

  private final FieldPath projected;
  private final FieldErrors faults;
  private final Set<String> paths = new HashSet<>();

  private ProjectedVolumeRules(FieldPath projected, FieldErrors faults) {
    this.projected = projected;
    this.faults = faults;
  }

  static void check(FieldPath projected, FieldErrors faults) {
    VolumeFileRules.mode(projected.get("defaultMode"), faults);
    ProjectedVolumeRules rules = new ProjectedVolumeRules(projected, faults);
    projected.get("sources").items().forEach(rules::source);
  }

  private void source(FieldPath source) {
    int found = 0;
    for (String kind : SOURCES) {
      FieldPath one = source.get(kind);
      if (one.exists()) {
        found++;
        one(one, kind);
      }
    }
    if (found > 1) {
      faults.forbidden(source, "may have only one source: " + String.join(", ", SOURCES));
    }
  }

  private void one(FieldPath source, String kind) {
    switch (kind) {
      case "secret", "configMap" -> {
        if (source.get("name").isEmpty()) {
          faults.required(source.get("name"), "is required");
        }
        VolumeFileRules.items(source.get("items"), faults);
        source.get("items").items().forEach(item -> take(item.get("path")));
      }
      case "downwardAPI" -> {
        DownwardApiRules.files(source, faults);
        source.get("items").items().forEach(item -> take(item.get("path")));
      }
      case "serviceAccountToken" -> token(source);
      case "clusterTrustBundle" -> trustBundle(source);
      default -> certificate(source);
    }
  }

  private void take(FieldPath path) {
    if (!path.isEmpty() && !paths.add(path.text())) {
      faults.invalid(projected.path(), "\"" + path.text() + "\" is the path of two files");
    }
  }

  private void token(FieldPath source) {
    FieldPath seconds = source.get("expirationSeconds");
    if (seconds.exists()
        && (seconds.count() < SHORTEST_TOKEN_SECONDS || seconds.count() > LONGEST_TOKEN_SECONDS)) {
      faults.invalid(seconds, seconds.count() + " must be from 600 to 4294967296");
    }
    // Kubernetes reports the fault at the volume.
    VolumeFileRules.relativePath(source.get("path").reportedAt(projected.get("path")), faults);
  }

  private void trustBundle(FieldPath source) {
    FieldPath name = source.get("name");
    FieldPath signer = source.get("signerName");
    if (name.exists() && signer.exists()) {
      faults.invalid(source.path(), "name and signerName are mutually exclusive");
    } else if (name.exists()) {
      if (name.isEmpty()) {
        faults.required(name, "must name a cluster trust bundle");
      }
      if (source.get("labelSelector").exists()) {
        faults.invalid(source.get("labelSelector"), "is only allowed for signerName");
      }
    } else if (signer.exists()) {
      signer(signer, faults);
      LabelSelectorRules.check(source.get("labelSelector"), faults);
    } else {
      faults.required(source, "needs name or signerName");
    }
    VolumeFileRules.relativePath(source.get("path"), faults);
    take(source.get("path"));
  }

  private void certificate(FieldPath source) {
    signer(source.get("signerName"), faults);
    FieldPath type = source.get("keyType");
    if (!KEY_TYPES.contains(type.text())) {
      faults.notSupported(type, KEY_TYPES);
    }
    FieldPath seconds = source.get("maxExpirationSeconds");
    if (seconds.exists()
        && (seconds.count() < SHORTEST_CERTIFICATE_SECONDS
            || seconds.count() > LONGEST_CERTIFICATE_SECONDS)) {
      faults.invalid(seconds, seconds.count() + " must be from 3600 to 7862400");
    }
    boolean any = false;
    for (String member : CERTIFICATE_PATHS) {
      FieldPath path = source.get(member);
      if (!path.isEmpty()) {
        any = true;
        VolumeFileRules.relativePath(path, faults);
        take(path);
      }
    }
    if (!any) {
      faults.required(source, "needs one of " + String.join(", ", CERTIFICATE_PATHS));
    }
  }

  /** Checks a signer's name, such as {@code example.com/signer}. */
  private static void signer(FieldPath signer, FieldErrors faults) {
    if (signer.isEmpty()) {
      faults.required(signer, "is required, such as example.com/signer");
    } else {
      faults.invalidUnlessSound(signer, Formats.domainPrefixedPath(signer.text()));
    }
  }
}
