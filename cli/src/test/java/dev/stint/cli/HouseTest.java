package dev.stint.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The house stands: floors depend downwards only, and none knows what it may not know. */
class HouseTest {
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/dev/stint/covers/"))
          .importPackages("dev.stint");

  /** A floor: how many classes it has at least, so that no rule holds for want of any. */
  private enum Floor {
    MODEL(60),
    ENGINE(20, MODEL),
    CLUSTER(8, MODEL),
    RECONCILE(15, MODEL, CLUSTER),
    CONTROLLERS(10, MODEL, ENGINE, CLUSTER, RECONCILE),
    STORE(20),
    APISERVER(15, MODEL, CLUSTER, STORE),
    RUNNER(25, MODEL, CLUSTER, RECONCILE),
    JOBS(10, MODEL, CLUSTER, RECONCILE, RUNNER),
    KUBE(4, MODEL, CLUSTER),
    EMBEDDED(4, MODEL, ENGINE, CLUSTER, RECONCILE, CONTROLLERS, STORE, APISERVER, RUNNER),
    CONSOLE(10, MODEL, CLUSTER, APISERVER, RUNNER, JOBS),
    CLI(
        25,
        MODEL,
        ENGINE,
        CLUSTER,
        RECONCILE,
        CONTROLLERS,
        STORE,
        APISERVER,
        RUNNER,
        KUBE,
        EMBEDDED,
        JOBS,
        CONSOLE);

    private final int atLeast;

    @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed.
    private final Set<Floor> below;

    Floor(int atLeast, Floor... below) {
      this.atLeast = atLeast;
      this.below = Set.of(below);
    }

    private String packages() {
      return "dev.stint." + name().toLowerCase(java.util.Locale.ROOT) + "..";
    }

    private boolean mayUse(Floor other) {
      return other == this || below.contains(other);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyFloorHasItsClasses() {
    return forEachFloor(floor ->
        assertThat(HOUSE.that(JavaClass.Predicates.resideInAPackage(floor.packages())))
            .hasSizeGreaterThanOrEqualTo(floor.atLeast));
  }

  @Test
  void everyClassIsOnAFloor() {
    classes().should().resideInAnyPackage(packages(Stream.of(Floor.values()))).check(HOUSE);
  }

  @TestFactory
  Stream<DynamicTest> everyFloorDependsOnLowerFloorsOnly() {
    return forEachFloor(floor -> {
      Stream<Floor> others = Stream.of(Floor.values()).filter(other -> !floor.mayUse(other));
      mayNotUse(floor, packages(others));
    });
  }

  @Test
  void packagesDependOnEachOtherInOneDirectionOnly() {
    slices().matching("dev.stint.(**)").should().beFreeOfCycles().check(HOUSE);
  }

  @Test
  void everyPackageSaysWhatMayBeNull() {
    List<String> marked =
        HOUSE.stream()
            .filter(type -> type.getSimpleName().equals("package-info"))
            .filter(type -> type.isAnnotatedWith(NullMarked.class))
            .map(JavaClass::getPackageName)
            .toList();
    assertThat(HOUSE).extracting(JavaClass::getPackageName).allMatch(marked::contains);
  }

  @Test
  void onlyTheCommandLineWritesToStandardOutput() {
    noClasses()
        .that()
        .resideOutsideOfPackage(Floor.CLI.packages())
        .should()
        .accessTargetWhere(
            describe(
                "System.out or System.err",
                (JavaAccess<?> access) ->
                    access.getTargetOwner().isEquivalentTo(System.class)
                        && Set.of("out", "err").contains(access.getName())))
        .check(HOUSE);
  }

  @TestFactory
  Stream<DynamicTest> modelAndEngineDoNoIoAndStartNoThreads() {
    return Stream.of(Floor.MODEL, Floor.ENGINE)
        .map(floor -> test(floor, () -> noneOf(floor, doing("I/O or threads", HouseTest::acts))));
  }

  @TestFactory
  Stream<DynamicTest> modelAndEngineDoNotAskForTheTime() {
    return Stream.of(Floor.MODEL, Floor.ENGINE)
        .map(floor -> test(floor, () -> mayNotAskForTheTime(floor)));
  }

  @Test
  void engineKnowsNoClient() {
    mayNotUse(Floor.ENGINE, "io.fabric8..", "dev.stint.cluster..");
  }

  @Test
  void controllersKnowNoHttpNoStorageAndNoProcesses() {
    mayNotUse(
        Floor.CONTROLLERS,
        "java.net.http..",
        "com.sun.net.httpserver..",
        "org.eclipse.jetty..",
        "io.fabric8..",
        "org.rocksdb..",
        "java.nio.file..");
    noneOf(Floor.CONTROLLERS, doing("processes", HouseTest::isProcess));
  }

  @Test
  void storeKnowsNoKindsOfKubernetes() {
    mayNotUse(Floor.STORE, "dev.stint.model..", "tools.jackson..");
  }

  @Test
  void runnerKnowsNoJobs() {
    mayNotUse(Floor.RUNNER, "dev.stint.model.job..", "dev.stint.engine..");
  }

  private static boolean acts(JavaClass type) {
    String name = type.getPackageName();
    return isProcess(type)
        || name.startsWith("java.nio.file")
        || name.startsWith("java.nio.channels")
        || name.startsWith("java.net")
        || name.equals("java.io") && !harmless(type)
        || name.equals("java.util.concurrent") && type.getSimpleName().contains("Execut")
        || name.equals("java.util.concurrent.locks")
        || Stream.of(Thread.class, java.util.Timer.class).anyMatch(type::isEquivalentTo);
  }

  /**
   * Streams over memory, the errors that go with them, and what every record and lambda mentions.
   */
  private static boolean harmless(JavaClass type) {
    return type.getSimpleName().endsWith("Exception")
        || Stream.of(
                java.io.Serializable.class,
                java.io.InputStream.class,
                java.io.ByteArrayInputStream.class,
                java.io.ByteArrayOutputStream.class,
                java.io.OutputStream.class,
                java.io.Reader.class,
                java.io.BufferedReader.class,
                java.io.InputStreamReader.class,
                java.io.StringReader.class,
                java.io.StringWriter.class)
            .anyMatch(type::isEquivalentTo);
  }

  private static boolean isProcess(JavaClass type) {
    return Stream.of(Process.class, ProcessBuilder.class, ProcessHandle.class, Runtime.class)
        .anyMatch(type::isEquivalentTo);
  }

  private static void mayNotAskForTheTime(Floor floor) {
    noClasses()
        .that()
        .resideInAPackage(floor.packages())
        .should()
        .accessTargetWhere(
            describe(
                "the clock",
                (JavaAccess<?> access) ->
                    access.getName().equals("now")
                            && access.getTargetOwner().getPackageName().startsWith("java.time")
                        || access.getTargetOwner().isEquivalentTo(System.class)
                            && Set.of("currentTimeMillis", "nanoTime").contains(access.getName())))
        .check(HOUSE);
    noneOf(
        floor,
        doing(
            "clocks",
            type ->
                type.isEquivalentTo(java.time.Clock.class)
                    || type.isEquivalentTo(java.time.InstantSource.class)));
  }

  private static void mayNotUse(Floor floor, String... packages) {
    noClasses()
        .that()
        .resideInAPackage(floor.packages())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .check(HOUSE);
  }

  private static void noneOf(Floor floor, DescribedPredicate<JavaClass> forbidden) {
    noClasses()
        .that()
        .resideInAPackage(floor.packages())
        .should()
        .dependOnClassesThat(forbidden)
        .check(HOUSE);
  }

  private static DescribedPredicate<JavaClass> doing(
      String what, java.util.function.Predicate<JavaClass> does) {
    return describe(what, does);
  }

  private static String[] packages(Stream<Floor> floors) {
    return floors.map(Floor::packages).toArray(String[]::new);
  }

  private static Stream<DynamicTest> forEachFloor(java.util.function.Consumer<Floor> check) {
    return Arrays.stream(Floor.values()).map(floor -> test(floor, () -> check.accept(floor)));
  }

  private static DynamicTest test(Floor floor, Runnable check) {
    return DynamicTest.dynamicTest(floor.name(), check::run);
  }
}
