# Whether $1 is a whole squash file: its magic, and no shorter than its superblock says (bytes 40 to 47).
whole() {
  [ -s "$1" ] && [ "$(head -c 4 "$1" 2> /dev/null)" = hsqs ] || return 1
  used=$(od -An -tu8 -j40 -N8 "$1" 2> /dev/null | tr -d ' ')
  [ -n "$used" ] && [ "$(wc -c < "$1")" -ge "$used" ]
}
