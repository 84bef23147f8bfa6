# shellcheck shell=bash disable=SC2154,SC2164
# The archive: a directory that runs where it is unpacked. Read by build/release.

# The modules of the JDK that Stint uses. jdeps also names java.desktop and java.sql, for parts of libraries that are
# never called.
MODULES=java.base,java.logging,java.management,java.naming,java.net.http,java.xml
MODULES+=,jdk.httpserver,jdk.management,jdk.net,jdk.unsupported

# Fills the directory source with the last commit, as the version of the release.
check_out() {
  mkdir -p "$source"
  git archive HEAD | tar -x -C "$source"
  if [[ $version != "$sources" ]]; then
    find "$source" -name pom.xml -exec sed -i "s:<version>$sources</version>:<version>$version</version>:" {} +
  fi
}

# Sets built to a pattern of directories with the jars of the modules: @ is the name of a module.
compile() {
  built=$source/@/target/quick
  # The same licences and SBOM as in a checked build; the checks themselves are not run again.
  (cd "$source" && mvn -q -B -Dquick -Dcyclonedx.skip=false -pl cli,testkit-process -am package)
}

# Takes the jars that a build of all modules has left in this working tree, if they are those of the last commit.
take_verified() {
  local module newer
  built=$PWD/@/target
  [[ $version == "$sources" ]] || die "--verified makes $sources, which its jars are"
  [[ -z $(git status --porcelain) ]] || die '--verified needs a working tree as committed'
  for module in "${MAVEN_MODULES[@]}"; do
    newer=$(find "$module/src/main" "$module/pom.xml" build/commandspec/src/main -newer "$(module_jar "$module")" -print -quit) ||
      die '--verified needs the jars of mvn verify'
    [[ -z $newer ]] || die "$newer is newer than its jar; run mvn verify"
  done
}

# Prints the directory that the module $1 is built in.
module_built() { echo "${built%/@/*}/$1/${built##*/@/}"; }
module_jar() { echo "$(module_built "$1")/stint-$1-$version.jar"; }

# Copies the jar $1 to $2 without the native libraries at its root, of which only one fits this platform.
repack() {
  local parts
  parts=$(mktemp -d "$work/jar.XXXXXX")
  (
    cd "$parts"
    "$jdk/bin/jar" --extract --file "$1"
    rm -f ./*.so ./*.jnilib ./*.dll
    sed '/^[[:space:]]*$/q' META-INF/MANIFEST.MF >"$parts.manifest"
    rm -f META-INF/MANIFEST.MF
    find . -type f -printf '%P\n' | sort >"$parts.files"
    "$jdk/bin/jar" --create --date="$iso" --file "$2" --manifest "$parts.manifest" "@$parts.files"
  )
}

copy_jars() {
  local jar name classpath=
  mkdir -p "$home/lib/native"
  "$jdk/bin/java" -cp "$(IFS=: && echo "$*")" dev.stint.cli.CacheJars "$home/lib" "$@"
  for jar; do
    name=${jar##*/}
    classpath+=" $name"
    if [[ $name == rocksdbjni-* ]]; then
      repack "$jar" "$home/lib/$name"
      "$jdk/bin/jar" -x -f "$jar" --dir "$home/lib/native" "librocksdbjni-$store_library"
      mv "$home/lib/native/librocksdbjni-$store_library" "$home/lib/native/librocksdbjnijni-$store_library"
    fi
  done
  "$jdk/bin/java" build/packaging/StoreJars.java "$home"/lib/*.jar
  # One jar names all others, in a fixed order: the class archive fits only this order.
  printf 'Class-Path:%s\n' "$classpath" | sed -E 's/(.{70})/\1\n /g' >"$work/manifest"
  "$jdk/bin/jar" --create --date="$iso" --file "$home/lib/stint.jar" --manifest "$work/manifest"
}

make_runtime() {
  "$jdk/bin/jlink" --add-modules "$MODULES" --strip-debug --no-header-files --no-man-pages --vm server \
    --output "$home/runtime"
  rm -f "$home"/runtime/lib/server/classes*.jsa "$home/runtime/bin/keytool"
  name_providers
}

# Makes the runtime of another platform from the modules of its JDK.
make_foreign_runtime() {
  "$jdk/bin/jlink" --module-path "$STINT_TARGET_JDK/jmods" --add-modules "$MODULES" --strip-java-debug-attributes \
    --no-header-files --no-man-pages --vm server --output "$home/runtime"
  find "$home/runtime" -name '*.debuginfo' -delete
  rm -f "$home/runtime/bin/keytool"
  name_providers
}

# Leaves the security providers of java.base alone. For one whose module the runtime lacks, the first handshake of TLS
# would search all jars, and make BouncyCastle's: 600 classes and 3,000 services that nothing uses.
name_providers() {
  sed -i -E '/^security\.provider\.[0-9]+=/{/=(SUN|SunRsaSign|SunEC|SunJSSE|SunJCE)$/!d}' \
    "$home/runtime/conf/security/java.security"
}

# Runs the JVM of the release. The variables of whoever makes it are not part of an archive.
jvm() {
  (cd "$home" && env -i "PATH=$PATH" "HOME=$HOME" LC_ALL=C TZ=UTC runtime/bin/java \
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -XX:-UsePerfData -XX:+UseSerialGC \
    -XX:+UseCompactObjectHeaders -Dstint.native.dir=lib/native "$@")
}

# The kinds of class archives, as options.sh names them. A start loads all classes of its archive, so commands that serve
# have one of their own, and so have those that work on a cluster.
KINDS=(short serving cluster)

record_classes() {
  local kind list
  for kind in "${KINDS[@]}"; do
    list=build/packaging/classes-$kind.list
    jvm -XX:TieredStopAtLevel=1 "-XX:DumpLoadedClassList=$work/loaded" -cp lib/stint.jar \
      dev.stint.cli.CacheTraining "$source/examples" "$kind" >/dev/null
    # The JVM writes resolved references in an order of its own; the JVM that reads them needs none.
    {
      sed -e '/^#/d' -e '/^@cp /d' -e 's/ id: .*//' "$work/loaded"
      grep '^@cp ' "$work/loaded" | sort
    } >"$list"
    echo "build/release: $(wc -l <"$list") lines in $list; commit it"
  done
}

# Writes the class archive $2 from the list of the kind $1.
dump_classes() {
  jvm -Xshare:dump -Xmx6g -XX:ActiveProcessorCount=4 -XX:+AOTClassLinking \
    "-XX:SharedClassListFile=$source/build/packaging/classes-$1.list" \
    "-XX:SharedArchiveFile=$2" -cp lib/stint.jar >"$work/archive-$1.log" 2>&1 || {
    tail -n 5 "$work/archive-$1.log" >&2
    die "the class archive cannot be made"
  }
}

# The JVM maps the loaded and linked classes at each start, instead of reading the jars. Made from a list, and not from
# what a run happens to load, so that it is the same each time; except for clock times, which ClockTimes removes. The
# size of the heap and the number of processors are part of the archive, so they are not left to this machine.
archive_classes() {
  local kind archive archives=() failed=
  touch_all "$home"
  for kind in "${KINDS[@]}"; do
    archive_kind "$kind" &
    archives+=($!)
  done
  for archive in "${archives[@]}"; do
    wait "$archive" || failed=1
  done
  [[ -z $failed ]] || die 'not all class archives were made'
}

archive_kind() {
  local archive=lib/stint-$1.jsa second=$work/second-$1.jsa
  for _ in 1 2 3 4; do
    dump_classes "$1" "$archive"
    dump_classes "$1" "$second"
    "$jdk/bin/java" build/packaging/ClockTimes.java "$home/$archive" "$second" && return
    echo "build/release: two class archives from one list differ in more than clock times; they are made again" >&2
  done
  die "two class archives from one list differ"
}

# Runs Stint on the JVM of this machine, whatever platform the release is for.
here() {
  "$jdk/bin/java" -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED "-Dstint.home=$home" \
    -cp "$home/lib/stint.jar" dev.stint.cli.Main "$@"
}

add_files() {
  mkdir -p "$home/bin" "$home/share/man/man1" "$home/share/bash-completion/completions" \
    "$home/share/zsh/site-functions" "$home/share/fish/vendor_completions.d"
  cp "$source/build/packaging/stint" "$home/bin/"
  cp "$source/cli/src/main/launcher/options.sh" "$home/lib/"
  cp -r "$source/examples" "$home/"
  [[ ! -d $source/deploy/systemd ]] || cp -r "$source/deploy/systemd" "$home/share/systemd"
  cp "$source/LICENSE" "$source/CHANGELOG.md" "$home/"
  add_licences
  add_sbom
  # A static program, since it has to run with any C library.
  "$target_cc" -std=c11 -O2 -static -s -Wl,--build-id=none -o "$home/lib/stint-shim" "$source/runner/src/main/c/shim.c" ||
    die "the shim cannot be compiled; install gcc and libc6-dev"
  printf 'version=%s\ncommit=%s\ndate=%s\n' "$version" "$commit" "$iso" >"$home/release"
  here man >"$home/share/man/man1/stint.1"
  here completion bash >"$home/share/bash-completion/completions/stint"
  here completion zsh >"$home/share/zsh/site-functions/_stint"
  here completion fish >"$home/share/fish/vendor_completions.d/stint.fish"
}

pack_archive() {
  touch_all "$home"
  tar_of "$home" >"$out/$name.tar.gz"
  cp "$home/stint-sbom.json" "$out/$name.sbom.json"
  cp "$home/THIRD-PARTY.txt" "$out/$name.THIRD-PARTY.txt"
}
