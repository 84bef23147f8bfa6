package dev.stint.cli.report;

import dev.stint.cli.output.Console;
import dev.stint.cli.output.OutputFormat;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.document.YamlWriter;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The Jobs as they are in the end, on standard output. */
public final class FinalJobs {
  private FinalJobs() {}

  /** Prints a Job as it is, or a List of several Jobs; nothing for the format text. */
  public static void print(List<KubeObject> all, OutputFormat format, Console console) {
    if (format == OutputFormat.text) {
      return;
    }
    if (all.size() == 1) {
      print(all.getFirst().tree(), format, console);
      return;
    }
    ObjectNode list = Json.object();
    list.put("apiVersion", "v1").put("kind", "List");
    ArrayNode items = list.putArray("items");
    all.forEach(job -> items.add(job.tree()));
    print(list, format, console);
  }

  private static void print(ObjectNode document, OutputFormat format, Console console) {
    if (format == OutputFormat.yaml) {
      console.out().print(YamlWriter.text(document));
    } else {
      console.out().println(Json.pretty(document));
    }
  }
}
