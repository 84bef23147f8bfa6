package dev.stint.apiserver.http.router;

import dev.stint.apiserver.access.HealthPath;
import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.flowcontrol.Classifier;
import dev.stint.apiserver.flowcontrol.FlowControlMetrics;
import dev.stint.apiserver.flowcontrol.FlowControlSource;
import dev.stint.apiserver.flowcontrol.FlowSchema;
import dev.stint.apiserver.flowcontrol.PriorityLevel;
import dev.stint.apiserver.flowcontrol.StreamLimits;
import dev.stint.apiserver.flowcontrol.WorkEstimate;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.ApiResponse.Header;
import dev.stint.apiserver.http.Call;
import dev.stint.apiserver.http.Route;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API Priority and Fairness, between authentication and authorization: a request is carried out
 * when its priority level has seats for it. Health checks, and requests of exempt levels, never
 * wait. Requests have no seat while their bodies come and while their answers are sent.
 * Long-running ones have a seat while they begin, and are limited by user ({@link StreamLimits}).
 */
public final class FlowController implements FairSharing {
  private static final Logger LOG = LoggerFactory.getLogger(FlowController.class);

  private final FlowControlSource source;
  private final WorkEstimate.ObjectCount objects;
  private final StreamLimits streams;
  private final Seats seats;
  private final FlowControlMetrics metrics;
  private volatile Configuration configuration;

  /**
   * The current configuration.
   *
   * @param flows by the names of their schemas
   */
  private record Configuration(long revision, Classifier classifier, Map<String, Flows> flows) {}

  /**
   * The flows of one schema.
   *
   * @param headers of the answers
   */
  record Flows(
      FlowSchema schema,
      PriorityLevel level,
      FlowControlMetrics.Series metrics,
      List<Header> headers) {}

  /**
   * @param objects counts the objects of collections
   */
  public FlowController(
      FlowControlSource source,
      WorkEstimate.ObjectCount objects,
      Seats seats,
      StreamLimits streams,
      FlowControlMetrics metrics) {
    this.source = source;
    this.objects = objects;
    this.seats = seats;
    this.streams = streams;
    this.metrics = metrics;
    this.configuration = configured(-1, new Classifier(new Nothing()));
  }

  /** No stored objects: the mandatory ones are built in. */
  private static final class Nothing implements FlowControlSource {
    @Override
    public long revision() {
      return -1;
    }

    @Override
    public List<KubeObject> list(Kind kind) {
      return List.of();
    }
  }

  @Override
  public ApiResponse answer(Call call, RequestAttributes attributes, Work work) throws IOException {
    if (isHealth(attributes)) {
      return work.answer(call);
    }
    Flows flows = flowsOf(attributes);
    Seats.Turn turn = seats.turn(flows, attributes, width(call, attributes, flows), call);
    try {
      return limited(call, attributes, turn, work).with(flows.headers());
    } catch (ClusterException refusal) {
      return ApiResponse.refused(refusal).with(flows.headers());
    } finally {
      turn.end();
    }
  }

  private ApiResponse limited(Call call, RequestAttributes attributes, Seats.Turn turn, Work work)
      throws IOException {
    if (!call.route().isLongRunning()) {
      return TurnTaking.inTurn(carriedOut(call, turn, work), turn);
    }
    Runnable end = streams.open(attributes.user(), sortOf(attributes, call.route()));
    boolean lasts = false;
    try {
      ApiResponse reply = carriedOut(call, turn, work);
      lasts = !(reply instanceof ApiResponse.Whole);
      call.body().onEnd(end);
      return reply;
    } finally {
      if (!lasts) {
        end.run();
      }
    }
  }

  private static ApiResponse carriedOut(Call call, Seats.Turn turn, Work work) throws IOException {
    turn.take();
    return work.answer(call.with(TurnTaking.outOfTurn(call.body(), turn)));
  }

  private static StreamLimits.Sort sortOf(RequestAttributes attributes, Route route) {
    if (attributes.verb().equals("watch")) {
      return StreamLimits.Sort.WATCH;
    }
    return route.entersContainer() ? StreamLimits.Sort.SESSION : StreamLimits.Sort.LOG;
  }

  private int width(Call call, RequestAttributes attributes, Flows flows) {
    if (flows.level().exempt()) {
      return 1;
    }
    return WorkEstimate.seats(attributes, limit(call, attributes), objects);
  }

  private static long limit(Call call, RequestAttributes attributes) {
    try {
      Long limit = WorkEstimate.mayBeLarge(attributes) ? call.query().integer("limit") : null;
      return limit == null ? 0 : limit;
    } catch (ClusterException broken) {
      return 0; // reported to those who may list at all
    }
  }

  private static boolean isHealth(RequestAttributes attributes) {
    String path = attributes.nonResourcePath();
    return path != null && HealthPath.matches(path);
  }

  private Flows flowsOf(RequestAttributes attributes) {
    Configuration current = current();
    FlowSchema schema = current.classifier().schemaOf(attributes);
    return Objects.requireNonNull(current.flows().get(schema.name()));
  }

  /**
   * Returns the current configuration. The revision is read first, so that the next request sees
   * changes made meanwhile.
   */
  private Configuration current() {
    long revision = source.revision();
    Configuration known = configuration;
    return known.revision() == revision ? known : renewed(revision);
  }

  /** Reads the configuration; if it cannot be read, the one before stays. */
  private synchronized Configuration renewed(long revision) {
    Configuration known = configuration;
    if (known.revision() == revision) {
      return known;
    }
    try {
      configuration = configured(revision, new Classifier(source));
    } catch (RuntimeException unreadable) {
      LOG.warn(
          "Cannot read the flow schemas and priority levels; the earlier ones stay in force until"
              + " one is written: {}",
          unreadable.getMessage());
      configuration = new Configuration(revision, known.classifier(), known.flows());
    }
    return configuration;
  }

  private Configuration configured(long revision, Classifier classifier) {
    Map<String, Flows> flows = new HashMap<>();
    for (FlowSchema schema : classifier.schemas()) {
      PriorityLevel level = classifier.levelOf(schema);
      flows.put(
          schema.name(),
          new Flows(
              schema, level, metrics.series(schema.name(), level.name()), headers(schema, level)));
    }
    metrics.onConfigured(seats.configure(classifier.levels()));
    return new Configuration(revision, classifier, Map.copyOf(flows));
  }

  private static List<Header> headers(FlowSchema schema, PriorityLevel level) {
    List<Header> headers = new ArrayList<>();
    if (!schema.uid().isEmpty()) {
      headers.add(new Header("X-Kubernetes-PF-FlowSchema-UID", schema.uid()));
    }
    if (!level.uid().isEmpty()) {
      headers.add(new Header("X-Kubernetes-PF-PriorityLevel-UID", level.uid()));
    }
    return List.copyOf(headers);
  }
}
