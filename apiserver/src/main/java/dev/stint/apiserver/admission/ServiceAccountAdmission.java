package dev.stint.apiserver.admission;

import dev.stint.apiserver.pods.TokenAutomount;
import dev.stint.cluster.ClusterException;
import dev.stint.model.Kind;
import dev.stint.model.KubeObject;

/** Gives new pods their service account, and its token if they get one. */
public final class ServiceAccountAdmission implements AdmissionStep {
  private final ObjectReader stored;
  private final TokenAutomount tokens;

  public ServiceAccountAdmission(ObjectReader stored, TokenAutomount tokens) {
    this.stored = stored;
    this.tokens = tokens;
  }

  @Override
  public KubeObject mutate(Kind kind, KubeObject wanted) throws ClusterException {
    return kind.equals(Kind.POD) ? tokens.admit(wanted, stored::tree) : wanted;
  }
}
