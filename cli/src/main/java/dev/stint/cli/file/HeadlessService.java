package dev.stint.cli.file;

import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.Document;
import dev.stint.model.field.FieldError;
import java.util.List;

/**
 * A headless service from the same files as Jobs. Nothing has to be made of it: pods with its name
 * as their {@code subdomain} find each other by the runner.
 */
public final class HeadlessService {
  private HeadlessService() {}

  /** True if a document is a service, headless or not. */
  public static boolean isService(Document document) {
    KubeObject object = document.object();
    return object.apiVersion().equals("v1") && object.kindName().equals("Service");
  }

  /** Returns why a service does not work here; empty if it does. */
  static List<FieldError> faults(Document document) {
    return "None".equals(Json.text(document.object().spec(), "clusterIP"))
        ? List.of()
        : List.of(
            new FieldError(
                "spec.clusterIP",
                FieldError.Type.NOT_SUPPORTED,
                "must be None; services have no addresses here, and pods find each other by their"
                    + " subdomain"));
  }
}
