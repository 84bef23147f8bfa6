package dev.stint.bench.history;

import dev.stint.bench.history.Action.Create;
import dev.stint.bench.history.Action.Delete;
import dev.stint.bench.history.Action.Patch;
import dev.stint.bench.history.Action.Read;
import dev.stint.bench.history.Action.Replace;
import dev.stint.bench.history.ObjectState.Guessed;
import dev.stint.bench.history.ObjectState.Missing;
import dev.stint.bench.history.ObjectState.Present;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One object of a Kubernetes API: created, replaced, patched, deleted and read. */
final class ObjectModel implements SequentialModel<ObjectState, Operation> {

  @Override
  public ObjectState initial() {
    return new Missing(1);
  }

  @Override
  public List<ObjectState> next(ObjectState state, Operation operation) {
    Action action = operation.action();
    return switch (operation.outcome()) {
      case Outcome.Shown(Version version) -> list(shown(state, action, version));
      case Outcome.Deleted() -> list(action instanceof Delete ? applied(state, action) : null);
      case Outcome.Absent() ->
          state instanceof Missing && !(action instanceof Create) ? List.of(state) : List.of();
      case Outcome.Exists() ->
          !(state instanceof Missing) && action instanceof Create ? List.of(state) : List.of();
      case Outcome.Conflict() -> mayConflict(state, action) ? List.of(state) : List.of();
      case Outcome.Unknown() -> either(applied(state, action), state);
    };
  }

  private static List<ObjectState> list(@Nullable ObjectState state) {
    return state == null ? List.of() : List.of(state);
  }

  private static List<ObjectState> either(@Nullable ObjectState carriedOut, ObjectState not) {
    List<ObjectState> states = new ArrayList<>(list(carriedOut));
    if (!not.equals(carriedOut)) {
      states.add(not);
    }
    return states;
  }

  /** Returns the state after an action whose answer shows the object; null if that cannot be. */
  private static @Nullable ObjectState shown(ObjectState state, Action action, Version version) {
    ObjectState after = applied(state, action);
    boolean possible =
        switch (after) {
          case null -> false;
          case Missing _ -> false;
          case Present(Version known) -> known.equals(version);
          case Guessed(String uid, long least, Content content) ->
              content.equals(version.content())
                  && version.revision() >= least
                  && (uid.isEmpty() || uid.equals(version.uid()));
        };
    return possible ? new Present(version) : null;
  }

  /** Returns the state after the action; null if it cannot be carried out. */
  private static @Nullable ObjectState applied(ObjectState state, Action action) {
    return switch (action) {
      case Read() -> state;
      case Create(Content content) ->
          state instanceof Missing ? new Guessed("", state.next(), content) : null;
      case Replace(Content content, long _) -> written(state, action, content);
      case Patch(String text) ->
          state instanceof Missing ? null : written(state, action, content(state).with(text));
      case Delete _ -> mayApply(state, action) ? new Missing(state.next() + 1) : null;
    };
  }

  private static @Nullable ObjectState written(ObjectState state, Action action, Content content) {
    return mayApply(state, action) ? new Guessed(uid(state), state.next(), content) : null;
  }

  private static boolean mayApply(ObjectState state, Action action) {
    long asked = action.precondition();
    return switch (state) {
      case Missing _ -> false;
      case Present(Version version) -> asked == 0 || asked == version.revision();
      case Guessed guessed -> asked == 0 || asked >= guessed.least();
    };
  }

  private static boolean mayConflict(ObjectState state, Action action) {
    long asked = action.precondition();
    return asked != 0
        && switch (state) {
          case Missing _ -> false;
          case Present(Version version) -> asked != version.revision();
          case Guessed _ -> true;
        };
  }

  private static String uid(ObjectState state) {
    return switch (state) {
      case Present(Version version) -> version.uid();
      case Guessed guessed -> guessed.uid();
      case Missing _ -> "";
    };
  }

  private static Content content(ObjectState state) {
    return switch (state) {
      case Present(Version version) -> version.content();
      case Guessed guessed -> guessed.content();
      case Missing _ -> new Content("", "");
    };
  }
}
