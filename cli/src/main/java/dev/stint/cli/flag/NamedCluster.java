package dev.stint.cli.flag;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with a name.
 *
 * @param context null for the file's current one
 */
public record NamedCluster(String name, Path kubeconfig, @Nullable String context) {}
