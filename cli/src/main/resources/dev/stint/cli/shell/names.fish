function __stint_jobs
    set -l words (commandline -opc)
    set -l flags
    for i in (seq 3 (count $words))
        switch "$words[$i]"
            case --data --kubeconfig --context --namespace -n
                if test $i -lt (count $words)
                    set -a flags $words[$i] (string replace -r '^~/' "$HOME/" -- $words[(math $i + 1)])
                end
            case '--data=*' '--kubeconfig=*' '--context=*' '--namespace=*'
                set -a flags (string replace '=~/' "=$HOME/" -- $words[$i])
        end
    end
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    set -l limit
    command -q timeout; and set limit timeout 5
    env STINT_BUILD=no $limit $program ls -o name $flags </dev/null 2>/dev/null | string replace -rf '^[^/]*/([a-z0-9.-]+)$' '$1'
end
complete -c stint -n '__fish_seen_subcommand_from @OF_JOBS@' -f -a '(__stint_jobs)'
complete -c stint -n '__fish_seen_subcommand_from help config' -f -a '@COMMANDS@'
