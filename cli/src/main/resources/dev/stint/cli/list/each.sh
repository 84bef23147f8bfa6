#!/bin/sh
# Runs a command for one line of a list: "sh each COMMAND {}" in a pod of an Indexed Job.
# Stint does the same without this script.
here=${0%/*}
part=-1
first=0
# The file holds numbers only.
# shellcheck disable=SC2013
for start in $(cat "$here/starts"); do
  [ "$JOB_COMPLETION_INDEX" -lt "$start" ] && break
  first=$start
  part=$((part + 1))
done
row=$((JOB_COMPLETION_INDEX - first + 1))

# Prints the record of this index, and an x so that line feeds before it are kept.
record() {
  if [ -e "$here/$1-$part" ]; then
    LC_ALL=C sed -n "$row{p;q;}" "$here/$1-$part"
  elif [ -e "$here/$1-$part.0" ]; then
    LC_ALL=C tr '\n\000' '\000\n' <"$here/$1-$part.0" | LC_ALL=C sed -n "$row{p;q;}" | tr '\000' '\n'
  fi
  printf x
}

# Sets $value to the column of a number.
column() {
  rest=$columns$separator
  at=1
  while [ "$at" -lt "$1" ]; do
    rest=${rest#*"$separator"}
    at=$((at + 1))
  done
  value=${rest%%"$separator"*}
}

without_extension() {
  case ${value##*/} in
    *.*) value=${value%.*} ;;
  esac
}

directory() {
  case $value in
    */*) value=${value%/*} && value=${value:-/} ;;
    *) value=. ;;
  esac
}

# Sets $value for the name of a placeholder; fails if it is none.
placeholder() {
  digits=${1%%[!0-9]*}
  value=$STINT_ITEM
  if [ "$1" = '#' ]; then
    value=$((JOB_COMPLETION_INDEX + 1))
    return
  fi
  if [ -n "$digits" ]; then
    case $digits in
      0* | ?????*) return 1 ;;
    esac
    [ -n "$columns" ] || return 1
    column "$digits"
  fi
  case ${1#"$digits"} in
    '') ;;
    .) without_extension ;;
    /) value=${value##*/} ;;
    //) directory ;;
    /.) value=${value##*/} && without_extension ;;
    *) return 1 ;;
  esac
}

# Sets $filled to a word with its placeholders replaced.
fill() {
  filled=
  left=$1
  while :; do
    case $left in
      *\{*\}*) ;;
      *) break ;;
    esac
    filled=$filled${left%%\{*}
    left=${left#*\{}
    if placeholder "${left%%\}*}"; then
      filled=$filled$value
      left=${left#*\}}
    else
      filled=$filled'{'
    fi
  done
  filled=$filled$left
}

end='
x'
STINT_ITEM=$(record lines)
if [ "$STINT_ITEM" = x ]; then
  echo "each: no line for index $JOB_COMPLETION_INDEX here; only Stint runs lists of many parts" >&2
  exit 125
fi
STINT_ITEM=${STINT_ITEM%"$end"}
export STINT_ITEM
separator=$(printf '\037')
columns=$(record columns)
columns=${columns%"$end"}
[ "$columns" != x ] || columns=
for word; do
  shift
  fill "$word"
  set -- "$@" "$filled"
done
exec "$@"
