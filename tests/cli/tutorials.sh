# The commands of every tutorial, as they stand there, one folder each.
mkdir path && ln -s "$program" path/nysx-dse
PATH=$PWD/path:$PATH
for tutorial in "$here"/../../docs/tutorials/*.md; do
    name=$(basename "$tutorial" .md)
    mkdir "$name"
    sed -n '/^```sh$/,/^```$/ { /^```/d; p }' "$tutorial" >"$name.sh"
    (cd "$name" && bash -e "../$name.sh" >../answer.txt 2>../notes.txt) && echo "$name: $(grep -c nysx-dse "$name.sh") commands" || { echo "$name failed"; cat notes.txt; }
done
