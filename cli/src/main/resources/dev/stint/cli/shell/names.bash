# Names of Jobs, by the flags that are given so far; none where they cannot be known soon.
# compgen of bash expands its words, and a server may send any: only characters of names pass.
function _stint_jobs() {
  local i word value name letters=abcdefghijklmnopqrstuvwxyz0123456789.-
  local -a limit flags
  limit=()
  flags=()
  command -v timeout >/dev/null 2>&1 && limit=(timeout 5)
  for ((i = 2; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    case "$word" in
      --data | --kubeconfig | --context | --namespace | -n)
        value="${COMP_WORDS[i + 1]}"
        [[ "$value" == "=" ]] && value="${COMP_WORDS[i + 2]}"
        ((i + 1 < COMP_CWORD)) && flags+=("$word" "${value/#\~\//$HOME/}")
        ;;
      --data=* | --kubeconfig=* | --context=* | --namespace=*) flags+=("${word/=\~\//=$HOME/}") ;;
    esac
  done
  word="${COMP_WORDS[0]}"
  # shellcheck disable=SC2034 # The words before the name.
  STINT_BUILD=no "${limit[@]}" "${word/#\~\//$HOME/}" ls -o name "${flags[@]}" </dev/null 2>/dev/null |
    while IFS=/ read -r value name; do
      [[ -z "$name" || "$name" == *[!$letters]* ]] || printf '%s\n' "$name"
    done
}

function _stint() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" names
  # bash makes three words of --flag=value.
  if [[ "$word" == "=" ]]; then
    word=""
    COMP_WORDS[COMP_CWORD]=""
  elif [[ "$before" == "=" ]]; then
    COMP_WORDS=("${COMP_WORDS[@]:0:$((COMP_CWORD - 1))}" "$word")
    COMP_CWORD=$((COMP_CWORD - 1))
    before="${COMP_WORDS[COMP_CWORD - 1]}"
  fi
  if ((COMP_CWORD < 2)) || [[ "$word" == -* || " @VALUED@ " == *" $before "* ]]; then
    _complete_stint
    return
  fi
  case "${COMP_WORDS[1]}" in
    help | config) names="@COMMANDS@" ;;
    @OF_JOBS@) names="$(_stint_jobs)" ;;
    *)
      _complete_stint
      return
      ;;
  esac
  # No files, where there are none of these.
  [[ -n "${BASH_VERSION-}" ]] && compopt +o default 2>/dev/null
  # shellcheck disable=SC2207 # Names hold no blanks.
  COMPREPLY=($(compgen -W "$names" -- "$word"))
}

complete -F _stint -o default stint
