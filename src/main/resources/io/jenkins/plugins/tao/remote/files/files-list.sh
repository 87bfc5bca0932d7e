# Lists files of a directory and below, as "f SIZE CHANGED ./NAME", its symbolic links, as "l …", and what has a line break in its name,
# as "o 0 0 ./NAME" with a ? for each; CHANGED is in seconds of the epoch: when the file was written, made or copied there, which a kept modification time does not hide. Then "part" when something
# could not be looked at, which standard error names, and "end". A directory that is not there has none.
# Input: tao_directory. Exit codes: 0; 1 nothing could be read, and "end" is missing.
# -exec + asks for all files in a few processes; stat -c is of GNU and busybox.
LC_ALL=C
export LC_ALL
if ! tao_said=$(ls -d "$tao_directory" 2>&1 > /dev/null); then
  case $tao_said in
    *'o such file'* | *'ot a directory'*) echo end; exit 0 ;;
  esac
  echo "$tao_said" >&2
  exit 1
fi
cd "$tao_directory" || exit 1
tao_break='*
*'
find . -type f ! -path "$tao_break" -exec stat -c 'f %s %Z %n' -- {} + || echo part
find . -type l ! -path "$tao_break" -exec stat -c 'l %s %Z %n' -- {} + || echo part
find . ! -type d -path "$tao_break" -exec sh -c 'for n; do printf "o 0 0 "; printf %s "$n" | tr "\n" "?"; echo; done' sh {} + || echo part
echo end
