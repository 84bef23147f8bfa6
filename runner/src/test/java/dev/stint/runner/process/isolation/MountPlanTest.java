package dev.stint.runner.process.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.runner.process.command.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MountPlanTest {
  private static final Path STAGING = Path.of("/pods/1/views");

  /** The files by path: "d", "f", or the target of a link. */
  private final Map<Path, String> tree = new TreeMap<>();

  private final HostFileSystem machine =
      new HostFileSystem() {
        @Override
        public boolean exists(Path path) {
          return tree.containsKey(real(path));
        }

        @Override
        public boolean isDirectory(Path path) {
          return "d".equals(tree.get(real(path)));
        }

        @Override
        public Path real(Path path) {
          Path real = Path.of("/");
          for (Path name : path) {
            real = real.resolve(name);
            String found = tree.getOrDefault(real, "d");
            real = found.startsWith("/") ? Path.of(found) : real;
          }
          return real;
        }

        @Override
        public List<Entry> entries(Path directory) {
          List<Entry> entries = new ArrayList<>();
          tree.forEach((path, what) -> {
            if (directory.equals(path.getParent())) {
              FileType kind =
                  what.equals("d")
                      ? FileType.DIRECTORY
                      : what.equals("f") ? FileType.FILE : FileType.LINK;
              entries.add(new Entry(path, kind));
            }
          });
          return entries;
        }

        @Override
        public Path link(Path path) {
          return Path.of(Objects.requireNonNull(tree.get(path)));
        }

        @Override
        public boolean isForAll(Path directory) {
          return directory.equals(Path.of("/tmp"));
        }
      };

  MountPlanTest() {
    for (String path : List.of("/", "/etc", "/etc/ssl", "/tmp", "/run", "/pods", "/vol", "/vol2")) {
      tree.put(Path.of(path), "d");
    }
    tree.put(Path.of("/etc/hosts"), "f");
    tree.put(Path.of("/vol/file"), "f");
    tree.put(Path.of("/lock"), "/run");
  }

  @Test
  void anExistingDirectoryIsMountedOver() throws Exception {
    MountPlan plan = plan(false, mount("/vol", "/etc/ssl"), readOnly("/vol2", "/lock"));
    assertThat(plan.made()).isEmpty();
    assertThat(plan.root()).isNull();
    assertThat(lines(plan)).containsExactly("/vol2 /run rbind,ro", "/vol /etc/ssl rbind");
  }

  @Test
  void aPlaceThatIsMissingIsShownByAViewOfTheDirectoryAboveIt() throws Exception {
    MountPlan plan = plan(false, mount("/vol", "/etc/app/config"));
    assertThat(plan.made())
        .containsExactly(
            directory("/pods/1/views/view0"),
            new MountPlan.Made.File(Path.of("/pods/1/views/view0/hosts")),
            directory("/pods/1/views/view0/ssl"),
            directory("/pods/1/views/view0/app"),
            directory("/pods/1/views/view0/app/config"));
    assertThat(lines(plan))
        .containsExactly(
            "/pods/1/views/view0 /pods/1/views/view0 bind,ro",
            "/etc/hosts /pods/1/views/view0/hosts rbind,nofail",
            "/etc/ssl /pods/1/views/view0/ssl rbind,nofail",
            "/pods/1/views/view0 /etc rbind",
            "/vol /etc/app/config rbind");
  }

  @Test
  void aNewDirectoryInTheRootNeedsANewRoot() throws Exception {
    MountPlan plan = plan(false, mount("/vol/file", "/data/here"));
    Path root = STAGING.resolve("root");
    assertThat(plan.root()).isEqualTo(root);
    assertThat(plan.made())
        .contains(
            new MountPlan.Made.Link(root.resolve("lock"), Path.of("/run")),
            directory(root + "/data"),
            new MountPlan.Made.File(root.resolve("data/here")));
    assertThat(lines(plan))
        .startsWith(root + " " + root + " bind,ro", "/pods " + root + "/pods rbind,nofail")
        .endsWith("/vol/file " + root + "/data/here rbind");
  }

  @Test
  void viewsOfInnerDirectoriesComeFirst() throws Exception {
    MountPlan plan = plan(false, mount("/vol", "/data"), mount("/vol2", "/etc/new"));
    List<String> lines = lines(plan);
    assertThat(lines.indexOf("/pods/1/views/view0 /etc rbind"))
        .isBetween(0, lines.indexOf("/etc /pods/1/views/root/etc rbind,nofail"));
    assertThat(lines)
        .endsWith("/vol /pods/1/views/root/data rbind", "/vol2 /pods/1/views/root/etc/new rbind");
  }

  @Test
  void theViewOfADirectoryForAllIsToBeWrittenTo() throws Exception {
    MountPlan plan = plan(false, mount("/vol", "/tmp/cache"));
    assertThat(plan.made())
        .startsWith(new MountPlan.Made.Directory(STAGING.resolve("view0"), true));
    assertThat(lines(plan)).startsWith("/pods/1/views/view0 /pods/1/views/view0 bind");
    assertThat(lines(plan(true, mount("/vol", "/tmp/cache"))))
        .startsWith("/pods/1/views/view0 /pods/1/views/view0 bind,ro");
  }

  @Test
  void aPlaceInAnotherVolumeIsMadeThere() throws Exception {
    MountPlan plan = plan(false, mount("/vol2", "/lock/a/b"), mount("/vol", "/lock/a"));
    assertThat(plan.made()).contains(new MountPlan.Made.Inner(Path.of("/vol"), Path.of("b"), true));
    assertThat(lines(plan)).endsWith("/vol /run/a rbind", "/vol2 /run/a/b rbind");
  }

  @Test
  void aPlaceInAPathOfTheMachineIsNotMade() {
    BindMount host = new BindMount(Path.of("/vol"), Path.of("/etc/ssl"), false, false);
    assertThatThrownBy(() -> plan(false, host, mount("/vol2", "/etc/ssl/new")))
        .isInstanceOf(Command.NotStartable.class)
        .hasMessage("mountPath \"/etc/ssl/new\": create the directory /vol/new first");
  }

  @Test
  void anImpossibleMountPathIsReported() {
    assertThatThrownBy(() -> plan(false, mount("/vol", "/")))
        .hasMessageContaining("the root directory cannot be replaced");
    assertThatThrownBy(() -> plan(false, mount("/vol", "/etc/hosts/in")))
        .hasMessage("mountPath \"/etc/hosts/in\": /etc/hosts is a file");
    for (int i = 0; i <= MountPlan.LARGEST_VIEW; i++) {
      tree.put(Path.of("/run/" + i), "f");
    }
    assertThatThrownBy(() -> plan(false, mount("/vol", "/run/new")))
        .hasMessageContaining("create the directory on this machine first");
  }

  @Test
  void aMountOverTheVolumesDirectoryNeedsANewRoot() throws Exception {
    assertThat(plan(false, mount("/vol", "/pods")).root()).isEqualTo(STAGING.resolve("root"));
  }

  @Test
  void visibleMountsCanBeReadOnlyExceptTheSystems() throws Exception {
    tree.put(Path.of("/dev"), "d");
    assertThat(lines(plan(true, mount("/vol", "/data"))))
        .contains(
            "/etc /pods/1/views/root/etc rbind,ro,nofail",
            "/dev /pods/1/views/root/dev rbind,nofail")
        .endsWith("/vol /pods/1/views/root/data rbind");
  }

  @Test
  void mountsOfTheMachineBecomeReadOnlyButForTheSystemsAndTheContainers() {
    List<String> info =
        List.of(
            "22 27 0:21 / /proc rw,relatime - proc proc rw",
            "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
            "28 27 0:3 / /mnt/my\\040disk rw,nosuid,nodev,relatime - ext4 /dev/vdb rw",
            "29 27 0:4 / /data/inner rw - tmpfs none rw");
    List<BindMount> mounts = List.of(mount("/vol", "/data"));
    assertThat(ReadOnlyRoot.lines(info, mounts, null))
        .containsExactly("remount,bind,ro /", "remount,bind,ro,nosuid,nodev /mnt/my disk");
    assertThat(ReadOnlyRoot.lines(info, mounts, Path.of("/r")))
        .containsExactly("remount,bind,ro,nosuid,nodev /r/mnt/my disk");
  }

  @Test
  void pathsAreWrittenAsTheTableHasThem() {
    MountPlan.Line line = new MountPlan.Line(Path.of("/a b"), Path.of("/c\\d\te"), "rbind");
    assertThat(line.text()).isEqualTo("/a\\040b /c\\134d\\011e none rbind 0 0");
  }

  private MountPlan plan(boolean readOnly, BindMount... mounts) throws Exception {
    return MountPlan.of(List.of(mounts), readOnly, STAGING, machine);
  }

  private static BindMount mount(String source, String target) {
    return new BindMount(Path.of(source), Path.of(target), false, true);
  }

  private static BindMount readOnly(String source, String target) {
    return new BindMount(Path.of(source), Path.of(target), true, true);
  }

  private static MountPlan.Made directory(String path) {
    return new MountPlan.Made.Directory(Path.of(path), false);
  }

  private static List<String> lines(MountPlan plan) {
    return plan.table().stream()
        .map(line -> line.source() + " " + line.target() + " " + line.options())
        .toList();
  }
}
