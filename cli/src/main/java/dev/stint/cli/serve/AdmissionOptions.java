package dev.stint.cli.serve;

import dev.stint.cli.output.UserException;
import dev.stint.model.Json;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.podsecurity.LevelVersion;
import dev.stint.model.podsecurity.NamespacePolicy;
import dev.stint.model.podsecurity.PodSecurityConfiguration;
import dev.stint.model.podsecurity.PodSecurityLevel;
import dev.stint.model.podsecurity.PodSecuritySettings;
import dev.stint.model.podsecurity.PolicyVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The options of admission. */
public final class AdmissionOptions {
  private static final String FILE_FLAG = "--admission-control-config-file";
  private static final String API_VERSION = "apiserver.config.k8s.io/v1";
  private static final String KIND = "AdmissionConfiguration";
  private static final String PLUGIN = "PodSecurity";

  @Option(
      names = "--pod-security-default",
      paramLabel = "LEVEL[:VERSION]",
      description =
          "Pod security level to enforce in namespaces without a label for it: privileged, "
              + "baseline or restricted, such as baseline:v1.36 (default: baseline with --runtime "
              + "container or --pod-user, otherwise privileged).")
  @Nullable String podSecurityDefault;

  @Option(
      names = FILE_FLAG,
      paramLabel = "FILE",
      description =
          "AdmissionConfiguration (apiserver.config.k8s.io/v1) with the defaults and "
              + "exemptions of the plugin PodSecurity (default: none).")
  @Nullable Path file;

  /**
   * Returns the settings of pod security.
   *
   * @param held true if pods are held to the baseline level unless options say otherwise, since
   *     they reach into this machine beyond it (decisions 48 and 53)
   * @throws UserException if an option is invalid
   */
  public PodSecuritySettings podSecurity(boolean held) {
    PodSecuritySettings configured =
        file == null ? PodSecuritySettings.LABELS_ONLY : configured(file);
    if (podSecurityDefault != null) {
      return enforcing(level(podSecurityDefault), configured);
    }
    return file == null && held ? enforcing(level("baseline"), configured) : configured;
  }

  private static PodSecuritySettings enforcing(LevelVersion level, PodSecuritySettings settings) {
    NamespacePolicy defaults = settings.defaults();
    return new PodSecuritySettings(
        new NamespacePolicy(level, defaults.audit(), defaults.warn()),
        settings.exemptUsers(),
        settings.exemptRuntimeClasses(),
        settings.exemptNamespaces());
  }

  private static LevelVersion level(String text) {
    int colon = text.indexOf(':');
    PodSecurityLevel level = PodSecurityLevel.of(colon < 0 ? text : text.substring(0, colon));
    PolicyVersion version =
        colon < 0 ? PolicyVersion.LATEST : PolicyVersion.parse(text.substring(colon + 1));
    if (level == null || version == null) {
      throw new UserException(
          "--pod-security-default: \"%s\" is not a level such as baseline or restricted:v1.36"
              .formatted(text));
    }
    return new LevelVersion(level, version);
  }

  private static PodSecuritySettings configured(Path file) {
    ObjectNode configuration = read(file, API_VERSION, KIND);
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(configuration);
    if (!root.get("apiVersion").text().equals(API_VERSION)
        || !root.get("kind").text().equals(KIND)) {
      throw new UserException(
          "%s: %s must be an %s of %s".formatted(FILE_FLAG, file, KIND, API_VERSION));
    }
    PodSecuritySettings settings = PodSecuritySettings.LABELS_ONLY;
    for (FieldPath plugin : root.get("plugins").items()) {
      if (!plugin.get("name").text().equals(PLUGIN)) {
        faults.notSupported(plugin.get("name").path(), plugin.get("name").text(), List.of(PLUGIN));
      } else {
        settings = PodSecurityConfiguration.read(configuration(plugin, file), faults);
      }
    }
    faults.list().stream()
        .findFirst()
        .ifPresent(fault -> {
          throw new UserException("%s: %s: %s".formatted(FILE_FLAG, file, fault));
        });
    return settings;
  }

  /** Returns the configuration of a plugin, from its entry or from the file that it names. */
  private static FieldPath configuration(FieldPath plugin, Path file) {
    String path = plugin.get("path").text();
    ObjectNode own =
        path.isEmpty()
            ? Json.objectAt(plugin.node(), "configuration")
            : read(file.resolveSibling(path), "", "");
    return FieldPath.root(own == null ? Json.object() : own);
  }

  private static ObjectNode read(Path file, String apiVersion, String kind) {
    try {
      return Documents.readWritten(Files.readAllBytes(file), apiVersion, kind).tree();
    } catch (NoSuchFileException missing) {
      throw new UserException("%s: %s does not exist".formatted(FILE_FLAG, file));
    } catch (DocumentSyntaxException broken) {
      throw new UserException("%s: %s: %s".formatted(FILE_FLAG, file, broken.getMessage()));
    } catch (IOException fault) {
      throw new UserException("%s: cannot read %s".formatted(FILE_FLAG, file));
    }
  }
}
