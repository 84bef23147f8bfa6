package dev.stint.cli;

import dev.stint.model.FeatureGates;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.cron.CronJobAdmission;
import dev.stint.model.document.Document;
import dev.stint.model.document.DocumentSyntaxException;
import dev.stint.model.document.Documents;
import dev.stint.model.field.FieldError;
import dev.stint.model.job.JobDefaults;
import dev.stint.model.job.JobValidation;
import dev.stint.model.pod.PodDefaults;
import dev.stint.model.pod.PodValidation;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The files that commands are given: read, decoded, and checked. */
final class JobFiles {
  private static final String STANDARD_INPUT = "-";
  private static final String SOME_UID = "00000000-0000-0000-0000-000000000000";
  private static final Set<FieldError.Type> UNREADABLE =
      Set.of(FieldError.Type.UNDECODABLE, FieldError.Type.REQUIRED, FieldError.Type.NOT_FOUND);

  private JobFiles() {}

  /**
   * The documents of one file, at least one.
   *
   * @param file its path; {@code -} is standard input
   * @throws UserException where it cannot be read, is neither YAML nor JSON, or holds no documents
   */
  static List<Document> read(String file, Console console) {
    String name = file.equals(STANDARD_INPUT) ? "standard input" : file;
    try {
      byte[] bytes = bytes(file, console);
      if (bytes.length == 0) {
        throw new UserException(name + ": is empty; it should hold a Job");
      }
      List<Document> documents = Documents.read(name, bytes);
      if (documents.isEmpty()) {
        throw new UserException(name + ": holds no documents; it should hold a Job");
      }
      return documents;
    } catch (DocumentSyntaxException fault) {
      throw new UserException(String.valueOf(fault.getMessage()));
    } catch (AccessDeniedException denied) {
      throw new UserException(name + ": may not be read; see its permissions");
    } catch (IOException | InvalidPathException fault) {
      throw new UserException(name + ": cannot be read: " + fault.getMessage());
    }
  }

  /**
   * Everything that is wrong with a document. Where values are of the wrong type, only these: what
   * else is found there would be their consequence.
   */
  static List<FieldError> faults(Document document, FeatureGates gates) {
    List<FieldError> faults = new ArrayList<>(document.faults());
    if (faults.stream().map(FieldError::type).noneMatch(UNREADABLE::contains)) {
      ObjectNode object = named(document.object().copy());
      Kind kind = kindOf(document);
      if (Kind.JOB.equals(kind)) {
        faults.addAll(jobFaults(object, gates));
      } else if (Kind.CRON_JOB.equals(kind)) {
        faults.addAll(CronJobAdmission.create(object, gates));
      } else if (Kind.POD.equals(kind)) {
        PodDefaults.applyToPod(object);
        faults.addAll(PodValidation.create(object));
      }
    }
    return faults;
  }

  /** The object with what servers give to every new one. */
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

  /** Checks a new Job as a server would. */
  private static List<FieldError> jobFaults(ObjectNode job, FeatureGates gates) {
    JobDefaults.generate(job, SOME_UID);
    JobDefaults.apply(job);
    return JobValidation.create(job, gates);
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
