package dev.stint.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Layers depend only on lower ones, and none uses what it must not know. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/dev/stint/commandspec/"))
          .withImportOption(location -> !location.contains("/dev/stint/covers/"))
          .withImportOption(location -> !location.contains("/dev/stint/harness/"))
          .withImportOption(location -> !location.contains("/dev/stint/dependencies/"))
          .importPackages("dev.stint");

  /** Packages that only their own module uses: all other modules see what is built on them. */
  private static final List<String> INTERNAL =
      List.of(
          "engine.policy",
          "apiextensions.rule.cost",
          "apiextensions.rule.library",
          "apiserver.admission",
          "apiserver.catalogue",
          "apiserver.conversion",
          "apiserver.discovery",
          "apiserver.http.pod",
          "apiserver.openapi",
          "apiserver.outcome",
          "apiserver.patch",
          "apiserver.strategy",
          "apiserver.table",
          "apiserver.webhook",
          "console.stream",
          "kube.http",
          "runner.env",
          "runner.file",
          "runner.item",
          "runner.network",
          "runner.policy",
          "runner.process.command",
          "runner.process.isolation",
          "runner.process.shim",
          "runner.refusal",
          "runner.status",
          "runner.volume",
          "store.pack");

  /** A layer, with its minimum number of classes, so that no rule passes for lack of classes. */
  private enum Layer {
    MODEL(60),
    ENGINE(20, MODEL),
    CLUSTER(8, MODEL),
    RECONCILE(15, MODEL, CLUSTER),
    CONTROLLERS(10, MODEL, ENGINE, CLUSTER, RECONCILE),
    APIEXTENSIONS(30, MODEL),
    STORE(20),
    APISERVER(15, MODEL, CLUSTER, APIEXTENSIONS, STORE),
    RUNNER(25, MODEL, CLUSTER, RECONCILE),
    JOBS(10, MODEL, CLUSTER, RECONCILE, RUNNER),
    KUBE(4, MODEL, CLUSTER),
    EMBEDDED(4, MODEL, ENGINE, CLUSTER, RECONCILE, CONTROLLERS, STORE, APISERVER, RUNNER, JOBS),
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
    private final Set<Layer> below;

    Layer(int atLeast, Layer... below) {
      this.atLeast = atLeast;
      this.below = Set.of(below);
    }

    private String packages() {
      return "dev.stint." + name().toLowerCase(java.util.Locale.ROOT) + "..";
    }

    private boolean mayUse(Layer other) {
      return other == this || below.contains(other);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyLayerHasItsClasses() {
    return forEachLayer(layer ->
        assertThat(CLASSES.that(JavaClass.Predicates.resideInAPackage(layer.packages())))
            .hasSizeGreaterThanOrEqualTo(layer.atLeast));
  }

  @Test
  void everyClassIsInALayer() {
    classes().should().resideInAnyPackage(packages(Stream.of(Layer.values()))).check(CLASSES);
  }

  @TestFactory
  Stream<DynamicTest> everyLayerDependsOnLowerLayersOnly() {
    return forEachLayer(layer -> {
      Stream<Layer> others = Stream.of(Layer.values()).filter(other -> !layer.mayUse(other));
      mayNotUse(layer, packages(others));
    });
  }

  @TestFactory
  Stream<DynamicTest> internalPackagesAreUsedByTheirOwnModuleOnly() {
    return INTERNAL.stream()
        .map(name ->
            DynamicTest.dynamicTest(
                name,
                () ->
                    classes()
                        .that()
                        .resideInAPackage("dev.stint." + name)
                        .should()
                        .onlyHaveDependentClassesThat()
                        .resideInAPackage(
                            "dev.stint." + name.substring(0, name.indexOf('.')) + "..")
                        .check(CLASSES)));
  }

  @Test
  void onlyTestsUseTheHarness() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.stint.harness..", "dev.stint.covers..")
        .check(CLASSES);
  }

  @Test
  void packagesDependOnEachOtherInOneDirectionOnly() {
    slices().matching("dev.stint.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void everyPackageIsNullMarked() {
    List<String> marked =
        CLASSES.stream()
            .filter(type -> type.getSimpleName().equals("package-info"))
            .filter(type -> type.isAnnotatedWith(NullMarked.class))
            .map(JavaClass::getPackageName)
            .toList();
    assertThat(CLASSES).extracting(JavaClass::getPackageName).allMatch(marked::contains);
  }

  @Test
  void onlyTheCommandLineWritesToStandardOutput() {
    noClasses()
        .that()
        .resideOutsideOfPackage(Layer.CLI.packages())
        .should()
        .accessTargetWhere(
            describe(
                "System.out or System.err",
                (JavaAccess<?> access) ->
                    access.getTargetOwner().isEquivalentTo(System.class)
                        && Set.of("out", "err").contains(access.getName())))
        .check(CLASSES);
  }

  /**
   * The pool that all share has one thread on two cores, and a task that waits holds up all others,
   * in tests as in the product.
   */
  @Test
  void noTaskRunsInThePoolThatAllShare() {
    ArchRule rule =
        noClasses()
            .should()
            .accessTargetWhere(
                describe(
                    "an asynchronous step without an executor",
                    ArchitectureTest::usesTheCommonPool));
    rule.check(CLASSES);
    rule.check(
        new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("dev.stint"));
  }

  private static boolean usesTheCommonPool(JavaAccess<?> access) {
    return Set.of(CompletableFuture.class.getName(), CompletionStage.class.getName())
            .contains(access.getTargetOwner().getName())
        && access.getName().endsWith("Async")
        && access.getTarget() instanceof CodeUnitAccessTarget target
        && target.getRawParameterTypes().stream()
            .noneMatch(type -> type.isEquivalentTo(Executor.class));
  }

  @TestFactory
  Stream<DynamicTest> pureLayersDoNoIoAndStartNoThreads() {
    return Stream.of(Layer.MODEL, Layer.ENGINE, Layer.APIEXTENSIONS)
        .map(layer ->
            test(layer, () -> noneOf(layer, doing("I/O or threads", ArchitectureTest::acts))));
  }

  @TestFactory
  Stream<DynamicTest> pureLayersDoNotAskForTheTime() {
    return Stream.of(Layer.MODEL, Layer.ENGINE, Layer.APIEXTENSIONS)
        .map(layer -> test(layer, () -> mayNotAskForTheTime(layer)));
  }

  @Test
  void engineKnowsNoClient() {
    mayNotUse(Layer.ENGINE, "io.fabric8..", "dev.stint.cluster..");
  }

  @Test
  void controllersKnowNoHttpNoStorageAndNoProcesses() {
    mayNotUse(
        Layer.CONTROLLERS,
        "java.net.http..",
        "com.sun.net.httpserver..",
        "org.eclipse.jetty..",
        "io.fabric8..",
        "org.rocksdb..",
        "java.nio.file..");
    noneOf(Layer.CONTROLLERS, doing("processes", ArchitectureTest::isProcess));
  }

  @Test
  void storeKnowsNoKindsOfKubernetes() {
    mayNotUse(Layer.STORE, "dev.stint.model..", "tools.jackson..");
  }

  @Test
  void runnerKnowsNoJobs() {
    mayNotUse(Layer.RUNNER, "dev.stint.model.job..", "dev.stint.engine..");
  }

  private static boolean acts(JavaClass type) {
    String name = type.getPackageName();
    return isProcess(type)
        || name.startsWith("java.nio.file")
        || name.startsWith("java.nio.channels")
        || (name.startsWith("java.net") || name.equals("java.io")) && !harmless(type)
        || name.equals("java.util.concurrent") && type.getSimpleName().contains("Execut")
        || name.equals("java.util.concurrent.locks")
        || Stream.of(Thread.class, java.util.Timer.class).anyMatch(type::isEquivalentTo);
  }

  /**
   * Streams over memory, their exceptions, addresses, and the types that every record and lambda
   * uses.
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
                java.io.StringWriter.class,
                java.net.URI.class)
            .anyMatch(type::isEquivalentTo);
  }

  private static boolean isProcess(JavaClass type) {
    return Stream.of(Process.class, ProcessBuilder.class, ProcessHandle.class, Runtime.class)
        .anyMatch(type::isEquivalentTo);
  }

  private static void mayNotAskForTheTime(Layer layer) {
    noClasses()
        .that()
        .resideInAPackage(layer.packages())
        .should()
        .accessTargetWhere(
            describe(
                "the clock",
                (JavaAccess<?> access) ->
                    access.getName().equals("now")
                            && access.getTargetOwner().getPackageName().startsWith("java.time")
                        || access.getTargetOwner().isEquivalentTo(System.class)
                            && Set.of("currentTimeMillis", "nanoTime").contains(access.getName())))
        .check(CLASSES);
    noneOf(
        layer,
        doing(
            "clocks",
            type ->
                type.isEquivalentTo(java.time.Clock.class)
                    || type.isEquivalentTo(java.time.InstantSource.class)));
  }

  private static void mayNotUse(Layer layer, String... packages) {
    noClasses()
        .that()
        .resideInAPackage(layer.packages())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(packages)
        .check(CLASSES);
  }

  private static void noneOf(Layer layer, DescribedPredicate<JavaClass> forbidden) {
    noClasses()
        .that()
        .resideInAPackage(layer.packages())
        .should()
        .dependOnClassesThat(forbidden)
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> doing(
      String what, java.util.function.Predicate<JavaClass> does) {
    return describe(what, does);
  }

  private static String[] packages(Stream<Layer> layers) {
    return layers.map(Layer::packages).toArray(String[]::new);
  }

  private static Stream<DynamicTest> forEachLayer(java.util.function.Consumer<Layer> check) {
    return Arrays.stream(Layer.values()).map(layer -> test(layer, () -> check.accept(layer)));
  }

  private static DynamicTest test(Layer layer, Runnable check) {
    return DynamicTest.dynamicTest(layer.name(), check::run);
  }
}
