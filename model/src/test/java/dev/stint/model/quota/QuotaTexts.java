package dev.stint.model.quota;

import dev.stint.model.Json;
import dev.stint.model.Kind;
import tools.jackson.databind.node.ObjectNode;

/** Objects of tests, as JSON with single quotes. */
final class QuotaTexts {
  private QuotaTexts() {}

  static ObjectNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  /** Returns a quota by the contents of its spec and status. */
  static QuotaAccount quota(String spec, String status) {
    return new QuotaAccount(
        json("{'metadata':{'name':'q'},'spec':{" + spec + "},'status':{" + status + "}}"),
        Kind.all());
  }

  /** Returns a quota with limits, all of which are unused. */
  static QuotaAccount unused(String hard) {
    return quota(
        "'hard':{" + hard + "}",
        "'hard':{" + hard + "},'used':{" + hard.replaceAll(":'[^']*'", ":'0'") + "}");
  }

  /** Returns a pod that requests so much of a CPU. */
  static ObjectNode pod(String phase, String cpu) {
    return json(
        "{'spec':{'containers':[{'name':'a','resources':{'requests':{'cpu':'%s'}}}]},'status':{'phase':'%s'}}"
            .formatted(cpu, phase));
  }
}
