package dev.stint.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.apiserver.access.pki.Pki;
import dev.stint.cli.Chromium.Told;
import dev.stint.cluster.Cluster;
import dev.stint.embedded.ThreadTimers;
import dev.stint.harness.JobBuilder;
import dev.stint.jobs.ApiCalls;
import dev.stint.jobs.JobChanges;
import dev.stint.kube.KubeCluster;
import dev.stint.model.Json;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import dev.stint.model.ObjectRef;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The console of a real {@code up} with real Jobs, in a real browser. Screenshots are kept in
 * {@code target/console}. The steps follow each other as those of a user.
 *
 * <p>It is slow because a browser and a cluster are started, and each step waits for the page to
 * show it.
 */
@TestMethodOrder(OrderAnnotation.class)
@ResourceLock("network of this machine")
class ConsoleInBrowserTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Path PICTURES = Path.of("target", "console");
  private static final Set<String> CONTROLS =
      Set.of(
          "button", "link", "textbox", "searchbox", "slider", "checkbox", "radio", "log", "dialog");
  private static final Pattern LINK = Pattern.compile("(https://\\S+?)(/console/#\\S+)");

  private static final String NIGHTLY =
      """
      {"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"nightly","namespace":"default"},
       "spec":{"suspend":true,"schedule":"0 3 * * *","jobTemplate":{"spec":{"template":{"spec":{
         "restartPolicy":"Never","containers":[{"name":"main","image":"x","command":["true"]}]}}}}}}
      """;

  @TempDir private static Path directory = Path.of("");
  private static @Nullable StintProcess up;
  private static @Nullable Chromium browser;

  @BeforeAll
  static void begin() throws Exception {
    Optional<Path> program = Chromium.installed();
    assumeTrue(
        program.isPresent(),
        "NOT TESTED: the console in a browser, as there is no chromium (apt-get install chromium)");
    StintProcess started =
        StintProcess.start(
            directory, "up", "--data", directory + "/data", "--listen", "127.0.0.1:0");
    up = started;
    await().atMost(TIMEOUT).until(() -> started.out().contains("Console: ") || !started.alive());
    assertThat(started.alive()).as(started.err()).isTrue();
    Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
    Path profile = Files.createTempDirectory(target, "chromium");
    browser = new Chromium(program.orElseThrow(), profile);
    browser.look(1280, 900, false);
  }

  @AfterAll
  static void end() throws InterruptedException {
    if (browser != null) {
      browser.close();
    }
    if (up != null) {
      up.terminate();
      up.exitStatus();
    }
  }

  private static Chromium page() {
    return java.util.Objects.requireNonNull(browser);
  }

  /** Returns what {@code stint console} prints. */
  private static String madeLink() {
    Recorded made = Recorded.plain();
    assertThat(made.run("console", "--data", directory + "/data")).isZero();
    return made.out().getFirst();
  }

  private static Matcher link() {
    Matcher link = LINK.matcher(madeLink());
    assertThat(link.find()).isTrue();
    return link;
  }

  private static String url(String path) {
    return link().group(1) + path;
  }

  private static void create(String name, int completions, int parallelism, String script) {
    with(cluster -> create(cluster, name, completions, parallelism, script));
  }

  private static void with(Consumer<Cluster> task) {
    ThreadTimers timers = new ThreadTimers();
    try (timers;
        KubeCluster cluster = KubeCluster.of(directory.resolve("data/kubeconfig"), null, timers)) {
      task.accept(cluster);
    }
  }

  private static void create(
      Cluster cluster, String name, int completions, int parallelism, String script) {
    ApiCalls.await(
        cluster.create(
            JobBuilder.indexed(name)
                .completions(completions)
                .parallelism(parallelism)
                .spec("'backoffLimitPerIndex':0")
                .podSpec("'terminationGracePeriodSeconds':1")
                .command("sh", "-c", script)
                .build()));
  }

  @Test
  @Order(10)
  void thePageExplainsTheSignInAndTheLinkSignsIn() throws Exception {
    Matcher link = link();
    page().open(url("/console/"));
    page().await("document.querySelector('h1')?.textContent === 'Sign in'");
    page().open(link.group(1) + link.group(2).replace("/console/", "/console/?again"));
    page().await("document.querySelector('h1')?.textContent === 'Jobs'");
    assertThat(page().run("location.hash + document.cookie")).isEmpty();
  }

  /**
   * Timers are called by the script alone: the list of attempts of a busy Job is read like this.
   */
  @Test
  @Order(11)
  void whatIsAskedForAllTheTimeIsDoneNowAndThenAndNeverTwiceAtATime() throws Exception {
    String script =
        """
        import('/console/assets/seldom.js').then(async ({ seldom }) => {
          const real = [window.setTimeout, window.clearTimeout];
          let timers = [];
          window.setTimeout = (call, wait) => timers.push({ at: now + wait, call });
          window.clearTimeout = (id) => delete timers[id - 1];
          let now = 0;
          let begun = 0;
          let going = 0;
          let most = 0;
          const ask = seldom(async () => {
            begun++;
            most = Math.max(most, ++going);
            await new Promise((done) => setTimeout(done, 600));
            going--;
          }, 250);
          async function until(end, asking) {
            for (; now < end; now += 50) {
              if (asking && now % 200 === 0) {
                ask();
              }
              timers.forEach((timer, i) => {
                if (timer.at <= now) {
                  delete timers[i];
                  timer.call();
                }
              });
              for (let i = 0; i < 10; i++) {
                await null;
              }
            }
          }
          await until(5000, true);
          const busy = begun;
          await until(10000, false);
          const quiet = begun;
          ask();
          ask.cancel();
          await until(15000, false);
          [window.setTimeout, window.clearTimeout] = real;
          return [busy, most, quiet - busy, begun - quiet].join();
        })\
        """;
    assertThat(page().run(script)).isEqualTo("6,1,1,0");
  }

  @Test
  @Order(20)
  void theListShowsNewAndChangedJobs() throws Exception {
    page().await("document.body.innerText.includes('No Jobs yet')");
    create(
        "frames",
        120,
        4,
        "echo frame $JOB_COMPLETION_INDEX; test $((JOB_COMPLETION_INDEX % 29)) != 7 || { echo no texture >&2; exit 42; }");
    page().await("document.querySelector('.c-name a')?.textContent === 'frames'");
    page().await("document.querySelector('.c-state')?.innerText.includes('Failed')");
    assertThat(page().run("document.querySelector('.c-progress .bar').getAttribute('aria-label')"))
        .isEqualTo("116 of 120 succeeded, 4 indexes failed, 0 active");
  }

  @Test
  @Order(30)
  void theMapShowsFailedIndexesAndAClickOpensTheirLogs() throws Exception {
    page().click(".c-name a");
    page().await("document.querySelector('#map')?.getAttribute('aria-valuemax') === '119'");
    assertThat(page().run("location.pathname")).isEqualTo("/console/jobs/default/frames");
    assertThat(page().run("document.querySelector('.legend').innerText.replace(/\\s+/g, ' ')"))
        .contains("Succeeded 116", "Failed 4");
    assertThat(page().run("document.querySelector('.why').innerText"))
        .contains("Indexes 7,36,65,94 failed for good");
    page()
        .clickAt(
            """
            (map => {
              const at = map.getBoundingClientRect();
              const pitch = Number(map.dataset.pitch);
              const columns = Number(map.dataset.columns);
              return [at.x + (36 % columns + 0.5) * pitch, at.y + (Math.floor(36 / columns) + 0.5) * pitch];
            })(document.querySelector('#map'))\
            """);
    page().await("document.querySelector('.attempts-panel h2').textContent === 'Index 36'");
    page().await("document.querySelector('.log').innerText.includes('no texture')");
    assertThat(page().run("document.querySelector('.attempts tbody tr').innerText")).contains("42");
    assertThat(page().run("location.search")).isEqualTo("?index=36");
    page().await("document.querySelector('.failures')?.innerText.includes('no texture')");
    page().picture(PICTURES.resolve("job-light.png"), false);
  }

  @Test
  @Order(31)
  void aLogIsSearchedAndDownloaded() throws Exception {
    String search = "(s => { s.value = '%s'; s.dispatchEvent(new Event('input')); })";
    page().run(search.formatted("TEXTURE") + "(document.querySelector('.find'))");
    page().await("document.querySelector('.log mark')?.textContent === 'texture'");
    assertThat(page().run("document.querySelector('.log').innerText.trim()"))
        .isEqualTo("no texture");
    page().run(search.formatted("") + "(document.querySelector('.find'))");
    page().await("document.querySelector('.log').innerText.includes('frame 36')");
    assertThat(
            page()
                .run(
                    "fetch(document.querySelector('.download').href).then(async r => r.headers.get('content-disposition') + await r.text())"))
        .startsWith("attachment; filename=\"frames-36-")
        .contains("frame 36")
        .contains("no texture");
  }

  @Test
  @Order(33)
  void aJobIsSimulatedWithItsOwnAttempts() throws Exception {
    page().run("document.querySelector('.simulation summary').click()");
    page().await("document.querySelector('.simulation img')?.naturalWidth > 0");
    assertThat(page().run("document.querySelector('.simulation').innerText"))
        .contains("Chance to complete", "Median", "p99", "Like default/frames: 120 attempts")
        .contains("stint simulate FILE --like frames --namespace default --data ")
        .contains("--runs 41");
    assertThat(page().run("document.querySelector('.simulation img').alt"))
        .startsWith("Distribution of the wall times of 41 simulated runs: median ");
    page().run("document.querySelector('.simulation').scrollIntoView()");
    page().picture(PICTURES.resolve("simulation-light.png"), false);
    page().run("document.querySelector('.simulation summary').click()");
    page().run("window.scrollTo(0, 0)");
  }

  @Test
  @Order(32)
  void whatIsBeingReadIsNotCalledEmpty() throws Exception {
    String words =
        """
        import('/console/assets/chart.js').then(({ throughputChart }) => new Promise((done) => {
          const chart = throughputChart();
          document.body.append(chart.element);
          chart.show({ conditions: [], createdAt: '2026-01-01T00:00:00Z' });
          requestAnimationFrame(() => requestAnimationFrame(() => {
            const before = chart.element.innerText;
            chart.take({ all: true, width: 1, spans: [] });
            requestAnimationFrame(() => requestAnimationFrame(() => {
              done(before + ' ' + chart.element.innerText);
              chart.element.remove();
            }));
          }));
        }))\
        """;
    assertThat(page().run(words)).contains("Reading…").contains("No pod has finished yet.");
  }

  @Test
  @Order(40)
  void theMapIsNavigatedByKeysAndDescribesEachIndex() throws Exception {
    page().run("document.querySelector('#map').focus()");
    page().press("Home");
    page().press("f");
    page()
        .await(
            "document.querySelector('#map').getAttribute('aria-valuetext') === 'Index 7: failed, attempt 1'");
    page().press("ArrowRight");
    page()
        .await(
            "document.querySelector('#map').getAttribute('aria-valuetext') === 'Index 8: succeeded, attempt 1'");
    page().press("Enter");
    page().await("document.querySelector('.attempts-panel h2').textContent === 'Index 8'");
    page().await("document.querySelector('.log').innerText.includes('frame 8')");
  }

  /** Checks that every control has a name; returns all accessible nodes. */
  private static List<Told> told() throws Exception {
    List<Told> told = page().told();
    assertThat(told)
        .filteredOn(each -> CONTROLS.contains(each.role()))
        .isNotEmpty()
        .allSatisfy(each -> assertThat(each.name()).as(each.role()).isNotEmpty());
    return told;
  }

  private static void noHeadingIsLeftOut(List<Told> told) {
    int level = 0;
    for (Told heading : told) {
      if (heading.role().equals("heading")) {
        assertThat(heading.level()).as(heading.name()).isBetween(1, level + 1);
        level = heading.level();
      }
    }
  }

  private static List<String> names(List<Told> told, String role) {
    return told.stream().filter(each -> each.role().equals(role)).map(Told::name).toList();
  }

  /** Returns the elements that Tab reaches from the start of the page, each with a focus ring. */
  private static List<String> walk(int steps) throws Exception {
    List<String> walked = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      page().press("Tab");
      assertThat(
              page()
                  .run(
                      "(s => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0)(getComputedStyle(document.activeElement))"))
          .as("the ring around " + page().run("document.activeElement.outerHTML.slice(0, 80)"))
          .isEqualTo("true");
      walked.add(
          page()
              .run(
                  "(e => e.id === 'map' ? 'the map' : e.getAttribute('aria-label') ?? e.textContent.replace(/ [\\d,]*$/, ''))(document.activeElement)"));
    }
    return walked;
  }

  @Test
  @Order(50)
  void thePagesWorkWithAScreenReaderAndTheTabKey() throws Exception {
    List<Told> job = told();
    noHeadingIsLeftOut(job);
    assertThat(names(job, "columnheader")).startsWith("Attempt", "Result", "Exit", "Started");
    assertThat(names(job, "heading")).startsWith("frames", "Indexes", "Index 8");
    assertThat(job).filteredOn(each -> each.live().equals("polite")).hasSizeGreaterThan(3);
    page().open(url("/console/jobs/default/frames"));
    page().await("document.querySelector('#map')?.getAttribute('aria-valuemax') === '119'");
    assertThat(walk(9))
        .containsExactly(
            "Skip to content",
            "Stint",
            "Sign out",
            "Jobs",
            "Rerun…",
            "Delete…",
            "Succeeded",
            "Failed",
            "the map");
    page().open(url("/console/"));
    page().await("document.querySelector('.c-name a')?.textContent === 'frames'");
    assertThat(walk(5))
        .startsWith("Skip to content", "Stint", "Sign out")
        .endsWith("Find a Job by its name or namespace", "All");
    page().await("document.querySelector('.list [role=status]').textContent.startsWith('1 Job l')");
    List<Told> list = told();
    assertThat(names(list, "table")).containsExactly("Jobs, newest first");
    assertThat(names(list, "columnheader"))
        .containsExactly(
            "Name", "State", "Progress", "Failed pods", "Rate", "Time left", "Took", "Age");
    assertThat(names(list, "rowheader")).containsExactly("frames");
    page().click(".c-name a");
    page().await("document.querySelector('.actions button')");
  }

  /** Presses the button by the keyboard, again if an update of the page has just replaced it. */
  private static void pressRerun() throws Exception {
    do {
      page()
          .run(
              "[...document.querySelectorAll('.actions button')].find(b => b.textContent === 'Rerun…').focus()");
      page().press("Enter");
    } while (page().run("document.querySelector('dialog[open]') ? 'open' : ''").isEmpty());
  }

  @Test
  @Order(60)
  void failedIndexesRunAgainAfterAConfirmation() throws Exception {
    pressRerun();
    page()
        .await(
            "document.querySelector('dialog[open] h2')?.textContent === 'Rerun indexes of frames?'");
    assertThat(page().run("document.querySelector('dialog').innerText")).contains("7,36,65,94");
    assertThat(names(told(), "dialog")).containsExactly("Rerun indexes of frames?");
    page().press("Escape");
    page().await("!document.querySelector('dialog')");
    page().press("Enter");
    page().click("dialog button[type=submit]");
    page().await("document.querySelector('h1')?.textContent === 'frames-rerun-1'");
    page().await("document.querySelector('.from')?.innerText.includes('A rerun of frames')");
  }

  @Test
  @Order(70)
  void aLogIsFollowedAndTheJobIsSuspendedAfterAConfirmation() throws Exception {
    create(
        "walk",
        3,
        3,
        "echo begin; while ! test -e " + directory + "/go; do sleep 0.1; done; echo end");
    page().open(url("/console/jobs/default/walk?index=1"));
    page().await("document.querySelector('.log')?.innerText.includes('begin')");
    assertThat(page().run("document.querySelector('.log-head').innerText")).contains("Live");
    page()
        .run(
            "[...document.querySelectorAll('.actions button')].find(b => b.textContent === 'Suspend…').click()");
    page()
        .await(
            "document.querySelector('dialog[open]')?.innerText.includes('Its 3 pods will be stopped')");
    page().picture(PICTURES.resolve("question.png"), false);
    page().click("dialog button[type=submit]");
    page().await("document.querySelector('.pill').innerText.includes('Suspended')");
    page()
        .await(
            "[...document.querySelectorAll('.actions button')].some(b => b.textContent === 'Resume…' && !b.hidden)");
    assertThat(page().run("document.querySelector('.why').innerText")).contains("It is suspended");
  }

  @Test
  @Order(80)
  void aJobThatIsDeletedAndRecreatedStaysUsable() throws Exception {
    with(cluster -> {
      KubeObject walk = ApiCalls.await(cluster.get(new ObjectRef(Kind.JOB, "default", "walk")));
      JobChanges.delete(cluster, walk);
    });
    page().await("document.querySelector('.job.deleted')?.innerText.includes('was deleted')");
    assertThat(told()).extracting(Told::name).doesNotContain("Resume…", "Cancel…");
    create("walk", 2, 1, "exit 1");
    page().await("!document.querySelector('.job.deleted')");
    page().await("document.querySelector('.pill').innerText.includes('Failed')");
    page()
        .await(
            "[...document.querySelectorAll('.actions button')].some(b => b.textContent === 'Rerun…' && b.offsetParent)");
  }

  @Test
  @Order(81)
  void aJobIsDeletedAfterAConfirmation() throws Exception {
    create("doomed", 1, 1, "exit 0");
    page().open(url("/console/jobs/default/doomed"));
    page().await("document.querySelector('.pill')?.innerText.includes('Complete')");
    page()
        .run(
            "[...document.querySelectorAll('.actions button')].find(b => b.textContent === 'Delete…').click()");
    page().await("document.querySelector('dialog[open] h2')?.textContent === 'Delete doomed?'");
    page().click("dialog button[type=submit]");
    page().await("document.querySelector('.job.deleted')?.innerText.includes('was deleted')");
  }

  @Test
  @Order(82)
  void cronJobsAndSuccessPoliciesAreShownInTheList() throws Exception {
    with(cluster -> {
      ApiCalls.await(cluster.create(KubeObject.of(Json.parse(NIGHTLY))));
      ApiCalls.await(
          cluster.create(
              JobBuilder.indexed("early")
                  .completions(3)
                  .parallelism(1)
                  .spec("'successPolicy':{'rules':[{'succeededCount':1}]}")
                  .command("true")
                  .build()));
    });
    page().open(url("/console/"));
    page().await("document.querySelector('.crons tbody')?.innerText.includes('0 3 * * *')");
    String row =
        "[...document.querySelectorAll('.jobs tr')].find(r => r.innerText.includes('early'))";
    page().await("(" + row + ")?.querySelector('.c-state').innerText.includes('Complete')");
    page().await("(" + row + ").querySelector('.bar .done').style.width === '100%'");
    with(cluster -> {
      KubeObject early = ApiCalls.await(cluster.get(new ObjectRef(Kind.JOB, "default", "early")));
      JobChanges.delete(cluster, early);
    });
    page().await("!(" + row + ")");
  }

  @Test
  @Order(90)
  void nothingIsCutOffInDarkModeOnAPhone() throws Exception {
    page().look(390, 844, true);
    for (String path : new String[] {"", "jobs/default/frames?index=7"}) {
      page().open(url("/console/" + path));
      page()
          .await(
              "document.querySelector('#map, .c-name a') && document.querySelector('#link').textContent === 'Live'");
      page().await("document.querySelector('.log, .c-state')?.innerText.length > 3");
      assertThat(page().run("document.documentElement.scrollWidth")).as(path).isEqualTo("390");
      assertThat(page().run("getComputedStyle(document.body).backgroundColor"))
          .isEqualTo("rgb(14, 17, 21)");
      assertThat(names(told(), "table")).as(path).hasSize(path.isEmpty() ? 2 : 1);
      page().picture(PICTURES.resolve(path.isEmpty() ? "list-phone.png" : "job-phone.png"), true);
    }
    page().look(1280, 900, true);
    page().open(url("/console/"));
    page().await("document.querySelectorAll('.c-name a').length === 3");
    page().picture(PICTURES.resolve("list-dark.png"), false);
  }

  private static final String REPORTS =
      """
      {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
       "metadata":{"name":"reports.example.com"},
       "spec":{"group":"example.com","scope":"Namespaced",
         "names":{"plural":"reports","kind":"Report"},
         "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
           {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
      """;

  private static void post(String path, String object) throws Exception {
    Pki keys = Pki.open(directory.resolve("data/pki"), InstantSource.system(), List.of());
    try (HttpClient client = HttpClient.newBuilder().sslContext(keys.adminContext()).build()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url(path)))
              .header("Authorization", "Bearer " + keys.adminToken())
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(object))
              .build();
      assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(201);
    }
  }

  @Test
  @Order(95)
  void customResourcesAreShownAsDocuments() throws Exception {
    post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", REPORTS);
    post(
        "/apis/example.com/v1/namespaces/default/reports",
        """
        {"apiVersion":"example.com/v1","kind":"Report","metadata":{"name":"weekly"},
         "spec":{"title":"<b>bold</b>"}}
        """);
    page().open(url("/console/"));
    page().await("document.querySelector('.kinds a')?.textContent === 'Report'");
    page().click(".kinds a");
    page().await("document.querySelector('.c-name a')?.textContent === 'weekly'");
    assertThat(page().run("location.pathname")).isEqualTo("/console/kinds/reports.example.com");
    page().click(".c-name a");
    page().await("document.querySelector('.document')?.textContent.includes('<b>bold</b>')");
    assertThat(page().run("location.pathname"))
        .isEqualTo("/console/kinds/reports.example.com/default/weekly");
    page().picture(PICTURES.resolve("object-dark.png"), false);
  }

  @Test
  @Order(100)
  void thePagesCausedNoErrors() {
    assertThat(page().faults())
        .filteredOn(fault -> !fault.contains("status of 401")) // before signing in
        // Somebody on the machine made a network interface, as tests of containers do.
        .filteredOn(fault -> !fault.contains("ERR_NETWORK_CHANGED"))
        .isEmpty();
  }
}
