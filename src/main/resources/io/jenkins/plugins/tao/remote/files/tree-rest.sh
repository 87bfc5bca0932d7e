# Writes the rest of one large file at its place. Inputs: tao_directory, tao_part, tao_name (./NAME), tao_mib (whole MiB
# that are there); standard input is the rest. Exit codes: 0; 1 it cannot be written.
umask 077
cd "$tao_directory/$tao_part" || exit 1
dd of="$tao_name" bs=1048576 seek="$tao_mib" conv=notrunc 2> ".tao-said.$$"
tao_code=$?
[ "$tao_code" = 0 ] || tail -c 1000 ".tao-said.$$" >&2
rm -f ".tao-said.$$"
exit "$tao_code"
