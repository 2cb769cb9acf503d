# `help COMMAND`, -V, pipes closed early, and completions run by the shells themselves.
try help | sed -n 2p
try help boards | sed -n 2p
try help nosuch
try -V >version.txt && grep -c '^nysx-dse [0-9]' version.txt
"$program" sweep --describe | head -1 >/dev/null
echo "a pipe that ends: ${PIPESTATUS[0]}"
"$program" boards list --format json 2>&1 | head -c 10 >/dev/null
echo "a pipe that ends: ${PIPESTATUS[0]}"
"$program" calibrate "$here"/../resources/reports/own_*.xml --format json 2>&1 | true
echo "a pipe that ends: ${PIPESTATUS[0]}"
try completions
try completions tcsh

"$program" completions bash >complete.bash
complete_bash() { # the words of a line; the last one is being typed
    bash --norc -c '. ./complete.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _nysx_dse; printf "%s\n" "${COMPREPLY[@]}"' \
        bash "$@" | sort | tr '\n' ' '
    echo
}
complete_bash nysx-dse s
complete_bash nysx-dse help wh
complete_bash nysx-dse sweep --qual
complete_bash nysx-dse sweep --board zcu10
complete_bash nysx-dse sweep --format ''
complete_bash nysx-dse estimate --set nee.p
complete_bash nysx-dse train --pre
complete_bash nysx-dse sweep --family h
complete_bash nysx-dse boards s
complete_bash nysx-dse study ''
touch some.xml
complete_bash nysx-dse estimate --calibration som
"$program" completions zsh >_nysx-dse
"$program" completions fish >nysx-dse.fish
grep -c "'1:operand:{compadd -- list show check import; _files}'" _nysx-dse
grep -c "quality-drop" _nysx-dse nysx-dse.fish complete.bash | sed 's/:[1-9].*/: yes/'
if command -v zsh >/dev/null; then zsh -n _nysx-dse; fi
if command -v fish >/dev/null; then
    HOME=$PWD fish -N -c 'source nysx-dse.fish; complete -C "nysx-dse sweep --board zcu10"' | cut -f1 | grep -v '/' | sort | tr '\n' ' ' >fish.txt
    [ "$(cat fish.txt)" = "zcu102 zcu104 zcu106 " ] || cat fish.txt
    HOME=$PWD fish -N -c 'source nysx-dse.fish; complete -C "nysx-dse boards sh"; complete -C "nysx-dse help wh"' | cut -f1 | tr '\n' ' ' >fish.txt
    [ "$(cat fish.txt)" = "show whatif " ] || cat fish.txt
fi
