# shellcheck shell=sh
# The options of the JVM for each command. Read by the launcher of the sources (stint) and by that of a release
# (build/packaging/stint); for any POSIX shell.
#
# Environment:
#   STINT_JAVA_OPTS  more options for the JVM, such as -Xmx4g

# Exits if the working directory was removed: Java could not start, and its status would be that of a Job that has
# failed. The program pwd is asked where the shell cannot tell, as below a directory of somebody else.
check_directory() {
  # shellcheck disable=SC3013 # bash, dash and busybox have it; another shell asks pwd.
  [ . -ef "${PWD-}" ] 2>/dev/null && return
  env pwd -P >/dev/null 2>&1 && return
  echo "stint: the current directory was removed; change to another one" >&2
  exit 2
}

# Sets verb to the command among the words of the caller. Flags before it, such as -v, have no values.
find_verb() {
  for verb; do
    case $verb in
      -*) ;;
      *) return 0 ;;
    esac
  done
  verb=
}

# Sets options to the options for the command among the words, separated by spaces, and kind to the kind of its class
# cache: short, serving or cluster.
# shellcheck disable=SC2034 # The launchers read kind.
choose_options() {
  find_verb "$@"
  # A program that is out of memory cannot be trusted: it exits, and the next start continues from what is on disk.
  # The class cache is used where it was made for, since moving it takes 20 ms.
  options="-XX:+ExitOnOutOfMemoryError -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0"
  # Objects are a tenth smaller, and so is the time to make, collect and read them.
  options="$options -XX:+UseCompactObjectHeaders"
  # Methods are compiled after more calls, and not since an earlier run called them: compiling what a single command
  # calls took a third of the time of run with one pod.
  late="-XX:-AOTReplayTraining -XX:Tier3InvocationThreshold=1000 -XX:Tier3MinInvocationThreshold=500"
  late="$late -XX:Tier3CompileThreshold=5000"
  # Only C2 has instructions of the processor for AES. C1 makes ChaCha20 five times as fast as AES, so commands that send
  # much to a cluster ask for it first.
  ciphers=TLS_CHACHA20_POLY1305_SHA256,TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384
  for cipher in CHACHA20_POLY1305_SHA256 AES_128_GCM_SHA256 AES_256_GCM_SHA384; do
    ciphers="$ciphers,TLS_ECDHE_ECDSA_WITH_$cipher,TLS_ECDHE_RSA_WITH_$cipher"
  done
  # Options by kind of command:
  #   short commands      the serial collector and the quick compiler (C1), which start fastest
  #   run, bench          C1, and the parallel collector, which takes the least processor time in total; a benchmark
  #                       calls every method often, so that compiling late would cost it a tenth of its rate
  #   controller, mirror  C1, whose code is small, and the serial collector with a young generation of a fixed size, in
  #                       which most of what requests leave dies, and a heap that shrinks (see SmallHeap)
  #   up, …               the serial collector and a heap that shrinks, to be ready soon and small when idle; the
  #                       optimizing compiler (C2) begins later, so that it does not slow down the start
  kind=short
  collector=-XX:+UseSerialGC
  case $verb in
    run)
      collector=-XX:+UseParallelGC
      options="$options -XX:TieredStopAtLevel=1 $late"
      ;;
    bench)
      collector=-XX:+UseParallelGC
      options="$options -XX:TieredStopAtLevel=1 -Djdk.tls.client.cipherSuites=$ciphers"
      ;;
    controller | mirror)
      kind=cluster
      options="$options -XX:TieredStopAtLevel=1 -XX:-AOTReplayTraining -Xms24m -Xmn16m"
      options="$options -XX:SurvivorRatio=3 -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30"
      # Requests wait for their answers on virtual threads: one thread of the system that polls for all of them takes a
      # tenth less than the virtual threads that poll otherwise.
      options="$options -Djdk.tls.client.cipherSuites=$ciphers -Djdk.pollerMode=1"
      ;;
    up | kube-apiserver)
      kind=serving
      options="$options -Xms32m -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=30"
      options="$options -XX:-AOTReplayTraining -XX:Tier4InvocationThreshold=50000"
      options="$options -XX:Tier4MinInvocationThreshold=10000 -XX:Tier4CompileThreshold=100000"
      options="$options -XX:Tier4BackEdgeThreshold=400000"
      ;;
    *) options="$options -XX:TieredStopAtLevel=1 $late" ;;
  esac
  has_collector || options="$options $collector"
  if [ -t 2 ]; then
    columns=$(stty size <&2 2>/dev/null) || columns=
    options="$options -Dstint.terminal=true -Dstint.columns=${columns#* }"
  fi
  if [ -t 1 ]; then
    options="$options -Dstint.stdout.terminal=true"
  fi
  options="$options ${STINT_JAVA_OPTS-}"
  # RocksDB asks ten processes for the kind of the C library, unless the environment tells it. Pods never see the
  # variable.
  set -- /lib/ld-musl-*
  [ -e "${1-}" ] || export ROCKSDB_MUSL_LIBC="${ROCKSDB_MUSL_LIBC-false}"
}

# True if the user has chosen a collector. The JVM refuses two of them, whichever way each is chosen.
has_collector() {
  case "${STINT_JAVA_OPTS-} ${JAVA_TOOL_OPTIONS-} ${JDK_JAVA_OPTIONS-} ${_JAVA_OPTIONS-}" in
    *-XX:+UseSerialGC* | *-XX:+UseParallelGC* | *-XX:+UseG1GC*) return 0 ;;
    *-XX:+UseZGC* | *-XX:+UseShenandoahGC* | *-XX:+UseEpsilonGC*) return 0 ;;
    *) return 1 ;;
  esac
}

# Lets the JVM read UTF-8 where the caller's locale says nothing of characters, or may be a missing one of UTF-8. $1 is
# the directory of locales. Without it the JVM takes ASCII, replaces all other characters in arguments and variables, and
# opens no file whose name has some; no option of the JVM changes that. The JVM may get another locale than its caller:
# its messages are English. Pods get the caller's LC_ALL, which STINT_LC_ALL keeps.
choose_charset() {
  unset STINT_LC_ALL # That of a stint which has started this one.
  case ${LC_ALL:-${LC_CTYPE:-${LANG-}}} in
    '' | C | POSIX | *.[Uu][Tt][Ff]-8 | *.[Uu][Tt][Ff]8) ;;
    *) return 0 ;;
  esac
  if [ -d "$1/C.utf8" ] || [ -d "$1/C.UTF-8" ]; then
    export STINT_LC_ALL="${LC_ALL-}"
    export LC_ALL=C.UTF-8
  fi
}

# Adds to options what suits the heap of a command, among the words, that may work on many pods: a young generation of a fixed size, and
# huge pages. Nearly all of what a pod leaves dies in it. The collector's own choice begins too small, so that it copies
# what would have died, and ends as a third of the heap: a Job of 100,000 pods took a third more processor time and twice
# the memory. What survives twice is there to stay, and is not copied again. Where the heap would have no room for it, or
# the user has chosen a heap or a collector, nothing is added.
add_heap_options() {
  find_verb "$@"
  case $verb in
    run | bench) ;;
    *) return 0 ;;
  esac
  case "${STINT_JAVA_OPTS-} ${JAVA_TOOL_OPTIONS-} ${JDK_JAVA_OPTIONS-} ${_JAVA_OPTIONS-}" in
    *-Xm* | *Heap* | *RAM* | *New* | *GC* | *Pages* | *Tenuring* | *Survivor* | *SizePolicy*) return 0 ;;
  esac
  # The heap is at most a quarter of the memory.
  if has_memory $((6 * 1024 * 1024)) /proc /sys/fs/cgroup; then
    options="$options -Xmn768m -XX:SurvivorRatio=4 -XX:-UseAdaptiveSizePolicy -XX:MaxTenuringThreshold=2"
    if has_huge_pages /sys/kernel/mm/transparent_hugepage/enabled; then
      options="$options -XX:+UseTransparentHugePages"
    fi
  fi
}

# True if the system gives huge pages to programs that ask for them, as the file $1 says. The JVM warns where it does not.
has_huge_pages() {
  [ -r "$1" ] && read -r modes <"$1" || return 1
  case $modes in
    *'[madvise]'* | *'[always]'*) return 0 ;;
    *) return 1 ;;
  esac
}

# True if the machine has $1 KiB of memory, and all control groups of this process allow it as much. $2 and $3 are the
# directories /proc and /sys/fs/cgroup.
has_memory() {
  [ -r "$2/meminfo" ] && [ -r "$2/self/cgroup" ] || return 1
  while read -r name amount _; do
    [ "$name" != MemTotal: ] || break
  done <"$2/meminfo"
  [ "$name" = MemTotal: ] && [ "$amount" -ge "$1" ] || return 1
  while IFS=: read -r _ controllers group; do
    case ",$controllers," in
      ,,) has_group_memory "$1" "$3" "$group" memory.max || return 1 ;;
      *,memory,*) has_group_memory "$1" "$3/memory" "$group" memory.limit_in_bytes || return 1 ;;
    esac
  done <"$2/self/cgroup"
}

# True if the control group $3 and those above it, up to that of the directory $2, allow $1 KiB by their file $4.
has_group_memory() {
  group=$3/
  while :; do
    group=${group%/*}
    limit=max
    [ ! -r "$2$group/$4" ] || read -r limit <"$2$group/$4"
    [ "$limit" = max ] || [ "$limit" -ge $(($1 * 1024)) ] || return 1
    [ -n "$group" ] || return 0
  done
}
