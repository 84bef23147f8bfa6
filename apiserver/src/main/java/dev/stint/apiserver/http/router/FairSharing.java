package dev.stint.apiserver.http.router;

import dev.stint.apiserver.access.RequestAttributes;
import dev.stint.apiserver.http.ApiResponse;
import dev.stint.apiserver.http.Call;
import java.io.IOException;

/** Decides when authenticated requests are carried out. */
@FunctionalInterface
public interface FairSharing {
  /** Carries out every request at once. */
  FairSharing NONE = (call, _, work) -> work.answer(call);

  /** Carries out a request. */
  @FunctionalInterface
  interface Work {
    ApiResponse answer(Call call) throws IOException;
  }

  /** Carries out a request when it is its turn, or refuses it with 429. Blocks. */
  ApiResponse answer(Call call, RequestAttributes attributes, Work work) throws IOException;
}
