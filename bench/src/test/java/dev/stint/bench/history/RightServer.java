package dev.stint.bench.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** An object that carries out random requests, each at one moment between its call and its end. */
final class RightServer {
  private static final long SHORT = 30;

  private final Random random;
  private @Nullable Version object;
  private long revision = 1;

  private RightServer(Random random) {
    this.random = random;
  }

  /** Returns requests that overlap; one in ten has no answer, and half of these are not done. */
  static List<Operation> history(Random random, int count) {
    RightServer server = new RightServer(random);
    List<Operation> operations = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long effect = 1000 + 10L * i;
      long call = effect - random.nextInt((int) SHORT);
      long end = effect + 1 + random.nextInt((int) SHORT);
      Action action = server.action(i);
      boolean isLost = random.nextInt(10) == 0;
      Outcome outcome =
          isLost && random.nextBoolean() ? new Outcome.Unknown() : server.carryOut(action);
      operations.add(
          new Operation(
              i,
              "k",
              action,
              call,
              isLost ? end + 10 * SHORT : end,
              isLost ? new Outcome.Unknown() : outcome));
    }
    return operations;
  }

  /**
   * Replaces the answer of a read by an earlier state that was over when it was sent.
   *
   * @return which read it is
   */
  static int makeStale(List<Operation> operations) {
    for (int i = operations.size() - 1; i > 0; i--) {
      Operation read = operations.get(i);
      if (read.action() instanceof Action.Read
          && read.outcome() instanceof Outcome.Shown(Version now)) {
        for (int j = i - 1; j > 0; j--) {
          Operation earlier = operations.get(j);
          if (earlier.outcome() instanceof Outcome.Shown(Version old)
              && old.revision() < now.revision()
              && isOver(operations, old, read.call())) {
            operations.set(
                i,
                new Operation(
                    read.client(), "k", read.action(), read.call(), read.end(), earlier.outcome()));
            return i;
          }
        }
      }
    }
    throw new IllegalStateException("no read to falsify");
  }

  /** True if an answer before a time shows a later version. */
  private static boolean isOver(List<Operation> operations, Version old, long time) {
    return operations.stream()
        .anyMatch(each ->
            each.end() < time
                && each.outcome() instanceof Outcome.Shown(Version later)
                && later.revision() > old.revision());
  }

  private Action action(int number) {
    Content content = new Content(number + "a", "");
    long known = object == null ? 1 : object.revision() - random.nextInt(2);
    return switch (random.nextInt(8)) {
      case 0, 1 -> new Action.Create(content);
      case 2 -> new Action.Replace(content, known);
      case 3 -> new Action.Replace(content, 0);
      case 4 -> new Action.Patch("p" + number);
      case 5 -> new Action.Delete(random.nextBoolean() ? 0 : known);
      default -> new Action.Read();
    };
  }

  private Outcome carryOut(Action action) {
    Version now = object;
    if (action instanceof Action.Create(Content content)) {
      return now == null ? write("u" + revision, content) : new Outcome.Exists();
    }
    if (now == null) {
      return new Outcome.Absent();
    }
    if (action.precondition() != 0 && action.precondition() != now.revision()) {
      return new Outcome.Conflict();
    }
    return switch (action) {
      case Action.Replace(Content content, long _) -> write(now.uid(), content);
      case Action.Patch(String text) -> write(now.uid(), now.content().with(text));
      case Action.Delete _ -> delete();
      case Action.Read(), Action.Create _ -> new Outcome.Shown(now);
    };
  }

  private Outcome delete() {
    object = null;
    revision++;
    return new Outcome.Deleted();
  }

  private Outcome write(String uid, Content content) {
    Version written = new Version("k", uid, ++revision, content);
    object = written;
    return new Outcome.Shown(written);
  }
}
