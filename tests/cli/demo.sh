# Runs the three commands that script/demo prints at its end, with another path of the program.
quoted=$program
sed -n 's/^echo "  \(.*\)"$/\1/p' "$here/../../script/demo" >next.txt
grep -c . next.txt
while read -r line; do
    eval "line=\"$line\"; $line" >answer.txt 2>note.txt || echo "exit $?: $line: $(cat note.txt)"
    grep -c . answer.txt >/dev/null || [ -s mutag.html ] || [ -e mutag-design/nysx_config.h ] || echo "no answer: $line"
done <next.txt
ls
