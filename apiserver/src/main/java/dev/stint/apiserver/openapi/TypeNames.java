package dev.stint.apiserver.openapi;

import dev.stint.apiserver.catalogue.GroupVersion;
import dev.stint.model.schema.Schema;
import java.util.Arrays;
import java.util.List;

/** The full names of the schema's types, by which clients find them. */
final class TypeNames {
  static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  static final String QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
  static final String INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
  static final String TIME = META + "Time";
  static final String MICRO_TIME = META + "MicroTime";
  static final String LIST_META = META + "ListMeta";
  static final String STATUS = META + "Status";
  static final String PATCH = META + "Patch";

  private TypeNames() {}

  /** Returns the full name of a type of the schema, such as {@code io.k8s.api.batch.v1.JobSpec}. */
  static String of(String type) {
    return Schema.publicName(type);
  }

  /** Returns the full name of a custom kind, such as {@code com.example.stable.v1.CronTab}. */
  static String ofCustomKind(GroupVersion groupVersion, String kind) {
    List<String> parts = Arrays.asList(groupVersion.group().split("\\."));
    return String.join(".", parts.reversed()) + "." + groupVersion.version() + "." + kind;
  }

  /** Returns the reference to a full name in a document. */
  static String reference(String fullName) {
    return "#/components/schemas/" + fullName;
  }
}
