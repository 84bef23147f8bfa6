package dev.stint.cli.job;

import dev.stint.cli.location.JobsTarget;
import dev.stint.cli.location.TargetCommand;
import dev.stint.cli.output.Console;
import dev.stint.cli.output.ExitCode;
import dev.stint.cli.output.UserException;
import dev.stint.jobs.JobItems;
import dev.stint.jobs.attempts.ContainerAttemptView;
import dev.stint.jobs.attempts.Sidecars;
import dev.stint.model.Json;
import dev.stint.model.KubeObject;
import dev.stint.model.index.IndexSet;
import dev.stint.model.item.ItemText;
import dev.stint.model.job.JobSpec;
import dev.stint.model.job.JobStatus;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code stint items JOB}: prints what the indexes of a Job work on. */
@Command(
    name = "items",
    description = {
      "Print the lines of the list that a Job was made from, one a line.",
      "Without a flag, prints all of them. Other Jobs name their items in the annotation",
      "stint.dev/items, or in a config map that stint.dev/items-config-map names."
    },
    footer = {"", "Example:", "  stint items sweep --failed | stint run --each - -- ./fit {}"})
public final class ItemsCommand extends TargetCommand {
  @Parameters(paramLabel = "JOB", description = "Name of the Job.")
  String job = "";

  @Option(names = "--failed", description = "Print the items that failed, and do not run any more.")
  boolean failed;

  @Option(names = "--succeeded", description = "Print the items that succeeded.")
  boolean succeeded;

  @Option(
      names = "--unfinished",
      description = "Print the items that neither succeeded nor failed, so far.")
  boolean unfinished;

  @Option(
      names = {"-0", "--null"},
      description = "End each item with a NUL character, as xargs -0 reads them.")
  boolean nulls;

  public ItemsCommand(Console console) {
    super(console);
  }

  @Override
  public ExitCode run(JobsTarget target) throws IOException {
    KubeObject found = target.job(job);
    JobItems items = JobItems.of(target.cluster(), found).orElseThrow(() -> noItems(found));
    PrintStream out = console.out();
    AtomicBoolean warned = new AtomicBoolean(nulls);
    selected(target, found)
        .forEach(index ->
            items
                .item(index)
                .ifPresentOrElse(
                    item -> {
                      if (item.line().indexOf('\n') >= 0 && !warned.getAndSet(true)) {
                        console.say("an item contains a line feed; add -0 to tell where each ends");
                      }
                      out.writeBytes(ItemText.bytes(item.line()));
                      out.write(nulls ? 0 : '\n');
                    },
                    () -> console.say("index " + index + " of " + found.name() + " has no item")));
    out.flush();
    return ExitCode.OK;
  }

  private static UserException noItems(KubeObject job) {
    return new UserException(
        job.name()
            + " has no items: it was not made with --each, and has neither the annotation "
            + JobItems.LINES
            + " nor "
            + JobItems.CONFIG_MAP);
  }

  private IndexSet selected(JobsTarget target, KubeObject found) throws IOException {
    ObjectNode spec = found.spec();
    Integer completions = JobSpec.read(spec == null ? Json.object() : spec).completions();
    int count = completions == null ? 0 : completions;
    IndexSet all = count == 0 ? IndexSet.EMPTY : IndexSet.range(0, count - 1);
    if (!failed && !succeeded && !unfinished) {
      return all;
    }
    IndexSet done = JobStatus.read(found.status()).completedIndexes().below(count);
    IndexSet bad = failed(target, found, done).below(count);
    IndexSet chosen = succeeded ? done : IndexSet.EMPTY;
    chosen = failed ? chosen.union(bad) : chosen;
    return unfinished ? chosen.union(all.minus(done).minus(bad)) : chosen;
  }

  /** Returns the indexes that failed for good; those with a failed attempt if no status tells. */
  private static IndexSet failed(JobsTarget target, KubeObject found, IndexSet done)
      throws IOException {
    IndexSet counted = JobStatus.read(found.status()).failedIndexes();
    if (counted != null) {
      return counted;
    }
    if (!JobStatus.read(found.status()).isFinished()) {
      return IndexSet.EMPTY;
    }
    Set<String> sidecars = Sidecars.of(found);
    List<ContainerAttemptView> attempts = AttemptOptions.find(target, found.name(), found, false);
    int[] indexes =
        attempts.stream()
            .filter(each -> each.state() == ContainerAttemptView.State.FAILED)
            .filter(each -> each.index() != null && !sidecars.contains(each.container()))
            .mapToInt(ContainerAttemptView::index)
            .toArray();
    return IndexSet.of(indexes).minus(done);
  }
}
