package dev.stint.cli.doctor;

import dev.stint.cli.location.DataLocation;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.OutputFormat;
import dev.stint.cli.output.ReportPrinter;
import dev.stint.cli.output.UserException;
import dev.stint.model.Json;
import dev.stint.model.document.YamlWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint doctor}. */
@Command(
    name = "doctor",
    description = {
      "Say what this machine offers, and what to do about what it lacks.",
      "Runs a Job of one pod in a scratch directory beside the data directory.",
      "Exit status 0 if stint run works, 2 if not."
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory to look at (default: $$XDG_DATA_HOME/stint).")
  @Nullable Path data;

  @Option(
      names = "--container-socket",
      paramLabel = "PATH",
      description =
          "Socket of Docker or Podman (default: $$DOCKER_HOST, else the usual ones of stint run).")
  @Nullable Path socket;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS:PORT",
      defaultValue = "127.0.0.1:6443",
      description = "Address that stint up is to serve on (default: ${DEFAULT-VALUE}).")
  InetSocketAddress listen = InetSocketAddress.createUnresolved("127.0.0.1", 6443);

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "Kubeconfig of a cluster to look at, too: whether it answers, and which replica of stint "
              + "controller --shards has which shards (default: none).")
  @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of that kubeconfig (default: its current context).")
  @Nullable String context;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json|yaml",
      description = "Output format (default: text).")
  OutputFormat output = OutputFormat.text;

  public DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    DataLocation location = DataLocation.of(data, console.environment());
    if (context != null && kubeconfig == null) {
      throw new UserException("--context requires --kubeconfig FILE");
    }
    List<Finding> findings =
        new ArrayList<>(new Examination(location, console, socket, listen).findings());
    if (kubeconfig != null) {
      findings.addAll(ClusterState.of(kubeconfig, context, InstantSource.system()));
    }
    switch (output) {
      case text -> text(findings).forEach(console.out()::println);
      case json -> console.out().println(Json.pretty(document(findings)));
      case yaml -> console.out().print(YamlWriter.text(document(findings)));
    }
    return works(findings) ? ExitCode.OK.status() : ExitCode.USAGE.status();
  }

  static boolean works(List<Finding> findings) {
    return findings.stream().noneMatch(Finding::isFault);
  }

  /** Returns a table, and below it what to do, the faults first. */
  private List<String> text(List<Finding> findings) {
    ReportPrinter printer = new ReportPrinter(console);
    List<List<String>> rows = new ArrayList<>(List.of(List.of("STATE", "SUBJECT", "FOUND")));
    findings.forEach(each -> rows.add(List.of(each.state().word(), each.subject(), each.found())));
    List<String> lines =
        new ArrayList<>(
            printer.table(
                rows,
                (row, column, cell) ->
                    column > 0
                        ? cell
                        : switch (findings.get(row).state()) {
                          case OK -> printer.good(cell);
                          case NOTE -> printer.odd(cell);
                          case FAULT -> printer.bad(cell);
                        }));
    lines.add("");
    findings.stream().filter(Finding::isFault).forEach(each -> lines.add(advice(each)));
    findings.stream()
        .filter(each -> !each.isFault() && each.advice() != null)
        .forEach(each -> lines.add(advice(each)));
    lines.add(works(findings) ? "stint run works here" : "stint run does not work here");
    return lines;
  }

  private static String advice(Finding finding) {
    return finding.subject() + ": " + finding.advice();
  }

  static ObjectNode document(List<Finding> findings) {
    ObjectNode document = Json.object().put("works", works(findings));
    ArrayNode all = document.putArray("findings");
    findings.forEach(each -> all.add(each.json()));
    return document;
  }
}
