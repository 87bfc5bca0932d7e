# Puts a key for nvcr.io where enroot looks, beside what is there for other machines. The key is in this text, which
# came over standard input, and in that file: never among the arguments or in the environment of a process.
enroot_credentials() {
  file=$HOME/.config/enroot/.credentials
  first="machine nvcr.io login \$oauthtoken password $1"
  second="machine authn.nvidia.com login \$oauthtoken password $1"
  seen=
  if [ -s "$file" ]; then
    while IFS= read -r line || [ -n "$line" ]; do
      case $line in "$first") seen=${seen}1 ;; "$second") seen=${seen}2 ;; esac
    done < "$file"
    case $seen in 12 | 21) chmod 600 "$file"; return ;; esac
  fi
  told=$(umask 077 && mkdir -p "${file%/*}" 2>&1) || fail stage "$told"
  (
    umask 077
    {
      [ ! -e "$file" ] || awk '
        $1 == "machine" || $1 == "default" { drop = $1 == "machine" && ($2 == "nvcr.io" || $2 == "authn.nvidia.com") }
        !drop' "$file"
      printf '%s\n' "$first" "$second"
    } > "$file.$$" && chmod 600 "$file.$$" && mv -f "$file.$$" "$file"
  ) 2> /dev/null && test -s "$file" || { rm -f "$file.$$"; fail stage "cannot write $file"; }
}
