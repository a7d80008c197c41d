# Completion for n2nq-bench: commands and options are those that its own help names.
_n2nq_bench() {
  local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]} commands command= help each
  commands=$("$program" --help 2>/dev/null | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\+\) .*/\1/p')
  for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ " ${commands//$'\n'/ } " == *" $each "* ]]; then command=$each && break; fi
  done
  if [[ $word == -* ]]; then
    help=$("$program" ${command:+"$command"} --help 2>/dev/null | grep -oE '(^ +|,)--[a-z][a-z-]*' | tr -d ' ,')
    mapfile -t COMPREPLY < <(compgen -W "$help" -- "$word")
    return
  fi
  COMPREPLY=()
  if [[ -z $command ]]; then mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word"); fi
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _n2nq_bench n2nq-bench
