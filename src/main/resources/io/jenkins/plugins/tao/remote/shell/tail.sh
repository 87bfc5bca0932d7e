# What is new in many files. Expects tao_all, tao_least and tao_long (bytes), tao_most (files) and the function tao_requests, which sets d to a
# directory and calls: w NUMBER SINCE OFFSET BEFORE FILE... The processes it starts do not grow with the files that have no news.
# xargs -0 and stat -c are of GNU and busybox. mawk writes numbers from 2^31 on with an exponent: they stay text here.
LC_ALL=C TZ=UTC0
export LC_ALL TZ
tao_nl='
'

# Lists one request: "? number since offset before", "-path" of the file read before, "+path" of each file to choose from.
w() {
  tao_head="? $1 $2 $3" tao_was=$4
  shift 4
  case $tao_was in '' | /*) ;; :*) tao_was=$1$tao_was ;; *) tao_was=$d/$tao_was ;; esac
  printf '%s %s\n' "$tao_head" "$tao_was"
  [ ! -f "${tao_was%:*}" ] || printf '%s\n' "-${tao_was%:*}"
  for tao_file do
    case $tao_file in *"$tao_nl"*) continue ;; esac
    [ ! -f "$tao_file" ] || printf '%s\n' "+$tao_file"
  done
}

tao_sizes() {
  printf '%s\n' "$tao_listed" | sed -n 's/^[+-]//p' | tr '\n' '\000' |
    xargs -0 stat -L -c '=%i %s %Y %y|%n' -- 2> /dev/null
}

# Takes the newest file, reads the rest of the one before first, notices a replaced or cut file.
tao_choose='
function print_(word, i, bytes) { print word, number[i], new[i], start[i], bytes, size[file[i]], file[i] ":" inode[file[i]] }
function choose(   f) {
  if (n == "") return
  f = best
  if (old != "" && old != f && (old in size) && (old ":" inode[old]) == was && size[old] + 0 > at + 0) f = old
  if (f == "" || mtime[f] + 0 < since + 0) return
  fresh = 0
  if ((was != "" && (f ":" inode[f]) != was) || size[f] + 0 < at + 0) { at = 0; fresh = 1 }
  if (fresh || size[f] + 0 > at + 0) { k++; number[k] = n; start[k] = at; new[k] = fresh; file[k] = f }
}
/^=/ { i = index($0, "|"); f = substr($0, i + 1); split(substr($0, 2, i - 2), p, " ")
       inode[f] = p[1]; size[f] = p[2]; mtime[f] = p[3]; when[f] = p[4] " " p[5]; next }
/^\?/ { choose(); n = $2; since = $3; at = $4; best = ""
        was = substr($0, length($1 $2 $3 $4) + 5); old = was; sub(/:[0-9]*$/, "", old); next }
/^\+/ { f = substr($0, 2); if ((f in size) && (best == "" || when[f] > when[best])) best = f }
END { choose()
  most = k ? int(all / k) : 0; if (most < least) most = least
  for (i = 1; i <= k; i++) {
    f = file[i]; news[i] = size[f] - start[i]; length_[i] = news[i]
    if (length_[i] > most) length_[i] = most
    if (length_[i] > all) length_[i] = all
    if (i > files) length_[i] = 0
    all -= length_[i]
    if (news[i] >= 1048576 && long_ > 0 && news[i] > news[last]) last = i
  }
  for (i = 1; i <= k; i++) if (i != last) print_("tail", i, length_[i])
  if (last) print_("long", last, news[last] < long_ ? news[last] : long_)
}'

# A long log goes through one process instead of two, where dd knows to skip bytes (coreutils 8.16, busybox 1.31). It is asked before: one
# that fails in the middle has sent a part, and nothing may come behind that.
tao_bytes() {
  if [ "$tao_len" -ge 1048576 ] && dd if=/dev/null iflag=skip_bytes,count_bytes bs=1M skip=0 count=0 2> /dev/null; then
    dd if="${tao_file%:*}" iflag=skip_bytes,count_bytes bs=1M skip="$tao_at" count="$tao_len" 2> /dev/null
    return
  fi
  case $tao_at in
    0) head -c "$tao_len" -- "${tao_file%:*}" ;; # half the processes, for a first look at thousands of files
    *) tail -c "+$((tao_at + 1))" -- "${tao_file%:*}" | head -c "$tao_len" ;;
  esac
}

tao_listed=$(tao_requests)
{ tao_sizes; printf '%s\n' "$tao_listed"; } |
  awk -v all="$tao_all" -v least="$tao_least" -v files="$tao_most" -v long_="$tao_long" "$tao_choose" |
  while read -r tao_word tao_n tao_new tao_at tao_len tao_size tao_file; do
    printf '%s %s %s %s %s %s %s\n' "$tao_word" "$tao_n" "$tao_new" "$tao_at" "$tao_len" "$tao_size" "$tao_file"
    [ "$tao_len" = 0 ] || tao_bytes
    echo
  done
echo tail-end
