# The commands of every tutorial and how-to page, as they stand there, one folder each; the first that fails ends its page.
# No vendor's tool is here: where a page asks for synthesis, v++ is a stand-in that writes a report as one would be in which LUTs come to three quarters.
mkdir path && ln -s "$program" path/nysx-dse && cp "$here/synthesis-stand-in" path/v++
PATH=$PWD/path:$PATH
export XDG_DATA_HOME
for page in "$here"/../../docs/tutorials/*.md "$here"/../../docs/howto/*.md; do
    name=$(basename "$(dirname "$page")")-$(basename "$page" .md)
    XDG_DATA_HOME=$PWD/$name.kept
    sed -n '/^```sh$/,/^```$/ { /^```/d; p }' "$page" >"$name.sh"
    [ -s "$name.sh" ] || continue
    mkdir "$name"
    if (cd "$name" && bash -e "../$name.sh" >../answer.txt 2>../notes.txt); then
        echo "$name: $(grep -c -e nysx-dse -e make "$name.sh") commands"
    else
        echo "$name failed"
        tail -n 20 notes.txt answer.txt
    fi
done
find . -path '*.kept/*' -type f | sort
