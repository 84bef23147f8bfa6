package dev.stint.apiserver.conversion;

import dev.stint.apiserver.webhook.RequestDeadline;
import dev.stint.apiserver.webhook.WebhookClient;
import dev.stint.apiserver.webhook.WebhookClientConfig;
import dev.stint.apiserver.webhook.WebhookException;
import dev.stint.cluster.ClusterException;
import dev.stint.cluster.ClusterException.Reason;
import dev.stint.model.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A converter that calls a webhook, with several objects in each call. */
public final class WebhookConverter implements ObjectConverter {
  private static final int MOST_OBJECTS = 500;

  /** The total length of the objects of a call, unless a single object is longer. */
  private static final int MOST_BYTES = 512 << 10;

  /** The length that an answer may have in addition to twice that of the request. */
  private static final int MORE_ANSWERED = 2 << 20;

  /** The most concurrent calls for one kind; later requests reuse what these have converted. */
  private static final int MOST_CALLS = 8;

  private final Semaphore turns = new Semaphore(MOST_CALLS, true);
  private final WebhookClient client;
  private final WebhookClientConfig config;
  private final String reviewVersion;
  private final ConvertedObjects known;

  /**
   * @param reviewVersions the versions of {@code ConversionReview} that the webhook knows, the
   *     preferred one first
   * @param known what webhooks have converted
   */
  public WebhookConverter(
      WebhookClient client,
      WebhookClientConfig config,
      List<String> reviewVersions,
      ConvertedObjects known) {
    this.client = client;
    this.config = config;
    this.reviewVersion = ConversionReview.version(reviewVersions);
    this.known = known;
  }

  /** An object, and its place among all that shall be converted. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Item(int place, ObjectNode object, byte[] text) {}

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
    return RequestDeadline.within(() -> converted(objects, apiVersion));
  }

  private List<ObjectNode> converted(List<ObjectNode> objects, String apiVersion) {
    Conversion conversion = new Conversion(apiVersion, objects.size());
    List<Item> batch = new ArrayList<>();
    long length = 0;
    for (int i = 0; i < objects.size(); i++) {
      if (conversion.isKnown(i, objects.get(i))) {
        continue;
      }
      Item item = new Item(i, objects.get(i), Json.bytes(objects.get(i)));
      length += item.text.length;
      if (!batch.isEmpty() && (length > MOST_BYTES || batch.size() == MOST_OBJECTS)) {
        conversion.convert(batch);
        batch.clear();
        length = item.text.length;
      }
      batch.add(item);
    }
    conversion.convert(batch);
    return conversion.results();
  }

  /** A conversion of several objects. */
  private final class Conversion {
    private final String apiVersion;
    private final @Nullable ObjectNode[] converted;

    Conversion(String apiVersion, int size) {
      this.apiVersion = apiVersion;
      this.converted = new ObjectNode[size];
    }

    List<ObjectNode> results() {
      return Arrays.stream(converted).map(Objects::requireNonNull).toList();
    }

    boolean isKnown(int place, ObjectNode object) {
      converted[place] = known.find(WebhookConverter.this, object, apiVersion);
      return converted[place] != null;
    }

    /** Converts a batch. While this call waited for its turn, others may have converted it. */
    void convert(List<Item> batch) {
      if (batch.isEmpty()) {
        return;
      }
      ObjectNode first = batch.getFirst().object;
      if (!isMyTurn()) {
        throw failure(first, "failed: context deadline exceeded", null);
      }
      try {
        List<Item> left = batch.stream().filter(item -> !isKnown(item.place, item.object)).toList();
        if (!left.isEmpty()) {
          call(left);
        }
      } catch (WebhookException failed) {
        throw failure(first, "failed: " + failed.getMessage(), failed);
      } catch (ConversionException faulty) {
        throw failure(first, String.valueOf(faulty.getMessage()), faulty);
      } finally {
        turns.release();
      }
    }

    private boolean isMyTurn() {
      try {
        long deadline = RequestDeadline.of(WebhookClient.TIMEOUT);
        return turns.tryAcquire(RequestDeadline.left(deadline), TimeUnit.NANOSECONDS);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return false;
      }
    }

    private void call(List<Item> batch) throws WebhookException, ConversionException {
      ConversionReview review =
          new ConversionReview(reviewVersion, UUID.randomUUID().toString(), apiVersion);
      byte[] request = review.request(batch.stream().map(Item::text).toList());
      byte[] answer = client.post(config, request, MORE_ANSWERED + 2 * request.length);
      List<ObjectNode> objects = batch.stream().map(Item::object).toList();
      List<ObjectNode> answered = checked(objects, review.converted(answer), apiVersion);
      for (int i = 0; i < answered.size(); i++) {
        Item item = batch.get(i);
        ObjectNode to = answered.get(i);
        converted[item.place] = to;
        known.keep(
            WebhookConverter.this, item.object, to, item.text.length + Json.bytes(to).length);
      }
    }
  }

  private static List<ObjectNode> checked(
      List<ObjectNode> objects, List<JsonNode> answered, String apiVersion)
      throws ConversionException {
    if (answered.size() != objects.size()) {
      throw new ConversionException(
          "returned %d objects, expected %d".formatted(answered.size(), objects.size()));
    }
    List<ObjectNode> converted = new ArrayList<>(objects.size());
    for (int i = 0; i < answered.size(); i++) {
      String at = objects.size() == 1 ? "" : "converted object at index " + i;
      converted.add(ConvertedObject.checked(objects.get(i), answered.get(i), apiVersion, at));
    }
    return converted;
  }

  private static ClusterException failure(
      ObjectNode object, String what, @Nullable Exception cause) {
    return new ClusterException(
        Reason.INTERNAL,
        "conversion webhook for %s, Kind=%s %s"
            .formatted(object.path("apiVersion").asString(), object.path("kind").asString(), what),
        List.of(),
        cause);
  }
}
