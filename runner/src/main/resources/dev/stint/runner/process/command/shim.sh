# shellcheck shell=sh disable=SC1091,SC2154 # The script of an attempt sets the variables.
# shellcheck disable=SC3044 # Only bash gets to shopt.
# Stands between the runner and the commands of containers, one after the other, so that an outcome
# is written down even where the runner died meanwhile. Arguments: what tells whose it is (see
# AttemptDir), boot id, the directory of all pods. Reads requests "ID POD-UID/CONTAINER/NUMBER" from
# file 4, a byte at a time as shells do, and reports "ID CODE" to file 3. Files in the attempt's
# directory are overwritten and never truncated: they may be another attempt's, and a disk is waited
# for where they are. Ends when there is nobody to ask for more.
# shim.c does the same, and more, where it is compiled: what changes here changes there.
# Signals to the group are for the command; a no-op handler (unlike "ignore") is not inherited by it.
trap : HUP INT QUIT TERM USR1 USR2 PIPE
__stint_owner=$1 __stint_boot=$2 __stint_pods=$3
[ -z "$BASH_VERSION" ] || shopt -s execfail
__stint_fail() {
  case $1 in
    126) __stint_why="permission denied, or not a program for this machine" ;;
    127) __stint_why="it or its interpreter was not found" ;;
    *) return ;;
  esac
  printf 'cannot run "%s": %s\n' "$2" "$__stint_why" >"$__stint_dir/fault"
}
while IFS=' ' read -r __stint_id __stint_attempt <&4; do
  __stint_dir=$__stint_pods/$__stint_attempt
  __stint_uid=${__stint_attempt%%/*}
  # The ID is written by the child (it is the shim's ID all the same), when signals to the group
  # have their effect on it. The trap runs only where exec failed, which tells 127 of ours from 127
  # of the command. The script sets the variables, the arguments, and the three names used here.
  (
    exec 3>&- 4<&-
    . "$__stint_dir/script"
    command exec >>"$__stint_stdout" 2>>"$__stint_stderr" || {
      __stint_fail 126 "$__stint_stdout"
      exit 126
    }
    cd -- "$__stint_cwd" || {
      __stint_fail 126 "$__stint_cwd"
      exit 126
    }
    unset OLDPWD
    printf '%s %s %s %s\n' "$__stint_uid" "$$" "$__stint_boot" "$__stint_owner" 1<>"$__stint_dir/pid"
    trap '__stint_fail $? "$1"' EXIT
    [ ! -e "$__stint_dir/fault" ] || exec 3>"$__stint_dir/fault"
    exec "$@"
    exit $?
  )
  __stint_code=$?
  # What could not be started, where that was so.
  __stint_why=
  if [ -s "$__stint_dir/fault" ]; then
    IFS= read -r __stint_why <"$__stint_dir/fault"
    __stint_why=" StartError $__stint_why"
  fi
  printf '%s %s%s\n' "$__stint_uid" "$__stint_code" "$__stint_why" 1<>"$__stint_dir/exit"
  printf '%s %s\n' "$__stint_id" "$__stint_code" >&3
done
