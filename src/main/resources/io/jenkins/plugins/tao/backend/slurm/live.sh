# Tells the jobs below base that have not ended: "key attempt id since members holder state results", - for what is not
# known. Follows the functions of leases. A job of another base directory, or one that was never staged here, is not told.
live() {
  LC_ALL=C
  export LC_ALL
  queued=$(squeue -h -u "$(id -un)" -o '%j %T' 2>&1)
  printf 'tao-squeue %s\n%s\n' $? "$queued"
  printf 'tao-live 0\n'
  # A base whose disk is away, or that cannot be read, is no base without jobs.
  [ -d "$base" ] && { [ ! -d "$base/sbatch" ] || [ -x "$base/sbatch" ]; } || printf '%s 0\n' "$base"
  printf '%s\n' "$queued" | sort -u | while read -r name state; do
    key=${name#tao-job-}
    case $key in "$name" | '' | *[!A-Za-z0-9._-]*) continue ;; esac
    [ "$key" != "$told" ] && [ -e "$base/sbatch/job_$key.sbatch" ] || continue
    told=$key
    attempt=0
    while [ -s "$base/submit/$key.$((attempt + 1)).id" ]; do attempt=$((attempt + 1)); done
    [ "$attempt" -gt 0 ] || { printf '%s 0\n' "$key"; continue; }
    read -r id since array < "$base/submit/$key.$attempt.id"
    [ "$since" != - ] || since=$(stat -c %Y -- "$base/submit/$key.$attempt.id" 2> /dev/null) || since=0
    lease_look "$base/leases/$key"
    results=$(sed -n 's/.*"results_dir":"\([^"\\]*\)".*/\1/p' "$base/meta/$key.json" 2> /dev/null)
    printf '%s %s %s %s %s %s %s %s\n' "$key" "$attempt" "$id" "$since" "${array:--}" "${holder:--}" "$state" "${results:--}"
  done
  printf 'tao-end 0\n'
}
told=
live
