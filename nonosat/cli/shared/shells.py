"""Completion by shells: the scripts that they evaluate, and their protocol with click.

Click's own script for bash completes no file (it loses bash's default for all that it does not know), none of its two
completes ``--option=value``, and zsh's wants ``compinit`` to have run. Files are the shells' own business: they know
directories, quotes, blanks and ``~``. Click's script for fish completes no ``--option=value`` either.
"""

from __future__ import annotations

import os
from typing import Any

from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

_BASH = """\
%(complete_func)s() {
    local kind value files=
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            file) files=yes ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(COMP_WORDS="${COMP_LINE:0:COMP_POINT}" %(complete_var)s=bash_complete "${1/#\\~/$HOME}" 2>/dev/null)
    if [[ $files && ${#COMPREPLY[@]} -gt 0 ]]; then
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$2")
        compopt -o filenames
    elif [[ $files ]]; then
        compopt -o default
    fi
}

complete -F %(complete_func)s %(prog_name)s
"""

_ZSH = """\
#compdef %(prog_name)s

%(complete_func)s() {
    local -a response names described
    local kind value help files= program=${(Q)words[1]}
    response=("${(@f)$(COMP_WORDS="${words[1,CURRENT]}" %(complete_var)s=zsh_complete \\
        "${program/#\\~/$HOME}" 2>/dev/null)}")
    for kind value help in "${response[@]}"; do
        case $kind in
            (file) files=yes ;;
            (plain) if [[ $help == _ ]]; then names+=("$value"); else described+=("${value//:/\\\\:}:$help"); fi ;;
        esac
    done
    [[ $PREFIX == --*=* ]] && compset -P '*='
    (( $#described )) && _describe '%(prog_name)s' described
    (( $#names )) && compadd -a names
    [[ -n $files ]] && _files
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
    compdef %(complete_func)s %(prog_name)s
fi
"""

_FISH = """\
function %(complete_func)s
    set -l token (commandline -ct)
    set -l before (string match -r -- '^--[^=]*=' "$token")
    for line in (env COMP_WORDS=(commandline -cp) %(complete_var)s=fish_complete %(prog_name)s 2>/dev/null)
        set -l parts (string split -m 1 , -- $line)
        switch $parts[1]
            case plain
                echo -- "$before$parts[2]"
            case file
                for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$token"))
                    echo -- "$before$path"
                end
        end
    end
end

complete -f -c %(prog_name)s -a '(%(complete_func)s)'
"""

_CURSOR = "\0"
"""Put behind the line up to the cursor: the last word ends with it, be it empty or in quotes that are open still."""


class _ByLine(ShellComplete):
    """What the shells have in common: ``COMP_WORDS`` is the line up to the cursor, as it was typed."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one at the cursor, without the command's name; and that word."""
        *words, last = split_arg_string(os.environ["COMP_WORDS"] + _CURSOR)
        return words[1:], last.removesuffix(_CURSOR)


class BashWords(_ByLine):
    """Bash: a completion is a line, its kind and the value, in which blanks have a backslash."""

    name = "bash"
    source_template = _BASH

    def format_completion(self, item: CompletionItem[Any]) -> str:
        r"""A line such as ``plain,very\ hard``."""
        return f"{item.type},{item.value}".replace(" ", r"\ ")


class ZshWords(_ByLine):
    """Zsh: a completion is three lines, its kind, the value, and its help or ``_``."""

    name = "zsh"
    source_template = _ZSH

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """The three lines."""
        return f"{item.type}\n{item.value}\n{' '.join((item.help or '_').split())}"


class FishWords(_ByLine):
    """Fish: a completion is a line, its kind and the value, and its help behind a tab."""

    name = "fish"
    source_template = _FISH

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """A line such as ``plain,solve<tab>Solve the puzzles``."""
        about = " ".join((item.help or "").split())
        return f"{item.type},{item.value}" + (f"\t{about}" if about else "")


for _shell in (BashWords, ZshWords, FishWords):
    add_completion_class(_shell)
