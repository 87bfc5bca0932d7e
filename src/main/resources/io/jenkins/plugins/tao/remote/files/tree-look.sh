# What of a tree is on this host already. Makes the directory of the new version when there is none.
# Inputs: tao_directory (of the tree's versions), tao_version (a name), tao_part (the name while it is not complete), tao_link (the
# name of the link to the version that came last), tao_fixed (1 where versions are read-only).
# Output: "there" when the version is complete and the last one now; or "part SIZE ./NAME" for each file that came before,
# "old SHA256  ./NAME" for each file of the last version, and "end". Exit codes: 0; 1 the directory cannot be written.
tao_current() {
  cd "$tao_directory" && ln -s "$tao_version" "$tao_link.$$" && mv -fT "$tao_link.$$" "$tao_link"
}

umask 077
if [ -e "$tao_directory/$tao_version" ]; then
  # The time of a version that is read-only is that of its last use: by it the old ones are found.
  [ -z "$tao_fixed" ] || touch -c -- "$tao_directory/$tao_version" || exit 1
  tao_current && echo there
  exit
fi
mkdir -p -- "$tao_directory/$tao_part" && cd "$tao_directory/$tao_part" || exit 1
find . -type f -exec stat -c 'part %s %n' -- {} +
sed 's/^/old /' "$tao_directory/$tao_link/.tao-manifest" 2> /dev/null
echo end
