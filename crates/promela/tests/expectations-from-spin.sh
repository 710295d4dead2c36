#!/usr/bin/env bash
# Derives the `/* expect: … */` line of Promela models from SPIN itself, so that no number in it is invented.
#
#   expectations-from-spin.sh FILE…            check: compare each file's first line with what SPIN says (default)
#   expectations-from-spin.sh --print FILE…    print what SPIN says, change nothing
#   expectations-from-spin.sh --write FILE…    put SPIN's answer into the first line (replacing an older one)
#   --depth                                    also the depth that SPIN reached
#   --verbose                                  also show the messages of spin and pan
#
# Ground truth is SPIN's unreduced search: no partial order reduction, no statement merging, no dataflow optimisation,
# no dead variable elimination, never claims ignored, going on after errors:
#   spin -o1 -o2 -o3 -a m.pml; gcc -DSAFETY -DNOREDUCE -DNOCLAIM pan.c; pan -c0 -n
# `transitions` is stored + matched - 1: pan counts reaching the initial state as one.
#
# Kinds of violation, joined by `+` in this order:
#   assertion   a false assert
#   deadlock    invalid end state
#   bounds      array index out of bounds (pan goes on in foreign memory: no figures)
#   channel     an uninitialised channel, a rendezvous channel that is polled, a message with too few values
#   event       event_trace error (a trace or notrace declaration is violated)
#   error       two transitions of a D_proctype are possible at once
#   atomicity   a statement other than the first blocks inside a d_step
#   abort       pan gives up for another reason (too many processes, priority out of range, …)
# Where pan stops early or reads foreign memory, figures mean nothing and are left out.
# `rejected` means that SPIN refuses the model: `spin -a` does, or its C does not compile, or pan refuses to start.
#
# Environment: SPIN, CC, CFLAGS (default -O1), PAN_FLAGS (e.g. -DVECTORSZ=8192).
# Exit status: 0 all agree, 1 some differ, 2 wrong usage.
set -u

mode=check verbose=0 with_depth=0
files=()
for argument in "$@"; do
    case $argument in
        --check) mode=check ;;
        --print) mode=print ;;
        --write) mode=write ;;
        --verbose) verbose=1 ;;
        --depth) with_depth=1 ;;
        -*) echo "unknown option $argument" >&2; exit 2 ;;
        *) files+=("$argument") ;;
    esac
done
if [ ${#files[@]} -eq 0 ]; then
    echo "usage: ${0##*/} [--check|--print|--write] [--depth] [--verbose] FILE…" >&2
    exit 2
fi

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

say() { [ $verbose -eq 1 ] && sed 's/^/    | /' "$@" >&2; return 0; }

# Runs pan with a growing depth bound until it is deep enough; leaves its output in out.
run_pan() {
    local depth=200000
    while :; do
        { timeout "${PAN_TIMEOUT:-300}" ./pan -c0 -n -m$depth >out 2>&1; } 2>/dev/null   # pan may crash: be quiet about it
        grep -q 'max search depth too small' out || return 0
        [ $depth -ge 20000000 ] && return 1
        depth=$((depth * 10))
    done
}

# Prints what SPIN says about the model $1, as the text between `expect: ` and ` */`.
ask_spin() {
    local vector='' kinds='' reliable=1 stored matched errors
    rm -rf "$work/run"; mkdir "$work/run"
    cp "$1" "$work/run/m.pml"
    (
        cd "$work/run" || exit 1
        # spin itself may crash on a wrong model; that counts as rejected, and the shell need not tell.
        if ! { "${SPIN:-spin}" -o1 -o2 -o3 -a m.pml >spin.out 2>&1; } 2>/dev/null || [ ! -s pan.c ]; then
            say spin.out; echo rejected; exit
        fi
        [ -s spin.out ] && say spin.out
        while :; do
            # shellcheck disable=SC2086
            if ! "${CC:-gcc}" ${CFLAGS:--O1} -w -DSAFETY -DNOREDUCE -DNOCLAIM $vector ${PAN_FLAGS:-} -o pan pan.c >gcc.out 2>&1; then
                say gcc.out; echo rejected; exit
            fi
            run_pan || { say out; echo 'unknown (search too deep)'; exit; }
            if [ -z "$vector" ] && grep -q 'VECTORSZ' out; then vector=-DVECTORSZ=8192; continue; fi
            break
        done
        say out
        # Some defects of a model are only seen by pan when it builds its tables, before any search.
        if grep -q "inherits 2 'else'\|has unconditional self-loop" out; then echo rejected; exit; fi
        grep '^pan:[0-9]*: ' out >messages
        grep 'assertion violated' messages | grep -qv 'invalid array index' && kinds+='+assertion'
        grep -q 'invalid end state' messages && kinds+='+deadlock'
        if grep -q 'invalid array index' messages; then kinds+='+bounds'; reliable=0; fi
        if grep -q 'uninitialized chan\|bad queue\|polling rv chan\|poll rendezvous\|too few parameters\|missing pars' messages; then kinds+='+channel'; reliable=0; fi
        grep -q 'event_trace' messages && kinds+='+event'
        grep -q 'non-determinism in D_proctype' messages && kinds+='+error'
        if grep -q 'd_step' messages; then kinds+='+atomicity'; reliable=0; fi
        if ! grep -q 'states, stored' out || grep -q 'Search not completed' out; then
            reliable=0
            [ -z "$kinds" ] && kinds+='+abort'
        fi
        stored=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' out)
        matched=$(sed -n 's/^ *\([0-9.e+]*\) states, matched.*/\1/p' out)
        errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' out)
        if [ -z "$kinds" ] && [ "${errors:-0}" != 0 ]; then kinds=+unknown; fi
        answer=holds
        [ -n "$kinds" ] && answer="violated ${kinds#+}"
        if [ $reliable -eq 1 ]; then
            answer+=$(printf '; states: %.0f; transitions: %.0f' "$stored" "$(awk "BEGIN { print $stored + $matched - 1 }")")
            [ -n "$kinds" ] && answer+="; errors: $errors"
            [ $with_depth -eq 1 ] && answer+="; depth: $(sed -n 's/.*depth reached \([0-9]*\),.*/\1/p' out)"
        fi
        echo "$answer"
    )
}

differing=0
for file in "${files[@]}"; do
    told="/* expect: $(ask_spin "$file") */"
    first=$(head -n 1 "$file")
    case $mode in
        print) echo "$file: $told" ;;
        write)
            echo "$file: $told"
            [[ $first == '/* expect:'*'*/' ]] && body=$(tail -n +2 "$file"; echo x) || body=$(cat "$file"; echo x)
            printf '%s\n%s' "$told" "${body%x}" >"$work/new" && cat "$work/new" >"$file" ;;
        check)
            if [ "$first" != "$told" ]; then
                differing=1
                printf '%s\n  file: %s\n  SPIN: %s\n' "$file" "$first" "$told"
            fi ;;
    esac
done
exit $differing
