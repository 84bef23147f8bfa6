package dev.stint.cli.file;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.UserException;
import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.cron.CronJobAdmission;
import dev.stint.model.cron.CronJobWarnings;
import dev.stint.model.document.Document;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.field.FieldErrors;
import dev.stint.model.field.FieldPath;
import dev.stint.model.field.Formats;
import dev.stint.model.job.JobAdmission;
import dev.stint.model.job.JobWarnings;
import dev.stint.model.job.after.AfterRules;
import dev.stint.model.job.options.JobOptions;
import dev.stint.model.meta.MetadataRules;
import dev.stint.model.pod.GatedPodFields;
import dev.stint.model.pod.PodDefaults;
import dev.stint.model.pod.PodTemplateWarnings;
import dev.stint.model.pod.PodValidation;
import dev.stint.model.support.ConfigMapRules;
import dev.stint.model.support.SecretRules;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads, decodes and checks the files that commands are given. */
public final class JobFiles {
  private static final String STANDARD_INPUT = "-";
  private static final String SOME_UID = "00000000-0000-0000-0000-000000000000";

  /** The kinds whose rules are checked. */
  private static final Set<Kind> RULED =
      Set.of(Kind.JOB, Kind.CRON_JOB, Kind.POD, Kind.CONFIG_MAP, Kind.SECRET);

  private static final Map<Kind, Function<FieldPath, List<String>>> WARNINGS =
      Map.of(
          Kind.JOB, JobWarnings::create,
          Kind.CRON_JOB, CronJobWarnings::create,
          Kind.POD, PodTemplateWarnings::ofPod);

  private JobFiles() {}

  /**
   * Reads the documents of one file, at least one.
   *
   * @param file its path; {@code -} is standard input
   * @throws UserException if the file cannot be read, is neither YAML nor JSON, or holds no
   *     documents
   */
  public static List<Document> read(String file, Console console) {
    String name = file.equals(STANDARD_INPUT) ? "standard input" : file;
    try {
      byte[] bytes = bytes(file, console);
      if (bytes.length == 0) {
        throw new UserException(name + ": the file is empty; it must contain a Job");
      }
      List<Document> documents = Documents.read(name, bytes);
      if (documents.isEmpty()) {
        throw new UserException(name + ": contains no documents; it must contain a Job");
      }
      return documents;
    } catch (DocumentSyntaxException fault) {
      throw new UserException(String.valueOf(fault.getMessage()));
    } catch (AccessDeniedException denied) {
      throw new UserException(name + ": permission denied; check the permissions of the file");
    } catch (IOException | InvalidPathException fault) {
      throw new UserException(name + ": cannot be read: " + fault.getMessage());
    }
  }

  /**
   * Reads the documents of one file, as {@link #read} does, to make new objects of them: an object
   * that an API has printed is as its author wrote it.
   */
  public static List<Document> readNew(String file, Console console) {
    return read(file, console).stream().map(read -> StoredDocument.written(read, console)).toList();
  }

  /**
   * Returns all faults of a document, in the order of its lines: unreadable values and broken
   * rules, without those that may only be consequences of the former.
   */
  public static List<FieldError> faults(Document document, FeatureGates gates) {
    List<FieldError> unreadable =
        ServiceOrClaim.isOne(document) ? ServiceOrClaim.faults(document) : document.faults();
    List<FieldError> faults = new ArrayList<>(unreadable);
    admitted(document, gates).faults().stream()
        .filter(fault ->
            unreadable.stream().noneMatch(cause -> FaultConsequences.isConsequence(cause, fault)))
        .forEach(faults::add);
    faults.sort((one, other) ->
        Integer.compare(document.lines().of(one.path()), document.lines().of(other.path())));
    return faults;
  }

  /**
   * Returns warnings about a document without faults, in the words of a cluster's warnings: {@code
   * job.yaml:14: warning: spec.template.spec.…}. Warns of fields that a cluster drops silently,
   * too.
   */
  public static List<String> warnings(Document document, FeatureGates gates) {
    Kind kind = kindOf(document);
    Function<FieldPath, List<String>> rules = kind == null ? null : WARNINGS.get(kind);
    if (rules == null) {
      return List.of();
    }
    return Stream.concat(
            rules.apply(FieldPath.root(admitted(document, gates).object())).stream(),
            DroppedFields.of(document.object(), gates).stream())
        .map(warning -> at(document, warning) + ": warning: " + warning)
        .toList();
  }

  /** Returns the line of the field that a warning begins with. */
  private static String at(Document document, String warning) {
    String field = warning.substring(0, Math.max(0, warning.indexOf(": ")));
    return document.sourceName() + ":" + document.lines().of(field);
  }

  /** A new object with its defaults, and the rules that it breaks. */
  private record Admitted(ObjectNode object, List<FieldError> faults) {}

  private static Admitted admitted(Document document, FeatureGates gates) {
    ObjectNode object = named(document.object().copy());
    return new Admitted(object, faults(kindOf(document), object, gates));
  }

  /** Checks annotations that only Stint's controller reads, so that no server checks them. */
  private static List<FieldError> options(ObjectNode object, String... parents) {
    FieldPath at = FieldPath.root(object);
    for (String parent : parents) {
      at = at.get(parent);
    }
    FieldErrors faults = new FieldErrors();
    JobOptions.check(at, faults);
    AfterRules.check(at, faults);
    return faults.list();
  }

  private static List<FieldError> with(List<FieldError> some, List<FieldError> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private static List<FieldError> faults(
      @Nullable Kind kind, ObjectNode object, FeatureGates gates) {
    if (Kind.JOB.equals(kind)) {
      return with(options(object), JobAdmission.create(object, SOME_UID, gates));
    }
    if (Kind.CRON_JOB.equals(kind)) {
      List<FieldError> own = options(object, "spec", "jobTemplate");
      return with(own, CronJobAdmission.create(object, gates));
    }
    if (Kind.POD.equals(kind)) {
      PodDefaults.applyToPod(object);
      GatedPodFields.drop(object.withObjectProperty("spec"), null, gates);
      return PodValidation.create(object);
    }
    FieldErrors faults = new FieldErrors();
    FieldPath root = FieldPath.root(object);
    if (Kind.CONFIG_MAP.equals(kind)) {
      MetadataRules.create(root.get("metadata"), Formats::dnsSubdomain, faults);
      ConfigMapRules.check(root, faults);
    } else if (Kind.SECRET.equals(kind)) {
      MetadataRules.create(root.get("metadata"), Formats::dnsSubdomain, faults);
      SecretRules.complete(object);
      SecretRules.check(root, faults);
    } else if (root.get("metadata", "name").isEmpty()) {
      faults.required(root.get("metadata", "name"), "name or generateName is required");
    }
    return faults.list().stream().map(JobFiles::atData).toList();
  }

  /** Names the field of a fault of all data together, which Kubernetes reports without a path. */
  private static FieldError atData(FieldError fault) {
    return fault.path().equals("[]") ? new FieldError("data", fault.type(), fault.detail()) : fault;
  }

  /** The extent to which {@link #faults} checks a document. */
  public enum Extent {
    /** Its fields and all rules of its kind. */
    RULES,
    /** Its fields alone. */
    FIELDS,
    /** Only that it can be read and has a name. */
    NAME
  }

  /** Returns the extent to which a document is checked. */
  public static Extent extent(Document document) {
    Kind kind = kindOf(document);
    if (kind == null || ServiceOrClaim.isOne(document)) {
      return Extent.NAME;
    }
    return RULED.contains(kind) ? Extent.RULES : Extent.FIELDS;
  }

  /** Adds the fields that servers set on every new object. */
  private static ObjectNode named(ObjectNode object) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    String prefix = Json.text(metadata, "generateName");
    if (prefix != null && Json.text(metadata, "name") == null) {
      metadata.put("name", prefix + "12345");
    }
    if (Json.text(metadata, "namespace") == null) {
      metadata.put("namespace", "default");
    }
    metadata.put("uid", SOME_UID);
    return object;
  }

  private static @Nullable Kind kindOf(Document document) {
    KubeObject object = document.object();
    return Kind.of(object.apiVersion(), object.kindName()).orElse(null);
  }

  private static byte[] bytes(String file, Console console) throws IOException {
    if (file.equals(STANDARD_INPUT)) {
      return console.in().readAllBytes();
    }
    Path path = Path.of(file);
    if (!Files.exists(path)) {
      throw new UserException(file + ": no such file");
    }
    if (Files.isDirectory(path)) {
      throw new UserException(file + ": is a directory; name the files in it");
    }
    return Files.readAllBytes(path);
  }
}
