# shellcheck shell=bash
# Builds the simulated worlds, for programs that play them for long (build/soak, build/mutants).

# shellcheck source=build/jdk25.sh
. build/jdk25.sh

# Runs a program among the tests of the module simulation, in a directory, with arguments. Call it in the root of the
# project.
play_worlds() {
  local program=$1 directory=$2 root=$PWD copied='' jdk classes path entry
  shift 2
  jdk=$(jdk25 "$0")
  mvn -q -B test-compile dependency:build-classpath -pl simulation -am -Dmdep.outputFile=target/test-classpath \
    -Dmdep.includeScope=test
  # A copy of the classes: another build may replace them while worlds play.
  classes=$(mktemp -d)
  # shellcheck disable=SC2064 # The directory as it is now.
  trap "rm -rf '$classes'" EXIT
  IFS=: read -r -a path <<<"simulation/target/test-classes:simulation/target/classes:$(<simulation/target/test-classpath)"
  for entry in "${path[@]}"; do
    if [[ -d $entry ]]; then
      mkdir "$classes/${#copied}"
      cp -r "$entry/." "$classes/${#copied}"
      entry=$classes/${#copied}
    fi
    copied+=:$entry
  done
  cd "$directory" || return
  "$jdk/bin/java" -XX:+UseParallelGC -Xmx2g --enable-native-access=ALL-UNNAMED "-Dsoak.directory=$root/target/soak" \
    -cp "${copied#:}" "$program" "$@"
}
