# shellcheck shell=sh
# Runs as the container's user: makes sure of that, enters the working directory, and runs the rest
# there.
# Arguments: the numbers of the user, the group and further groups, or nothing if they are not
# changed; working directory, command. An error is written to file 3. Files 5 to 7 may be the
# namespaces by which it came here.
__stint_fail() {
  printf '%s\n' "$1" >&3
  exit 126
}
# The program that changes the user takes a number for a name first. So a name service decides what
# it means, and a pod may have put another one in its place.
if [ -n "$1" ]; then
  __stint_is=
  while read -r __stint_field __stint_a __stint_b __stint_c __stint_d; do
    case $__stint_field in
      Uid: | Gid:)
        [ "$__stint_b $__stint_c $__stint_d" = "$__stint_a $__stint_a $__stint_a" ] ||
          __stint_a=$__stint_a/$__stint_b/$__stint_c/$__stint_d
        __stint_is="$__stint_is${__stint_is:+ }$__stint_a"
        ;;
      Groups:)
        __stint_is="$__stint_is${__stint_a:+ $__stint_a}${__stint_b:+ $__stint_b}"
        __stint_is="$__stint_is${__stint_c:+ $__stint_c}${__stint_d:+ $__stint_d}"
        break # A shell reads byte by byte, and more than half of the lines follow.
        ;;
    esac
  done </proc/self/status
  [ "$__stint_is" = "$1" ] ||
    __stint_fail "user and groups are \"$__stint_is\" instead of \"$1\": a name service says so"
fi
shift
cd -- "$1" 2>/dev/null || __stint_fail "workingDir \"$1\" is not a directory that can be entered"
unset OLDPWD
shift
exec "$@" 5<&- 6<&- 7<&-
