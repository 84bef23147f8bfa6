package dev.stint.model.pod;

import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Rules of remote volumes: those of other machines, networks and drivers. */
final class RemoteVolumeRules {
  private static final int LARGEST_BYTE = 255;
  private static final int LONGEST_TENANT = 64;
  private static final int LONGEST_DRIVER = 63;
  private static final List<String> CACHING_MODES = List.of("None", "ReadOnly", "ReadWrite");
  private static final List<String> DISK_KINDS = List.of("Dedicated", "Managed", "Shared");
  private static final Pattern INITIATOR =
      Pattern.compile(
          "iqn\\.\\d{4}-\\d{2}\\.[A-Za-z0-9.-]+:[^,;*&$|\\s]+"
              + "|eui.[A-Za-z0-9]{16}|naa.[A-Za-z0-9]{32}");

  private RemoteVolumeRules() {}

  static void check(FieldPath source, String kind, FieldErrors faults) {
    switch (kind) {
      case "gcePersistentDisk", "awsElasticBlockStore" -> octet(source.get("partition"), faults);
      case "gitRepo" -> directory(source.get("directory"), faults);
      case "nfs" -> absolute(source.get("path"), faults);
      case "iscsi" -> iscsi(source, faults);
      case "flocker" -> flocker(source, faults);
      case "cinder" -> secretName(source.get("secretRef"), faults);
      case "quobyte" -> quobyte(source, faults);
      case "fc" -> fibreChannel(source, faults);
      case "flexVolume" -> flexOptions(source.get("options"), faults);
      case "azureDisk" -> azureDisk(source, faults);
      case "storageos" -> storageOs(source, faults);
      case "csi" -> csi(source, faults);
      default -> {}
    }
  }

  private static void octet(FieldPath number, FieldErrors faults) {
    if (number.count() < 0 || number.count() > LARGEST_BYTE) {
      faults.invalid(number, number.count() + " must be from 0 to 255");
    }
  }

  private static void directory(FieldPath directory, FieldErrors faults) {
    if (!VolumeFileRules.staysBelow(directory.text())) {
      faults.invalid(directory, "must be a relative path without \"..\"");
    }
  }

  private static void absolute(FieldPath path, FieldErrors faults) {
    if (!path.text().startsWith("/")) {
      faults.invalid(path, "must be an absolute path");
    }
  }

  private static void iscsi(FieldPath source, FieldErrors faults) {
    FieldPath iqn = source.get("iqn");
    if (!iqn.isEmpty()) {
      initiator(iqn, iqn.path(), faults);
    }
    octet(source.get("lun"), faults);
    boolean chap =
        source.get("chapAuthDiscovery").isTrue() || source.get("chapAuthSession").isTrue();
    if (chap && !source.get("secretRef").exists()) {
      faults.required(source.get("secretRef"), "is required with CHAP authentication");
    }
    if (source.get("initiatorName").exists()) {
      // Kubernetes spells this path in lower case.
      initiator(source.get("initiatorName"), source.path() + ".initiatorname", faults);
    }
  }

  private static void initiator(FieldPath name, String path, FieldErrors faults) {
    if (!INITIATOR.matcher(name.text()).matches()) {
      faults.invalid(path, "must be an iqn, eui or naa name, such as iqn.2001-04.com.example:disk");
    }
  }

  private static void flocker(FieldPath source, FieldErrors faults) {
    FieldPath name = source.get("datasetName");
    boolean both = !name.isEmpty() && !source.get("datasetUUID").isEmpty();
    if (name.isEmpty() && source.get("datasetUUID").isEmpty()) {
      faults.required(source, "needs datasetName or datasetUUID");
    } else if (both) {
      faults.invalid(source.path(), "datasetName and datasetUUID are mutually exclusive");
    }
    if (name.text().contains("/")) {
      faults.invalid(name, "must not have '/' in it");
    }
  }

  private static void secretName(FieldPath secret, FieldErrors faults) {
    if (secret.exists() && secret.get("name").isEmpty()) {
      faults.required(secret.get("name"), "is required");
    }
  }

  private static void quobyte(FieldPath source, FieldErrors faults) {
    FieldPath registry = source.get("registry");
    if (!registry.isEmpty()
        && List.of(registry.text().split(",", -1)).stream()
            .anyMatch(host -> !isHostAndPort(host))) {
      faults.invalid(registry, "must be a host and a port, such as registry:7861, or several");
    }
    FieldPath tenant = source.get("tenant");
    if (Formats.bytes(tenant.text()) > LONGEST_TENANT) {
      faults.required(tenant.path(), "must have at most 64 characters");
    }
  }

  private static boolean isHostAndPort(String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(0, colon));
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    return colon >= 0 && (bracketed || host.indexOf(':') < 0);
  }

  private static void fibreChannel(FieldPath source, FieldErrors faults) {
    FieldPath names = source.get("targetWWNs");
    boolean world = !source.get("wwids").isEmpty();
    if (names.isEmpty() && !world) {
      faults.required(names, "or wwids is required");
    } else if (!names.isEmpty() && world) {
      faults.invalid(names, "targetWWNs and wwids are mutually exclusive");
    }
    if (!names.isEmpty()) {
      if (source.get("lun").exists()) {
        octet(source.get("lun"), faults);
      } else {
        faults.required(source.get("lun"), "is required with targetWWNs");
      }
    }
  }

  private static void flexOptions(FieldPath options, FieldErrors faults) {
    for (FieldPath option : options.entries()) {
      String domain = "." + option.key().split("/", 2)[0].toLowerCase(Locale.ROOT);
      if (domain.endsWith(".kubernetes.io") || domain.endsWith(".k8s.io")) {
        faults.invalid(option.path(), "kubernetes.io and k8s.io are reserved for Kubernetes");
      }
    }
  }

  private static void azureDisk(FieldPath source, FieldErrors faults) {
    faults.notSupportedUnlessIn(source.get("cachingMode"), CACHING_MODES);
    FieldPath kind = source.get("kind");
    faults.notSupportedUnlessIn(kind, DISK_KINDS);
    FieldPath uri = source.get("diskURI");
    if (kind.exists()) {
      String start = kind.text().equals("Managed") ? "/subscriptions/" : "https://";
      if (!uri.text().startsWith(start)) {
        faults.notSupported(
            uri.path(), "must start with " + start + " when kind is " + kind.text());
      }
    }
  }

  private static void storageOs(FieldPath source, FieldErrors faults) {
    FieldPath name = source.get("volumeName");
    if (name.isEmpty()) {
      faults.required(name, "is required");
    } else {
      faults.invalidUnlessSound(name, Formats.dnsLabel(name.text()));
    }
    FieldPath namespace = source.get("volumeNamespace");
    if (!namespace.isEmpty()) {
      faults.invalidUnlessSound(namespace, Formats.dnsLabel(namespace.text()));
    }
    secretName(source.get("secretRef"), faults);
  }

  private static void csi(FieldPath source, FieldErrors faults) {
    FieldPath driver = source.get("driver");
    String name = driver.text();
    if (name.isEmpty()) {
      faults.required(driver, "is required");
    } else if (name.length() > LONGEST_DRIVER) {
      faults.tooLong(driver.path(), "has " + name.length() + " characters; at most 63 are allowed");
    }
    if (!name.isEmpty()) {
      faults.invalidUnlessSound(driver, Formats.dnsSubdomain(name.toLowerCase(Locale.ROOT)));
    }
    FieldPath secret = source.get("nodePublishSecretRef").get("name");
    if (source.get("nodePublishSecretRef").exists() && secret.isEmpty()) {
      faults.required(secret, "is required");
    } else if (!secret.isEmpty()) {
      // Kubernetes reports the fault here.
      faults.invalidUnlessSound(
          secret.reportedAt(source.get("name")), Formats.dnsSubdomain(secret.text()));
    }
  }
}
