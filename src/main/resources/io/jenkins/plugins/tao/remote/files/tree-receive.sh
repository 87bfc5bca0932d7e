# Takes in a tree, checks it, and makes it the last version. Inputs: tao_directory, tao_version, tao_part, tao_link, tao_fixed (see
# tree-look.sh), tao_sum (of sums.sh); standard input is a tar stream whose last files are .tao-executable, names ./NAME, and .tao-manifest, as sha256sum writes it.
# Exit codes: 0 in its place; 1 it cannot be written; 8 the stream did not end well; 9 files had other checksums and are gone.
tao_fail() {
  tao_came || { head -c 2000 "$tao_said" >&2; rm -f "$tao_said"; exit 1; }
}

# Ends well when the version is complete by now: the script of a client that is gone may have ended after all, or another client
# has sent the same tree.
tao_came() {
  [ -n "$tao_fixed" ] && [ -e "$tao_directory/$tao_version" ] || return 1
  rm -f "$tao_said"
  cd "$tao_directory" || exit 1
  [ ! -d "$tao_part" ] || { chmod -R u+w "$tao_part" && rm -rf -- "$tao_part"; }
  cat > /dev/null
  exit 0
}

# The checksums of all files, as the manifest has them. sha256sum marks names with a backslash by another one.
tao_have() {
  find . -type f ! -path ./.tao-manifest -exec $tao_sum {} + | sed '/^\\/{s/^\\//;s/\\\\/\\/g;};s/^\([0-9a-f]*\) [ *]/\1  /'
}

# Files that came before, or from another version, may have another mode.
tao_modes() {
  { find . -type f -perm -100 | sed 's/^/h /'; sed 's/^/w /' .tao-executable; } | awk '
    { name = substr($0, 3) }
    /^h/ { have[name] = 1; next }
    name in have { delete have[name]; next }
    { print "u+x " name }
    END { for (name in have) print "a-x " name }' | while read -r tao_mode tao_name; do
    chmod "$tao_mode" "$tao_name" || return 1
  done
}

# The files of the manifest that are not as it says.
tao_wrong() {
  { tao_have | sed 's/^/h /'; sed 's/^/w /' .tao-manifest; } | awk '
    { line = substr($0, 3) }
    /^h/ { have[line] = 1; next }
    !(line in have) { print substr(line, 67) }'
}

umask 077
tao_said=$tao_directory/$tao_part.said
cd "$tao_directory/$tao_part" || tao_came || exit 1
[ -z "$tao_fixed" ] || chmod -R u+w . || exit 1
rm -f .tao-manifest .tao-executable
tar -xmof - 2> "$tao_said" || tao_fail
rm -f "$tao_said"
[ -f .tao-manifest ] || exit 8
tao_modes || exit 1
rm -f .tao-executable
# Read-only before it is checked: what is found right cannot be changed by a client whose time is over.
[ -z "$tao_fixed" ] || chmod -R a-w . || exit 1
tao_wrong > "../$tao_part.wrong" || exit 1
cd "$tao_directory" || exit 1
if [ -s "$tao_part.wrong" ]; then
  [ -z "$tao_fixed" ] || chmod -R u+w "$tao_part"
  while IFS= read -r tao_name; do rm -f -- "$tao_part/$tao_name"; done < "$tao_part.wrong"
  rm -f "$tao_part.wrong"
  exit 9
fi
rm -f "$tao_part.wrong"
mv -T -- "$tao_part" "$tao_version" 2> "$tao_said" || { [ -z "$tao_fixed" ] && [ -e "$tao_version" ]; } || tao_fail
rm -f "$tao_said"
[ -z "$tao_fixed" ] || touch -c -- "$tao_version"
ln -s "$tao_version" "$tao_link.$$" && mv -fT "$tao_link.$$" "$tao_link"
