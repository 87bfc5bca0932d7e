# tells of $tao_path and of at most $tao_most entries in it: kind, size, name; each word ends in NUL
LC_ALL=C
export LC_ALL
set +f
unset CDPATH
tao_shown=0

tao_tell() {
    tao_size=-
    if [ -d "$1" ]; then
        tao_kind=directory
    elif [ -f "$1" ]; then
        tao_kind=file
        [ -r "$1" ] && tao_size=$(wc -c <"$1")
    else
        tao_kind=other
    fi
    printf '%s\000%s\000%s\000' "$tao_kind" "$tao_size" "${1##*/}"
}

# a slash at the end changes nothing
while [ "${tao_path%/}" != "$tao_path" ] && [ "$tao_path" != / ]; do
    tao_path=${tao_path%/}
done

if ! tao_said=$(ls -d "$tao_path" 2>&1 >/dev/null); then
    case $tao_said in
        *ermission*) printf 'denied\000%s\000end\000' "$tao_said" ;;
        *) printf 'absent\000end\000' ;;
    esac
    exit 0
fi
if [ -d "$tao_path" ] && ! { [ -r "$tao_path" ] && [ -x "$tao_path" ]; }; then
    printf 'denied\000%s\000end\000' "its permissions forbid reading"
    exit 0
fi
tao_tell "$tao_path"
if [ -d "$tao_path" ]; then
    for tao_entry in "${tao_path%/}"/* "${tao_path%/}"/.[!.]* "${tao_path%/}"/..?*; do
        [ -e "$tao_entry" ] || [ -h "$tao_entry" ] || continue
        if [ "$tao_shown" -ge "$tao_most" ]; then
            printf 'more\000'
            exit 0
        fi
        tao_shown=$((tao_shown + 1))
        tao_tell "$tao_entry"
    done
fi
printf 'end\000'
