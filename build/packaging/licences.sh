# shellcheck shell=bash disable=SC2154,SC2164
# Licences and SBOM of the archive. Read by build/release.

# What the archive holds besides jars and the runtime: name, licence by its SPDX identifier, and place.
NATIVE='glibc LGPL-2.1-or-later lib/stint-shim
bzip2 bzip2-1.0.6 lib/native
lz4 BSD-2-Clause lib/native
snappy BSD-3-Clause lib/native
zlib Zlib lib/native
zstd BSD-3-Clause lib/native'
RUNTIME_LICENCE='GPL-2.0-only WITH Classpath-exception-2.0'

runtime_version() { sed -n 's/^JAVA_RUNTIME_VERSION="\(.*\)"/\1/p' "${STINT_TARGET_JDK-$jdk}/release"; }

# Writes which licences hold for what, and their texts.
add_licences() {
  local list=$home/THIRD-PARTY.txt name licence place
  {
    cat "$(module_built cli)/THIRD-PARTY.txt"
    printf '\nOpenJDK %s in runtime: %s\n' "$(runtime_version)" "$RUNTIME_LICENCE"
    while read -r name licence place; do
      printf '%s in %s: %s\n' "$name" "$place" "$licence"
    done <<<"$NATIVE"
    cat "$source/build/packaging/licences.txt"
  } >"$list"
  check_licences "$list"
}

# Fails where a library in the list $1 needs the text of its licence, and neither the list nor its jar has it.
check_licences() {
  local artifact number
  while IFS=: read -r _ artifact number _; do
    grep -qE "^(.*, )?${artifact}([, ][^:]*)?: Copyright" "$1" || grep -qa META-INF/LICENSE "$home/lib/$artifact-$number.jar" ||
      die "$artifact needs the text of its licence in build/packaging/licences.txt"
  done < <(grep -E '^[^ ]+:[^ ]+:[^ ]+: ' "$1" | grep -v 'Apache-2\.0')
}

# Writes the SBOM: that of the jars, with what is no jar.
add_sbom() {
  local name licence parts
  parts="    {\"type\": \"platform\", \"name\": \"openjdk\", \"version\": \"$(runtime_version)\", "
  parts+="\"licenses\": [{\"expression\": \"$RUNTIME_LICENCE\"}]},"
  while read -r name licence _; do
    parts+="\\n    {\"type\": \"library\", \"name\": \"$name\", \"licenses\": [{\"license\": {\"id\": \"$licence\"}}]},"
  done <<<"$NATIVE"
  sed "s|^  \"components\" : \[|&\\n$parts|" "$(module_built cli)/stint-sbom.json" >"$home/stint-sbom.json"
  grep -q '"name": "openjdk"' "$home/stint-sbom.json" ||
    die 'the SBOM has no place for what is no jar: its line "components" looks otherwise than build/packaging/licences.sh expects'
}
