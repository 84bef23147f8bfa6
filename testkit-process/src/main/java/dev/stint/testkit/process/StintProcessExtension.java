package dev.stint.testkit.process;

import java.time.Instant;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** The extension behind {@link StintProcessTest}. */
final class StintProcessExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(StintProcessExtension.class);
  private static final String FABRIC8 = "io.fabric8.kubernetes.client.KubernetesClient";

  /** Returns the test's scope, so that a constructor gets the control plane of its test. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == RemoteControlPlane.class || type.getName().equals(FABRIC8);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (context.getTestMethod().isEmpty()) {
      throw new ParameterResolutionException(
          "each test has a control plane of its own; methods before all tests cannot have one");
    }
    RemoteControlPlane plane =
        context
            .getStore(NAMESPACE)
            .computeIfAbsent(
                "control plane of " + context.getUniqueId(),
                key -> options(context).start(),
                RemoteControlPlane.class);
    return parameter.getParameter().getType() == RemoteControlPlane.class
        ? plane
        : context
            .getStore(NAMESPACE)
            .computeIfAbsent(
                "client of " + context.getUniqueId(),
                key -> RemoteFabric8Client.create(plane.kubeconfig()),
                AutoCloseable.class);
  }

  private static RemoteControlPlane.Builder options(ExtensionContext context) {
    StintProcessTest wanted =
        AnnotationSupport.findAnnotation(
                context.getRequiredTestClass(),
                StintProcessTest.class,
                context.getEnclosingTestClasses())
            .orElseThrow(() -> new IllegalStateException("the class has no @StintProcessTest"));
    RemoteControlPlane.Builder options =
        RemoteControlPlane.builder()
            .startingAt(Instant.parse(wanted.start()))
            .withSeed(wanted.seed())
            .crds(wanted.crds())
            .manifests(wanted.manifests());
    return wanted.realTime() ? options.inRealTime() : options;
  }
}
