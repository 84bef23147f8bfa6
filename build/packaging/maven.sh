# shellcheck shell=bash disable=SC2154,SC2164
# The artifacts for Maven, as a directory in the layout of a repository. Read by build/release.

# The test kits, the command (for jbang), and what they need.
MAVEN_MODULES=(model apiextensions engine cluster store reconcile runner controllers apiserver embedded
  testkit testkit-server testkit-process jobs console kube cli)

# Prints a POM that manages the versions of all artifacts. It inherits nothing: otherwise it would manage the versions
# of Stint's own dependencies in the project that imports it.
bom() {
  local module
  cat <<END
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>dev.stint</groupId>
  <artifactId>stint-bom</artifactId>
  <version>$version</version>
  <packaging>pom</packaging>
  <name>Stint: the versions of its artifacts</name>
$(sed -n '/^  <description>/,/^  <\/scm>/p' "$source/pom.xml" | sed '/<!--/d')
  <dependencyManagement>
    <dependencies>
END
  for module in "${MAVEN_MODULES[@]}"; do
    echo "      <dependency><groupId>dev.stint</groupId><artifactId>stint-$module</artifactId><version>$version</version></dependency>"
  done
  printf '    </dependencies>\n  </dependencyManagement>\n</project>\n'
}

# Runs the tool $1 of the JDK with the arguments in each of the other files.
jdk_tool() {
  "$jdk/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "$source/build/packaging/JdkTool.java" "$@" \
    >"$work/$1.log" 2>&1 || {
    tail -n 20 "$work/$1.log" >&2
    die "$1 fails"
  }
}

# Writes the arguments with which jar packs the directory $1 as $2, without what a build adds by itself.
jar_arguments() {
  local file
  printf '"%s"\n' --create "--date=$iso" --file "$2" --manifest "$work/jars.manifest"
  find "$1" -type f -printf '%P\n' | sort | while IFS= read -r file; do printf -- '-C "%s" "%s"\n' "$1" "$file"; done
}

# Prints the directory that the module $1 has for Maven Central, which wants sources and Javadoc of every jar: its sources,
# or a README that says that it has no classes.
sources_of() {
  local sources=$source/$1/src/main/java
  [[ -d $sources ]] || sources=$source/$1/src/main/resources/META-INF/stint-server
  echo "$sources"
}

# Writes the arguments of javadoc for the module $1, one a line.
javadoc_arguments() {
  printf '"%s"\n' -quiet -notimestamp -Xdoclint:none --release 25 -windowtitle "Stint $1 $version" \
    -doctitle "Stint $1 $version" -encoding UTF-8 -docencoding UTF-8 -locale en_US -classpath "$classpath" \
    -d "$work/javadoc/$1"
  find "$source/$1/src/main/java" -name '*.java' -printf '"%p"\n' | sort
}

# Makes the Javadoc of all modules under $work/javadoc.
javadoc() {
  local module classpath arguments=()
  classpath=$(<"$(module_built testkit)/classpath"):$(<"$(module_built cli)/classpath"):$(module_jar cli):$(module_jar testkit)
  mkdir "$work/javadoc"
  for module in "${MAVEN_MODULES[@]}"; do
    if [[ ! -d $source/$module/src/main/java ]]; then
      cp -r "$(sources_of "$module")" "$work/javadoc/$module"
      continue
    fi
    mkdir "$work/javadoc/$module"
    javadoc_arguments "$module" >"$work/javadoc/$module.arguments"
    arguments+=("$work/javadoc/$module.arguments")
  done
  jdk_tool javadoc "${arguments[@]}"
}

# Writes the checksums of the file $1 beside it, as Maven Central wants them.
checksums() {
  local sum
  for sum in md5 sha1 sha256 sha512; do
    "${sum}sum" <"$1" | cut -d' ' -f1 >"$1.$sum"
  done
}

pack_maven() {
  local repository=$out/maven/dev/stint module file to arguments=()
  javadoc
  mkdir "$work/jars"
  printf 'Implementation-Title: Stint\nImplementation-Version: %s\n' "$version" >"$work/jars.manifest"
  mkdir -p "$repository/stint/$version" "$repository/stint-bom/$version"
  cp "$source/pom.xml" "$repository/stint/$version/stint-$version.pom"
  bom >"$repository/stint-bom/$version/stint-bom-$version.pom"
  for module in "${MAVEN_MODULES[@]}"; do
    to=$repository/stint-$module/$version/stint-$module-$version
    mkdir -p "${to%/*}"
    cp "$source/$module/pom.xml" "$to.pom"
    cp "$(module_jar "$module")" "$to.jar"
    jar_arguments "$(sources_of "$module")" "$to-sources.jar" >"$work/jars/$module-sources"
    jar_arguments "$work/javadoc/$module" "$to-javadoc.jar" >"$work/jars/$module-javadoc"
    arguments+=("$work/jars/$module-sources" "$work/jars/$module-javadoc")
  done
  jdk_tool jar "${arguments[@]}"
  find "$repository" -type f | while IFS= read -r file; do checksums "$file"; done
}
