package dev.stint.runner.process.isolation;

import dev.stint.runner.process.command.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Plans a container's mounts: what to make beforehand, and what to mount, in order, in a mount
 * namespace of its own.
 *
 * <p>A missing mount point is never made on the machine. Instead, a <em>view</em> replaces the
 * closest directory above it: a directory that has the mount point, and all entries of the real
 * one, each mounted or linked from there. A view is read-only, so that no new file is lost by being
 * written to it; the view of a directory for all users, such as /tmp, is not. A view of the root
 * directory becomes the container's root.
 *
 * @param made the files that the mounts need, in order of making
 * @param table the mounts, in order
 * @param root the new root directory; null for the machine's
 * @param mounts the mounts with the real paths of their targets, as the machine has them
 */
record MountPlan(List<Made> made, List<Line> table, @Nullable Path root, List<BindMount> mounts) {
  private static final String OPTIONAL = ",nofail";

  /** A file to make on disk before mounting. */
  sealed interface Made {
    Path path();

    record Directory(Path path, boolean forAll) implements Made {}

    record File(Path path) implements Made {}

    record Link(Path path, Path to) implements Made {}

    /**
     * A mount point in a volume, where processes may put links meanwhile.
     *
     * @param volume a path at which this program sees the volume
     * @param rest the path of the mount point in it; directories on the way are made, too
     */
    record Inner(Path volume, Path rest, boolean directory) implements Made {
      @Override
      public Path path() {
        return volume.resolve(rest);
      }
    }
  }

  /** A mount, by the requested path and by the real one. */
  private record Placed(Path asked, BindMount mount) {}

  /** One mount. */
  record Line(Path source, Path target, String options) {
    /** Returns the mount as a line of fstab(5). */
    String text() {
      return escaped(source) + " " + escaped(target) + " none " + options + " 0 0";
    }

    /** Returns the target as /proc/PID/mountinfo shows it. */
    String place() {
      return escaped(target.normalize());
    }

    /** False if it may be missing, if its source is gone. */
    boolean isRequired() {
      return !options.endsWith(OPTIONAL);
    }

    private static String escaped(Path path) {
      return path.toString()
          .replace("\\", "\\134")
          .replace(" ", "\\040")
          .replace("\t", "\\011")
          .replace("\n", "\\012");
    }
  }

  /** Returns the places at which there must be a mount in the end. */
  List<String> places() {
    return table.stream().filter(Line::isRequired).map(Line::place).toList();
  }

  private static final Path TOP = Path.of("/");

  /** The largest number of entries of a directory that a view replaces. */
  static final int LARGEST_VIEW = 2000;

  /**
   * Plans the mounts.
   *
   * @param staging an existing directory for the files to make
   * @param readOnly true to make everything but the mounts read-only; {@link ReadOnlyRoot} does
   *     that for the machine's own mounts
   * @throws Command.NotStartable the mount is impossible; the message says why
   */
  static MountPlan of(
      List<BindMount> mounts, boolean readOnly, Path staging, HostFileSystem machine)
      throws IOException, Command.NotStartable {
    return new Planner(readOnly, staging, machine).plan(mounts);
  }

  private static final class Planner {
    private final boolean readOnly;
    private final Path staging;
    private final HostFileSystem machine;
    private final List<Made> made = new ArrayList<>();
    private final List<Line> table = new ArrayList<>();
    private final List<Placed> placed = new ArrayList<>();

    /** The entries that each view has and its directory lacks; deepest directories first. */
    private final Map<Path, List<Made>> views =
        new TreeMap<>(
            Comparator.comparingInt(Path::getNameCount)
                .reversed()
                .thenComparing(Comparator.naturalOrder()));

    Planner(boolean readOnly, Path staging, HostFileSystem machine) {
      this.readOnly = readOnly;
      this.staging = staging;
      this.machine = machine;
    }

    MountPlan plan(List<BindMount> mounts) throws IOException, Command.NotStartable {
      List<BindMount> sorted = new ArrayList<>(mounts);
      sorted.sort(Comparator.comparingInt(mount -> mount.target().getNameCount()));
      for (BindMount mount : sorted) {
        place(mount);
      }
      Path root = null;
      int number = 0;
      for (Map.Entry<Path, List<Made>> view : views.entrySet()) {
        boolean top = view.getKey().equals(TOP);
        Path shown = staging.resolve(top ? "root" : "view" + number++);
        view(view.getKey(), shown, view.getValue());
        if (top) {
          root = shown;
        } else {
          table.add(new Line(shown, view.getKey(), "rbind"));
        }
      }
      List<BindMount> real = placed.stream().map(Placed::mount).toList();
      for (BindMount mount : real) {
        Path target = root == null ? mount.target() : below(root, mount.target());
        table.add(new Line(mount.source(), target, options(mount.readOnly())));
      }
      return new MountPlan(List.copyOf(made), List.copyOf(table), root, real);
    }

    /** Finds, or provides, the mount point of a mount. */
    private void place(BindMount mount) throws IOException, Command.NotStartable {
      if (mount.target().equals(TOP)) {
        throw new Command.NotStartable(
            "mountPath \"/\": the root directory cannot be replaced; mount below it");
      }
      Path target = mount.target();
      Placed outer = outer(target);
      if (outer != null) {
        placeWithin(outer, mount);
        return;
      }
      Path there = target;
      while (!machine.exists(there)) {
        there = java.util.Objects.requireNonNull(there.getParent());
      }
      if (!machine.isDirectory(there) && !there.equals(target)) {
        throw new Command.NotStartable("mountPath \"" + target + "\": " + there + " is a file");
      }
      Path rest = there.relativize(target);
      Path real = machine.real(there);
      Path where = there.equals(target) ? real : real.resolve(rest);
      add(mount, where);
      if (!there.equals(target)) {
        missing(views.computeIfAbsent(real, _ -> new ArrayList<>()), rest, mount);
      }
      if (staging.startsWith(where)) {
        // Mounting here hides the sources of later mounts, unless there is another root.
        var _ = views.computeIfAbsent(TOP, _ -> new ArrayList<>());
      }
    }

    private void add(BindMount mount, Path where) {
      placed.add(new Placed(mount.target(), mount.withTarget(where)));
    }

    /** Returns the last of the mounts that contain a path; deeper ones come later. */
    private @Nullable Placed outer(Path target) {
      return placed.reversed().stream()
          .filter(each -> target.startsWith(each.asked()))
          .findFirst()
          .orElse(null);
    }

    private void placeWithin(Placed outer, BindMount mount) throws Command.NotStartable {
      Path rest = outer.asked().relativize(mount.target());
      Path place = outer.mount().seen().resolve(rest);
      boolean same = rest.toString().isEmpty();
      add(mount, same ? outer.mount().target() : outer.mount().target().resolve(rest));
      if (same || machine.exists(place)) {
        return;
      }
      if (!outer.mount().made()) {
        throw new Command.NotStartable(
            "mountPath \""
                + mount.target()
                + "\": create the directory "
                + outer.mount().source().resolve(rest)
                + " first");
      }
      made.add(new Made.Inner(outer.mount().seen(), rest, machine.isDirectory(mount.seen())));
    }

    /**
     * Adds the directories and files that {@code rest} lacks; it ends as a directory or as a file.
     */
    private void missing(List<Made> extra, Path rest, BindMount mount) {
      for (int depth = 1; depth <= rest.getNameCount(); depth++) {
        Path path = rest.subpath(0, depth);
        boolean directory = depth < rest.getNameCount() || machine.isDirectory(mount.seen());
        Made each = directory ? new Made.Directory(path, false) : new Made.File(path);
        if (!extra.contains(each)) {
          extra.add(each);
        }
      }
    }

    private void view(Path of, Path shown, List<Made> extra)
        throws IOException, Command.NotStartable {
      List<HostFileSystem.Entry> entries = entries(of);
      boolean forAll = machine.isForAll(of) && !readOnly;
      made.add(new Made.Directory(shown, forAll));
      table.add(new Line(shown, shown, forAll ? "bind" : "bind,ro"));
      for (HostFileSystem.Entry entry : entries) {
        Path place = shown.resolve(String.valueOf(entry.path().getFileName()));
        switch (entry.kind()) {
          case LINK -> made.add(new Made.Link(place, machine.link(entry.path())));
          case DIRECTORY -> made.add(new Made.Directory(place, false));
          case FILE -> made.add(new Made.File(place));
        }
        if (entry.kind() != HostFileSystem.FileType.LINK) {
          // An entry that is gone by then is skipped.
          table.add(new Line(entry.path(), place, shownOptions(entry.path()) + OPTIONAL));
        }
      }
      for (Made each : extra) {
        Path path = shown.resolve(each.path());
        made.add(each instanceof Made.File ? new Made.File(path) : new Made.Directory(path, false));
      }
    }

    private String shownOptions(Path entry) {
      return options(readOnly && !ReadOnlyRoot.isSystem(entry));
    }

    private static String options(boolean readOnly) {
      return readOnly ? "rbind,ro" : "rbind";
    }

    /**
     * Returns the entries. The one that holds the views comes first, while nothing is mounted in
     * them yet.
     */
    private List<HostFileSystem.Entry> entries(Path of) throws IOException, Command.NotStartable {
      List<HostFileSystem.Entry> entries = new ArrayList<>(machine.entries(of));
      if (entries.size() > LARGEST_VIEW) {
        throw new Command.NotStartable(
            of
                + " lacks the directory for a mountPath, and has too many entries for a view of it;"
                + " create the directory on this machine first");
      }
      entries.sort(
          Comparator.<HostFileSystem.Entry, Boolean>comparing(
                  entry -> !staging.startsWith(entry.path()))
              .thenComparing(HostFileSystem.Entry::path));
      return entries;
    }

    private static Path below(Path root, Path path) {
      return root.resolve(TOP.relativize(path));
    }
  }
}
