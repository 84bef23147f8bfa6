package dev.stint.cluster;

import dev.stint.model.KubeObject;
import java.util.List;

/** Objects of one kind at one revision. */
public record ObjectList(List<KubeObject> items, String resourceVersion) {}
