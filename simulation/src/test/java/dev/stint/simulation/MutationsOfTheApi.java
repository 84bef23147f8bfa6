package dev.stint.simulation;

import static dev.stint.simulation.BytecodeEdit.after;
import static dev.stint.simulation.BytecodeEdit.answers;
import static dev.stint.simulation.BytecodeEdit.insteadOf;
import static dev.stint.simulation.BytecodeEdit.type;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.NavigableMap;
import java.util.stream.Stream;

/** The faults that the worlds must find in the API server, in its clients and below it. */
final class MutationsOfTheApi {
  private static final String CONTROLLERS = "controllers.job.";
  private static final String RECONCILE = "reconcile.";
  private static final String COLLECTOR = "controllers.gc.GarbageCollector";
  private static final String ACTION = COLLECTOR + "Action";

  static final List<Mutation> ALL =
      Stream.of(knowing(), sharing(), limiting(), defining(), joining(), below())
          .flatMap(List::stream)
          .toList();

  private MutationsOfTheApi() {}

  private static List<Mutation> knowing() {
    return List.of(
        new Mutation(
            "applies older states",
            "An older state never replaces a newer one.",
            "model.ResourceVersions",
            "isNewer",
            answers(BytecodeEdit::yes)),
        new Mutation(
            "revives deleted objects",
            "Answers that are older than the known state are dropped.",
            RECONCILE + "Informer",
            "recordIfNew",
            insteadOf(Opcode.LCMP, code -> code.pop2().pop2().iconst_1())),
        new Mutation(
            "overlooks unreported deletions",
            "A list reveals deletions that no event reported.",
            RECONCILE + "Informer$Changes",
            "onListEnd",
            insteadOf("knownBefore", BytecodeEdit::no)),
        new Mutation(
            "decides before pods are known",
            "Decisions start once all pods are listed.",
            RECONCILE + "WorkQueue",
            "drainSoon",
            insteadOf(Opcode.GETFIELD, code -> code.pop().iconst_1()).only(1)),
        new Mutation(
            "skips watch events",
            "Watches report every event.",
            "apiserver.Watches$Watcher",
            "seen",
            after(
                "stream",
                code ->
                    code.lconst_1()
                        .invokeinterface(
                            type(Stream.class),
                            "limit",
                            MethodTypeDesc.of(type(Stream.class), type(long.class))))));
  }

  private static List<Mutation> sharing() {
    return Stream.of(
            new Mutation(
                "decides before shards are read",
                "A shard that was taken is read anew before its Jobs are decided.",
                CONTROLLERS + "HeldShards",
                "read",
                answers(BytecodeEdit::done)),
            new Mutation(
                "hands shards over too early",
                "A Lease is released once the writes of its shard are answered.",
                CONTROLLERS + "ShardWorker$Work",
                "end",
                insteadOf("drain", BytecodeEdit::done)),
            new Mutation(
                "writes after its term",
                "Nothing is sent once the term is over.",
                RECONCILE + "FencedCluster",
                "guarded",
                insteadOf("getAsBoolean", BytecodeEdit::yes)),
            new Mutation(
                "keeps more than its share",
                "A replica gives up the shards that are more than its share.",
                RECONCILE + "leader.ShardElection",
                "balance",
                insteadOf("isBefore", BytecodeEdit::yes)))
        .map(each -> each.in(WorldKind.SHARDS))
        .toList();
  }

  private static List<Mutation> joining() {
    return Stream.of(
            new Mutation(
                "takes refusals for successes",
                "A repeated write that is refused has succeeded if the object is as written.",
                "embedded.share.ReconnectingCluster",
                "write",
                insteadOf("contains", BytecodeEdit::yes)),
            new Mutation(
                "takes successes for refusals",
                "A repeated write that is refused has succeeded if the object is as written.",
                "embedded.share.ReconnectingCluster",
                "write",
                insteadOf("contains", BytecodeEdit::no)),
            new Mutation(
                "gives a Job to two commands",
                "One command at a time has a Job.",
                "embedded.share.Claims",
                "take",
                insteadOf("get", code -> code.aconst_null())),
            new Mutation(
                "starts pods of Jobs that were left",
                "Jobs whose command was killed get no pods.",
                "embedded.share.Claims",
                "coversPod",
                answers(BytecodeEdit::yes)),
            new Mutation(
                "goes on with Jobs that were left",
                "Jobs whose command was killed get no pods.",
                "embedded.share.Claims",
                "covers",
                answers(BytecodeEdit::yes)))
        .map(each -> each.in(WorldKind.SHARED_DIRECTORY))
        .toList();
  }

  private static List<Mutation> limiting() {
    return Stream.of(
            new Mutation(
                "exceeds quotas",
                "An object is created only if its quotas have room.",
                "model.quota.QuotaDecision",
                "exceeded",
                answers(code -> code.ldc(""))),
            new Mutation(
                "ignores what pods do not ask for",
                "A pod asks for each resource that its quotas limit.",
                "model.quota.QuotaDecision",
                "missing",
                answers(code -> code.ldc(""))),
            new Mutation(
                "keeps the share of ended pods",
                "What a pod uses is free once it has ended.",
                "model.quota.QuotaDecision",
                "about",
                insteadOf("subtract", BytecodeEdit::nothing)),
            new Mutation(
                "believes a status of former limits",
                "A status of other limits says nothing about what is used.",
                "model.quota.QuotaAccount",
                "isAffected",
                insteadOf(Opcode.GETFIELD, MutationsOfTheApi::hardTwice).only(2)),
            new Mutation(
                "never counts new quotas",
                "A quota gets a status, even if nothing is created.",
                "controllers.quota.ResourceQuotaController",
                "recount",
                insteadOf("updateStatus", BytecodeEdit::done)),
            new Mutation(
                "retries refused pods at once",
                "A pod that a quota refuses is tried again after a delay.",
                CONTROLLERS + "PodCreator",
                "create",
                insteadOf("failedFuture", BytecodeEdit::done)))
        .map(each -> each.in(WorldKind.QUOTAS))
        .toList();
  }

  private static List<Mutation> defining() {
    return Stream.of(
            new Mutation(
                "lets definitions go before their objects",
                "A definition goes once its objects have gone.",
                "controllers.definition.DefinitionCleanup",
                "round",
                insteadOf("isEmpty", BytecodeEdit::yes)),
            new Mutation(
                "keeps objects of deleted definitions",
                "A definition that is deleted takes its objects.",
                "controllers.definition.DefinitionCleanup",
                "delete",
                insteadOf("delete", BytecodeEdit::done)),
            new Mutation(
                "keeps what nobody owns any more",
                "An object goes with its owners.",
                COLLECTOR,
                "carryOut",
                insteadOf("delete", BytecodeEdit::done)),
            new Mutation(
                "deletes what has an owner",
                "An object stays while one of its owners does.",
                COLLECTOR,
                "state",
                answers(MutationsOfTheApi::absent)),
            new Mutation(
                "keeps owners that are gone",
                "An object with an owner loses those that are gone.",
                ACTION,
                "ofStanding",
                insteadOf("size", BytecodeEdit::yes)),
            new Mutation(
                "takes owners away that are there",
                "An object with an owner loses those that are gone.",
                ACTION,
                "removeOwners",
                insteadOf("contains", BytecodeEdit::yes)),
            new Mutation(
                "deletes what just got an owner",
                "An object is deleted in the state that was decided on.",
                COLLECTOR,
                "deleteUnchanged",
                insteadOf("resourceVersion", CodeBuilder::aconst_null)),
            new Mutation(
                "deletes owners before what blocks them",
                "Deleted in the foreground, an object goes after its dependents.",
                "controllers.gc.GraphObject",
                "blocks",
                answers(BytecodeEdit::no)),
            new Mutation(
                "deletes the middle of a tree first",
                "Deleted in the foreground, an object goes after its dependents.",
                ACTION,
                "ofStanding",
                insteadOf("owns", BytecodeEdit::no)),
            new Mutation(
                "deletes orphans",
                "An object that is deleted alone leaves orphans.",
                ACTION,
                "ofDeleting",
                insteadOf("anyMatch", BytecodeEdit::no).only(2)),
            new Mutation(
                "waits in a circle",
                "Objects that own each other and are deleted go.",
                ACTION,
                "reaches",
                answers(BytecodeEdit::no)),
            new Mutation(
                "asks for no owner",
                "An owner that nobody has seen is asked for.",
                COLLECTOR,
                "watched",
                insteadOf("owner", CodeBuilder::aconst_null).only(2)),
            new Mutation(
                "counts changes of metadata",
                "A generation counts changes of the specification.",
                "apiserver.strategy.CustomStrategy",
                "differBesideTheSpec",
                answers(BytecodeEdit::yes)))
        .map(each -> each.in(WorldKind.CUSTOM_RESOURCES))
        .toList();
  }

  private static List<Mutation> below() {
    return List.of(
        new Mutation(
            "answers before the disk sync",
            "A write is answered once it is durable.",
            "store.Store",
            "sync",
            insteadOf("sync", BytecodeEdit::nothing)),
        new Mutation(
            "ignores resource versions",
            "A write that is based on an old state is refused.",
            "apiserver.outcome.Preconditions",
            "check",
            insteadOf("equals", BytecodeEdit::yes)),
        new Mutation(
            "loses pod statuses",
            "A pod's last status is retried until it is written.",
            "runner.RetriedRequest",
            "onAnswer",
            insteadOf("isTransient", BytecodeEdit::no)));
  }

  /** The limits of a quota instead of those of its status. */
  private static void hardTwice(CodeBuilder code) {
    code.getfield(
        ClassDesc.of("dev.stint.model.quota.QuotaAccount"), "hard", type(NavigableMap.class));
  }

  private static void absent(CodeBuilder code) {
    ClassDesc state = ClassDesc.of("dev.stint.controllers.gc.GarbageCollectorAction$OwnerState");
    code.getstatic(state, "ABSENT", state);
  }
}
